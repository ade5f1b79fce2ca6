"""Two pages side by side are read together: what scrolls one scrolls the other."""

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.running import wait_until
from tests.pages.judge.screen.loopback import Intake
from tests.pages.judge.screen.mounting import LEVELS, Screen, data_for, step

pytestmark = pytest.mark.browser

PLACES = "".join(f'<p id="dissent-{n}" style="height:40px">{n}</p>' for n in range(200))
END = "</x-places>"
"""With this the server ends each page."""

CHOICES = [{"level": level, "name": str(level), "meaning": "", "key": ""} for level in range(-2, 3)]


def test_keys_scroll_both_pages_alike(blank: Page, intake: Intake):
    blank.route(
        "**/framed/*", lambda route: route.fulfill(body=PLACES + END, content_type="text/html")
    )
    sides = [
        [{"title": name, "url": "", "text": "", "frame": f"/framed/{name}", "page": None}]
        for name in ("one", "other")
    ]
    pair = step("d1", facet="page pair", sides=sides)
    screen = Screen(blank, data_for(pair, scales={"page": LEVELS, "page pair": CHOICES}))
    expect(screen.part("pair").locator("iframe")).to_have_count(2)
    screen.wait()
    frames = blank.frames[1:]
    assert len(frames) == 2
    for key in ("Space", "PageDown", "ArrowDown"):
        before = places(frames)
        blank.keyboard.press(key)
        wait_until(lambda before=before: max(before) < min(places(frames)))
        assert len(set(places(frames))) == 1


def places(frames: list[Frame]) -> list[float]:
    """Return how far down each page is; no script of theirs could wait for it."""
    return [one.evaluate("scrollY") for one in frames]
