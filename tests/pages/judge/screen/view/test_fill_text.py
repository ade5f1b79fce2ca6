"""Texts of strangers on the page: text nodes, and nothing else."""

import pytest
from playwright.sync_api import Page

from tests.pages.judge.screen.conftest import Run
from tests.pages.judge.screen.view.blocks import BLOCKS, CODE

pytestmark = pytest.mark.browser

FILES = ("view/fill_text.js", "view/query_terms.js")
MARKUP = '<img src=x onerror="window.hurt = 1"><b>cats</b> &amp; </p><script>hurt = 1</script>'
NODE = "const node = document.body.appendChild(document.createElement('div'));"


def test_markup_stays_text(blank: Page, run: Run):
    script = """fillText(node, given, readTerms({words: ["cats"], parts: []}));
        return [node.textContent, [...node.querySelectorAll("*")].map((one) => one.outerHTML)]"""
    text, elements = run(*FILES, script=NODE + script, given=MARKUP)
    assert text == MARKUP
    assert elements == ["<mark>cats</mark>"]
    assert blank.evaluate("window.hurt === undefined")


def test_markup_in_a_query_is_not_markup_in_its_hits(run: Run):
    script = """fillText(node, given, readTerms({words: ["img", "onerror"], parts: []}));
        return [node.textContent, [...node.children].map((one) => one.outerHTML)]"""
    text, elements = run(*FILES, script=NODE + script, given=MARKUP)
    assert text == MARKUP
    assert elements == ["<mark>img</mark>", "<mark>onerror</mark>"]


def test_paragraphs_are_what_blank_lines_divide(run: Run):
    script = """fillParagraphs(node, " one\\nline \\n \\n<p>two</p>\\n\\n\\n", null);
        const shown = [...node.children].map((one) => [one.tagName, one.dir, one.textContent]);
        fillParagraphs(node, "", null);
        return [shown, node.children.length, node.hidden]"""
    assert run(*FILES, script=NODE + script) == [
        [["P", "auto", " one\nline"], ["P", "auto", "<p>two</p>"]],
        0,
        True,
    ]


def test_code_tables_and_poems_stay_as_they_are_and_paragraphs_wrap(run: Run):
    script = """return given.map((text) => findBlocks(text)
        .map(({ at, block, aligned }) => [block, aligned, text.slice(at, at + block.length)]))"""
    found = run("view/fill_text.js", script=script, given=[text for text, _ in BLOCKS])
    assert [[(block, aligned) for block, aligned, _ in one] for one in found] == [
        blocks for _, blocks in BLOCKS
    ]
    assert all(block == there for one in found for block, _, there in one)


def test_a_block_whose_lines_are_aligned_says_so(run: Run):
    script = """fillParagraphs(node, given, null);
        return [...node.children].map((one) => [one.className, one.textContent])"""
    assert run(*FILES, script=NODE + script, given=CODE) == [["aligned", CODE]]


@pytest.mark.parametrize(
    ("text", "direction"),
    [("Cats", "ltr"), ("12 עברית", "rtl"), ("Cats عربي", "ltr"), ("«عربي»", "rtl"), ("", "ltr")],
)
def test_the_direction_is_that_of_the_first_letter(run: Run, text: str, direction: str):
    assert run("view/fill_text.js", script="return directionOf(given)", given=text) == direction
