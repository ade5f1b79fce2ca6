"""A page that is drawn again while people judge stays where it is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import judge_screen, settle
from tests.browser.running import Running

pytestmark = pytest.mark.browser

_WATCH = """() => {
  window.moved = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.moved += entry.value;
  }).observe({type: 'layout-shift'});
}"""
_MAIN = "document.querySelector('[data-testid=stMain]')"


def test_nothing_moves_and_no_scroll_is_lost_while_labels_come(
    page: Page, run_server: Callable[[Path | None], Running]
):
    server = run_server(None)
    assert page.context.browser is not None
    judge = page.context.browser.new_context().new_page()
    judge.goto(server.address)
    judge.get_by_role("button", name="Judge as an assessor").click()
    expect(judge_screen(judge)).to_be_visible()
    page.goto(server.address)
    page.get_by_role("button", name="Watch as an organiser").click()
    answer = page.locator(".st-key-answer")
    expect(answer).to_contain_text("judgements")
    settle(page)
    before = answer.inner_text()
    page.evaluate(f"() => {_MAIN}.scrollTo(0, 260)")
    page.wait_for_timeout(500)
    scrolled = page.evaluate(f"() => {_MAIN}.scrollTop")
    assert scrolled > 0
    page.evaluate(_WATCH)
    judge.keyboard.press("2")
    expect(answer).not_to_have_text(before)
    settle(page)
    page.wait_for_timeout(500)
    assert page.evaluate(f"() => {_MAIN}.scrollTop") == scrolled
    assert page.evaluate("window.moved") == 0
    judge.context.close()
