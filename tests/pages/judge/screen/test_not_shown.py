"""No label is given to a page in a frame that has not come, and what is wrong with it is said."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.running import wait_until
from tests.pages.judge.screen.loopback import SCREEN, Intake
from tests.pages.judge.screen.mounting import LEVELS, Screen, data_for, step

pytestmark = pytest.mark.browser

END = "</x-places>"
"""With this the server ends each page."""

CHOICES = [{"level": level, "name": str(level), "meaning": "", "key": ""} for level in range(-2, 3)]
GUARD = "if (whyNot) return"


class Server:
    """Has pages, each of which is held until it is said what becomes of it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.held: dict[str, list[Route]] = {}
        page.route("**/framed/*", lambda route: self.held.setdefault(name(route), []).append(route))

    def is_asked_for(self, document: str) -> bool:
        """Tell it once the browser has had the time to ask."""
        self.page.wait_for_timeout(10)
        return bool(self.held.get(document))

    def send(self, document: str, **more: Any) -> None:
        """Answer all that has asked for a page: with the page, or as is told."""
        answer = {"body": f"<p>Cats of {document}</p>{END}", "content_type": "text/html"} | more
        wait_until(lambda: self.is_asked_for(document))
        for route in self.held.pop(document):
            route.fulfill(**answer)


def name(route: Route) -> str:
    return route.request.url.rpartition("/")[2].partition(".")[0]


@pytest.fixture
def server(blank: Page) -> Server:
    return Server(blank)


def framed(name: str) -> dict[str, Any]:
    return {"title": name, "url": "", "text": None, "frame": f"/framed/{name}.1.x"}


def mount(blank: Page, *documents: str) -> Screen:
    pages = {one: framed(one) for one in documents}
    return Screen(blank, data_for(*map(step, documents), documents=pages))


def mount_pair(blank: Page) -> Screen:
    sides = [[{**framed(one), "page": None}] for one in ("d1", "d2")]
    pair = step("pair", facet="page pair", sides=sides, first="left")
    return Screen(blank, data_for(pair, scales={"page": LEVELS, "page pair": CHOICES}))


def press_in_vain(screen: Screen, *keys: str) -> None:
    """Press keys, once even the slowest could have seen the item; nothing comes of it."""
    screen.page.wait_for_timeout(400)
    before = screen.step
    for key in keys:
        screen.page.keyboard.press(key)
    assert screen.step == before


def test_while_a_page_is_loading_nothing_but_later_is_noted(
    blank: Page, intake: Intake, server: Server
):
    screen = mount(blank, "d1", "d2")
    expect(blank.get_by_text("The page is loading …").first).to_be_visible()
    expect(screen.part("announcement")).to_contain_text("The page is loading")
    press_in_vain(screen, "1")
    expect(screen.part("notice")).to_contain_text("nothing to judge yet. Nothing was noted.")
    press_in_vain(screen, "x", "1")
    blank.keyboard.press("Escape")
    screen.part("later").click()
    blank.wait_for_function("document.querySelector('.judge').dataset.step.includes('d2')")
    wait_until(lambda: len(intake.events) == 1)
    assert intake.events[0]["state"] == "later"


def test_what_comes_late_is_judged_only_then(blank: Page, intake: Intake, server: Server):
    screen = mount(blank, "d1")
    press_in_vain(screen, "1")
    server.send("d1")
    screen.judge("2")
    expect(screen.part("announcement")).not_to_contain_text("loading")
    wait_until(lambda: len(intake.events) == 1)
    assert (intake.events[0]["level"], intake.events[0]["document"]) == (1, "d1")
    assert intake.events[0]["paradata"]["shown_ms"] < 10_000


def test_what_comes_for_an_item_before_opens_nothing(blank: Page, intake: Intake, server: Server):
    screen = mount(blank, "d1", "d2")
    screen.page.wait_for_timeout(400)
    screen.part("later").click()
    blank.wait_for_function("document.querySelector('.judge').dataset.step.includes('d2')")
    server.send("d1")
    press_in_vain(screen, "1")
    server.send("d2")
    screen.judge("2")
    wait_until(lambda: len(intake.events) == 2)
    assert [one["state"] for one in intake.events] == ["later", "level"]


def test_what_failed_is_told_tried_again_and_then_judged(
    blank: Page, intake: Intake, server: Server
):
    screen = mount(blank, "d1", "d2")
    server.send("d1", status=500, body="Internal Server Error")
    expect(blank.get_by_text("The server answers with an error (500).").first).to_be_visible()
    assert not blank.get_by_text("Internal Server Error").count()
    expect(screen.part("announcement")).to_contain_text("could not be loaded")
    press_in_vain(screen, "1")
    expect(screen.part("notice")).to_contain_text("Try again")
    again = screen.part("try-again").first
    again.focus()
    blank.keyboard.press("Enter")
    press_in_vain(screen, "1")
    server.send("d1")
    screen.judge("2")
    server.send("d2", status=404)
    expect(screen.part("cannot-load").last).to_be_visible()
    screen.part("cannot-load").last.click()
    blank.keyboard.press("1")
    wait_until(lambda: len(intake.events) == 2)
    assert [(one["state"], one["level"]) for one in intake.events] == [
        ("level", 1),
        ("cannot judge", None),
    ]


def test_both_sides_of_a_pair_have_to_come(blank: Page, intake: Intake, server: Server):
    screen = mount_pair(blank)
    press_in_vain(screen, "=")
    server.send("d1")
    press_in_vain(screen, "=")
    server.send("d2", status=503)
    press_in_vain(screen, "=")
    screen.part("try-again").last.click()
    server.send("d2")
    screen.judge("ArrowLeft")
    wait_until(lambda: len(intake.events) == 1)
    assert intake.events[0]["level"] == -1


@pytest.mark.parametrize("is_guarded", [True, False])
def test_without_the_guard_a_label_is_given_to_what_was_not_shown(
    blank: Page, intake: Intake, server: Server, is_guarded: bool
):
    text = (SCREEN / "answers.js").read_text(encoding="utf-8")
    assert text.count(GUARD) == 1
    if not is_guarded:
        kind = "text/javascript"
        body = text.replace(GUARD, "if (false) return")
        blank.route("**/answers.js", lambda route: route.fulfill(body=body, content_type=kind))
    screen = mount(blank, "d1", "d2")
    before = screen.step
    blank.wait_for_timeout(400)
    for _ in range(3):
        blank.keyboard.press("1")
        blank.wait_for_timeout(200)
    assert (screen.step != before) == (not is_guarded)
    wait_until(lambda: bool(intake.events) == (not is_guarded))
