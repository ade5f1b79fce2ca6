"""Somebody who knows nothing of the demo finds the answers by what stands on the screen."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.running import Running
from tests.short import long

pytestmark = pytest.mark.browser

MOST_CLICKS = 3


class Newcomer:
    """Clicks on texts that are seen, and counts how often."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, text: str) -> None:
        self.page.get_by_text(text, exact=True).first.click()
        self.clicks += 1

    def reads(self, text: str) -> None:
        """Expect a text on the screen, after few clicks; then the next question is asked."""
        expect(self.page.get_by_text(text).first).to_be_in_viewport()
        assert self.clicks <= MOST_CLICKS
        self.clicks = 0


@long
def test_three_questions_are_answered_in_three_clicks_each(
    page: Page, run_server: Callable[[Path | None], Running]
):
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(run_server(None).address)
    newcomer = Newcomer(page)
    newcomer.click("Watch as an organiser")
    newcomer.reads("judgements; ")  # when is it done?
    newcomer.reads("Needs attention")  # who needs help?
    newcomer.click("People")
    newcomer.click("Quality")
    newcomer.reads("simulated-1")
    newcomer.click("Results")
    newcomer.reads("shown to be worse")  # who is best, and is it sure?
