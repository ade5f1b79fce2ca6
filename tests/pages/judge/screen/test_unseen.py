"""What is heard and not seen, by one rule: the meanings of levels in windows without room."""

import pytest
from playwright.sync_api import Page

from pages.judge.screen_files import read_styles

LEVELS = """
<style>.root { container-type: inline-size }</style><style>%s</style>
<div class="root"><div class="judge"><p class="unseen">heard</p><div class="levels">
<button><kbd>1</kbd><b>No</b><span class="meaning">of no use</span></button>
<button><kbd>2</kbd><b>Yes</b><span class="meaning end">of use</span></button></div></div></div>"""
WIDTHS = "nodes => nodes.map(one => one.getBoundingClientRect().width > 1)"


@pytest.mark.parametrize(
    ("size", "seen"),
    [
        ((700, 900), [False, True, True]),
        ((390, 844), [False, False, True]),
        ((1300, 900), [False, False, True]),
        ((700, 450), [False, False, False]),
    ],
    ids=["middle", "phone", "wide", "low"],
)
def test_meanings_are_seen_where_there_is_room_and_heard_everywhere(page: Page, size, seen):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.set_content(LEVELS % read_styles())
    assert page.eval_on_selector_all(".unseen, .meaning", WIDTHS) == seen
    names = page.get_by_role("button").evaluate_all("nodes => nodes.map(one => one.textContent)")
    assert names == ["1Noof no use", "2Yesof use"]
    assert page.get_by_role("button", name="of no use").count() == 1, "it is in the button's name"
