"""No page keeps anybody out: axe-core finds nothing, at any width, in either theme."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import find_barriers
from tests.browser.conftest import begin, judge_screen
from tests.browser.views import SEEN, come_in, look, open_parts, open_store
from tests.short import few

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

LAPTOP = {"width": 1366, "height": 768}
LOOKS = {
    "light": {"color_scheme": "light", "viewport": LAPTOP},
    "dark": {"color_scheme": "dark", "viewport": LAPTOP},
    "narrow": {"color_scheme": "light", "viewport": {"width": 320, "height": 640}},
    "zoomed": {"viewport": {"width": 683, "height": 384}, "device_scale_factor": 2},
}
"""Zoomed: at 200 % a laptop's window has half as many pixels of CSS each way."""


@pytest.mark.parametrize("seen", few(LOOKS))
def test_nothing_hinders_organisers(
    browser: Browser, tmp_path: Path, long_form: bool, record_property, seen: str
):
    barriers, views = {}, 0
    with open_store(None, tmp_path) as (server, enter, _):
        page = come_in(browser, server, enter, **LOOKS[seen])
        for path in SEEN:
            look(page, server, path)
            views += 1
            if found := find_barriers(page):
                barriers[path] = found
            for part in open_parts(page) if long_form else ():
                views += 1
                if found := find_barriers(page):
                    barriers[f"{path}, part {part}"] = found
        page.context.close()
    record_property("counts", f"{views} views, barriers on {len(barriers)}")
    assert not barriers


@pytest.mark.parametrize("seen", few(LOOKS))
def test_nothing_hinders_assessors(browser: Browser, tmp_path: Path, seen: str):
    barriers = {}
    with open_store(None, tmp_path) as (server, _, _):
        page = browser.new_context(**LOOKS[seen]).new_page()
        page.goto(server.address)
        barriers["entry"] = find_barriers(page)
        page.get_by_role("button", name="Judge as an assessor").click()
        expect(judge_screen(page)).to_be_visible()
        barriers["start card"] = find_barriers(page)
        begin(page)
        barriers["judge"] = find_barriers(page)
        for path in ("history", "account"):
            look(page, server, path)
            barriers[path] = find_barriers(page)
        page.context.close()
    assert not {place: found for place, found in barriers.items() if found}
