"""The keys work after a click into a page frame."""

import pytest
from playwright.sync_api import Page

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

SETUP = """
document.body.innerHTML = `<button>Before</button>
  <iframe sandbox="" srcdoc="<a href='#'>Link</a>"></iframe>`;
keepFocus(document, new AbortController().signal);
window.isOver = false;
window.addEventListener("blur", () => setTimeout(() => (isOver = true), 200));
"""
FOCUSED = "document.activeElement.tagName"


def test_a_click_into_a_frame_gives_the_focus_back(blank: Page, run: Run):
    run("window/window.js", script=SETUP)
    blank.locator("iframe").click()
    blank.wait_for_function(f"{FOCUSED} !== 'IFRAME'")


def test_a_frame_entered_by_keyboard_keeps_the_focus(blank: Page, run: Run):
    run("window/window.js", script=SETUP)
    blank.locator("button").focus()
    blank.keyboard.press("Tab")
    blank.wait_for_function("window.isOver")
    assert blank.evaluate(FOCUSED) == "IFRAME"
