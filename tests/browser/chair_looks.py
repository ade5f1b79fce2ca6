"""How the pictures of the assessor's chair are taken: the four looks, and what leads to a state."""

from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.browser.conftest import begin, judge_screen, press_when_seen
from tests.browser.study import Study

LOOKS = {
    "light": {"viewport": {"width": 1366, "height": 768}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1366, "height": 768}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
    "zoomed": {"viewport": {"width": 683, "height": 384}, "device_scale_factor": 2},
}

Act = Callable[[Page, Study, str], None]
"""What leads to a state: on a page, in a study, in the look of that name."""


def seat_of(name: str, look: str) -> str:
    """Return the name of a sitting of its own for each look: nothing is judged there yet."""
    return f"{name}, {look}"


def enter(name: str) -> Act:
    """Return what comes to the card before the first item."""

    def act(page: Page, study: Study, look: str) -> None:
        study.enter(page, study.seats[seat_of(name, look)].session)
        expect(judge_screen(page)).to_have_attribute("data-step", "start")

    return act


def sit(name: str, *keys: str) -> Act:
    """Return what comes to the first item, and presses keys there."""

    def act(page: Page, study: Study, look: str) -> None:
        study.enter(page, study.seats[seat_of(name, look)].session)
        begin(page)
        for key in keys:
            press_when_seen(page, key)

    return act


def open_look(browser: Browser, look: str) -> BrowserContext:
    """Return a browser with nothing from before, in one of the looks."""
    return browser.new_context(reduced_motion="reduce", **LOOKS[look])  # type: ignore[arg-type]


def see(browser: Browser, study: Study, states: dict[str, Act]) -> Iterator[tuple[str, Page, str]]:
    """Come to every state in every look; yields its name, the page, and what went wrong there."""
    for name, act in states.items():
        for look in LOOKS:
            context = open_look(browser, look)
            page = context.new_page()
            wrong = ""
            try:
                act(page, study, look)
                page.wait_for_timeout(400)
            except (AssertionError, Error) as error:
                wrong = str(error).strip().splitlines()[0]
            yield f"{name}-{look}", page, wrong
            context.close()
