"""No assessor is kept out: axe-core finds nothing, at any width, in either theme."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import SEATS, find_barriers
from tests.browser.conftest import begin, judge_screen
from tests.browser.test_german import LESSONS
from tests.browser.views import look, open_store
from tests.short import few

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]


@pytest.mark.parametrize("seen", few(SEATS))
def test_nothing_hinders_assessors(
    browser: Browser, tmp_path: Path, long_form: bool, record_property, seen: str
):
    barriers = {}
    with open_store(None, tmp_path) as (server, _, _):
        page = browser.new_context(**SEATS[seen]).new_page()
        page.goto(server.address)
        barriers["entry"] = find_barriers(page)
        page.get_by_role("button", name="Judge as an assessor").click()
        expect(judge_screen(page)).to_be_visible()
        barriers["start card"] = find_barriers(page)
        begin(page)
        barriers["judge"] = find_barriers(page)
        for path in ("history", "account", *LESSONS) if long_form else ("history",):
            look(page, server, path)
            barriers[path] = find_barriers(page)
        page.context.close()
    record_property("counts", f"{len(barriers)} views, {sum(map(len, barriers.values()))} barriers")
    assert [f"{place}: {one}" for place, found in barriers.items() for one in found] == []
