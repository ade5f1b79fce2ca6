"""Everything on a page that only appears when somebody asks for it: opened, and looked at."""

from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Error, FrameLocator, Locator, Page

from tests.browser.conftest import settle
from tests.faults.xss_watch import Watch

_KEYS_ARE_TAKEN = """() => {
  let one = document.activeElement;
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  return one?.tagName !== 'IFRAME';
}"""

_PRESSABLE = "a, area, button, summary, input[type=submit], input[type=image], [onclick]"
_MOST = 60
_SOON = 1_500
_HOVERED = 9
_CHOICES = (
    ("stButtonGroup", "button"),
    ("stRadio", "label"),
    ("stCheckbox", "label"),
)


def explore(page: Page, watch: Watch) -> int:
    """Open, choose and point at everything, and look at each; returns how many there were."""
    done = _look_into(page, watch)
    for test_id, part in (("stTab", ""), *_CHOICES):
        for place in range(_find(page, test_id, part).count()):
            if _click(_find(page, test_id, part).nth(place)):
                settle(page)
                watch.scan(page)
                done += 1 + (_look_into(page, watch) if test_id == "stTab" else 0)
    return done


def press_everything(page: Page, frame: FrameLocator) -> int:
    """Click on everything in a document that can be clicked; returns how often that was.

    Ends when the keyboard is the page's again: no person is as quick as to press a key before.
    """
    pressed = 0
    with suppress(Error):  # it is not to be seen, or the frame went away
        for place in range(min(_MOST, frame.locator(_PRESSABLE).count())):
            frame.locator(_PRESSABLE).nth(place).click(timeout=_SOON, force=True)
            pressed += 1
    page.wait_for_function(_KEYS_ARE_TAKEN)
    return pressed


def _look_into(page: Page, watch: Watch) -> int:
    """Open what opens, without choosing anything."""
    return sum(
        (
            _open(page, watch, _find(page, "stExpander", "summary")),
            _open(page, watch, page.get_by_test_id("stPopoverButton"), shut=True),
            _open(page, watch, _find(page, "stSelectbox", "input"), shut=True),
            _open(page, watch, _find(page, "stMultiSelect", "input"), shut=True),
            _open(page, watch, page.get_by_test_id("stTooltipHoverTarget"), act=_hover),
            _point(page, watch),
        )
    )


def _find(page: Page, test_id: str, part: str) -> Locator:
    found = page.get_by_test_id(test_id)
    return found.locator(part) if part else found


def _open(
    page: Page,
    watch: Watch,
    found: Locator,
    *,
    shut: bool = False,
    act: "Callable[[Locator], bool] | None" = None,
) -> int:
    done = 0
    for place in range(found.count()):
        if (act or _click)(found.nth(place)):
            page.wait_for_timeout(60)
            watch.scan(page)
            done += 1
            if shut:
                page.keyboard.press("Escape")
    return done


def _point(page: Page, watch: Watch) -> int:
    """Move the pointer over every figure, for what it says there."""
    plots = page.locator(".js-plotly-plot .nsewdrag")
    for place in range(plots.count()):
        plot = plots.nth(place)
        try:
            plot.scroll_into_view_if_needed(timeout=_SOON)
            box = plot.bounding_box()
        except Error:
            continue
        for step in range(_HOVERED) if box else ():
            x = box["x"] + box["width"] * (step + 0.5) / _HOVERED
            page.mouse.move(x, box["y"] + box["height"] * ((step * 2) % _HOVERED + 0.5) / _HOVERED)
            page.wait_for_timeout(60)
            watch.scan(page)
    return plots.count()


def _click(found: Locator) -> bool:
    try:
        found.click(timeout=_SOON)
    except Error:
        return False
    return True


def _hover(found: Locator) -> bool:
    try:
        found.hover(timeout=_SOON)
    except Error:
        return False
    return True
