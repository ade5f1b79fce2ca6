"""Plain text as a page: what is wrapped and what stands as it was written."""

from pages.api.page import find_blocks, lay_out
from tests.each import each
from tests.pages.judge.screen.view.blocks import BLOCKS, CODE, PROSE


@each(("text", "blocks"), BLOCKS)
def test_its_blocks_are_those_of_the_judging_screen(text: str, blocks: list[tuple[str, bool]]):
    assert find_blocks(text) == blocks


def test_it_is_escaped_and_its_terms_are_marked():
    shown = lay_out(f"<b>Cats</b>\n\n{PROSE}\n\n{CODE}\n\n  cat & dog", "cats")
    assert "&lt;b&gt;<mark>Cats</mark>&lt;/b&gt;" in shown
    assert f'<pre dir="auto">\n{CODE.replace("cat", "<mark>cat</mark>")}\n\n  ' in shown
    assert "&amp; dog</pre>" in shown


def test_what_may_be_wider_than_a_window_is_reached_by_tab():
    assert '<pre dir="auto" tabindex="0">' in lay_out(f"{'Name':60}Age\n{'Mog':60}3", "")
    assert "tabindex" not in lay_out(CODE, "")
