"""A page that is drawn again while people judge stays where it is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.running import Running
from tests.short import long

pytestmark = pytest.mark.browser

_WATCH = """() => {
  window.moved = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.moved += entry.value;
  }).observe({type: 'layout-shift'});
}"""
_MAIN = "document.querySelector('[data-testid=stMain]')"


@long
def test_nothing_moves_and_no_scroll_is_lost_while_labels_come(
    page: Page, run_server: Callable[[Path | None], Running]
):
    page.goto(run_server(None).address)
    page.get_by_role("button", name="Watch as an organiser").click()
    answer = page.locator(".st-key-answer")
    expect(answer).to_contain_text("judgements")
    before = answer.inner_text()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(answer).not_to_have_text(before)
    page.evaluate(f"() => {_MAIN}.scrollTo(0, 260)")
    page.wait_for_timeout(1000)  # what follows a press of a button is not counted
    scrolled = page.evaluate(f"() => {_MAIN}.scrollTop")
    assert scrolled > 0
    page.evaluate(_WATCH)
    for _ in range(2):
        before = answer.inner_text()
        expect(answer).not_to_have_text(before)
    assert page.evaluate(f"() => {_MAIN}.scrollTop") == scrolled
    assert page.evaluate("window.moved") == 0
