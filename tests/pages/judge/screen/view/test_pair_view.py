"""Two things side by side."""

import pytest
from playwright.sync_api import Page

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILES = ("view/pair_view.js", "view/dom.js", "view/query_terms.js")
MARKUP = '<img src=x onerror="window.hurt = 1">cats'
SETUP = """
document.body.innerHTML = await (await fetch("/screen/screen.html")).text();
const refs = findRefs(document.querySelector(".judge"));
const pair = new PairView(refs);
const terms = readTerms({words: ["cats"], parts: []});
"""


def test_cards_are_texts_and_sandboxed_frames(blank: Page, run: Run):
    script = """const sides = [[{title: given, text: given, url: given}],
          [{title: given, frame: "/page.1.x"}]];
        pair.kept.texts.set("/page", "<p>Cats</p>");
        pair.render({facet: "page pair", sides}, terms);
        const frame = refs.right.querySelector("iframe");
        return [refs.left.textContent, refs.pair.querySelectorAll("img, script").length,
          frame.getAttribute("sandbox"), frame.title]"""
    text, harmful, sandbox, title = run(*FILES, script=SETUP + script, given=MARKUP)
    assert text == MARKUP * 3
    assert (harmful, sandbox, title) == (0, "", f"Page: {MARKUP}")
    assert blank.evaluate("window.hurt === undefined")


def test_lists_say_what_both_have(run: Run):
    script = """const card = (title, shared) => ({title, text: "", shared});
        const sides = [[card("a", 2), card("b")], [card("c"), card("a", 1)]];
        pair.render({facet: "panel pair", sides}, terms);
        const shared = [...refs.pair.querySelectorAll(".shared")].map((one) => one.textContent);
        pair.render({facet: "page"}, terms);
        return [shared, refs.pair.hidden, refs.left.children.length]"""
    assert run(*FILES, script=SETUP + script) == [
        ["also right, number 2", "also left, number 1"],
        True,
        0,
    ]
