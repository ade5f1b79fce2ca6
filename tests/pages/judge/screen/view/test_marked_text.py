"""Places in the document and places in the text, and sentences."""

from typing import Any

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILES = ("view/marked_text.js", "view/fill_text.js", "view/query_terms.js")
TEXT = "One 😀 cat.  Two\ncats.\n\n \n  Three <i>cats</i>.  \n\n\nFour."
SETUP = """
const host = document.body.appendChild(document.createElement("div"));
const tree = given.isShadow ? host.attachShadow({mode: "open"}) : host;
const holder = tree.appendChild(document.createElement("div"));
fillParagraphs(holder, given.text, readTerms({words: ["cat", "cats"], parts: []}));
const blocks = findBlocks(given.text).map(({ at }, i) => ({ at, node: holder.children[i] }));
const marked = new MarkedText(given.text, blocks);
const drawn = () => {
  const found = {};
  for (const one of holder.querySelectorAll("u.decided")) {
    found[one.dataset.number] = (found[one.dataset.number] ?? "") + one.textContent;
  }
  return Object.values(found);
};
"""


def mark(run: Run, script: str, text: str = TEXT, *, is_shadow: bool = False, **given: Any) -> Any:
    values = {"text": text, "isShadow": is_shadow, **given}
    return run(*FILES, script=SETUP + script, given=values)


def test_blocks_are_where_they_stand_in_the_text(run: Run):
    script = """return findBlocks(given)
        .map(({ at, block }) => [at, block, given.slice(at).startsWith(block)])"""
    found = run("view/fill_text.js", script=script, given=TEXT)
    assert [block for _, block, _ in found] == [
        "One 😀 cat.  Two\ncats.",
        "  Three <i>cats</i>.",
        "Four.",
    ]
    assert all(is_there for _, _, is_there in found)


@pytest.mark.parametrize("is_shadow", [False, True])
def test_what_is_selected_counts_in_code_points_over_paragraphs(run: Run, is_shadow: bool):
    script = """
    const [first, , last] = holder.children;
    document.getSelection().setBaseAndExtent(first.firstChild, 4, last.firstChild, 4);
    const span = marked.selected();
    return [span, marked.read(span)]"""
    span, words = mark(run, script, is_shadow=is_shadow)
    assert "".join([*TEXT][slice(*span)]) == words
    assert words.startswith("😀 cat.")
    assert words.endswith("Four")


def test_space_at_the_ends_of_a_selection_is_none_of_it(run: Run):
    script = """
    const whole = document.createRange(); whole.selectNodeContents(document.body);
    document.getSelection().removeAllRanges(); document.getSelection().addRange(whole);
    const all = marked.read(marked.selected());
    const last = holder.children[0].lastChild;
    document.getSelection().setBaseAndExtent(last, 0, last, 0);
    return [all, marked.selected()]"""
    words, nothing = mark(run, script)
    assert words == TEXT.strip()
    assert nothing is None


def test_what_is_selected_elsewhere_is_not_in_the_text(run: Run):
    script = """
    const other = document.body.appendChild(document.createElement("p"));
    other.textContent = "Other words";
    document.getSelection().selectAllChildren(other);
    return marked.selected()"""
    assert mark(run, script) is None


@pytest.mark.parametrize("words", ["cat", "😀 cat.  Two\ncats.", "ne 😀", "ats</i>.  \n\n\nFo"])
def test_marks_are_drawn_over_words_of_the_query_and_taken_away_whole(run: Run, words: str):
    start = [*TEXT].index(words[0]) if words[0] == "😀" else TEXT[: TEXT.index(words)]
    first = start if isinstance(start, int) else len(start)
    script = """
    const before = holder.innerHTML;
    marked.draw([given.span]);
    const found = drawn();
    const text = [...holder.children].map((one) => one.textContent);
    marked.draw([given.span]); const again = drawn();
    marked.draw([]);
    const hits = holder.querySelectorAll("mark").length;
    return [found, again, holder.innerHTML === before, text, hits]"""
    span = [first, first + len(words)]
    found, again, is_clean, texts, hits = mark(run, script, span=span)
    assert "".join(found[0].split()) == "".join(words.split())
    assert again == found
    assert is_clean
    assert texts == ["One 😀 cat.  Two\ncats.", "  Three <i>cats</i>.", "Four."]
    assert hits == 3


def test_each_of_several_marks_is_itself(run: Run):
    script = "marked.draw([[0, 3], [3, 9], [15, 18]]); return drawn()"
    assert mark(run, script) == ["One", " 😀 cat", "\nca"]


def test_a_sentence_is_selected_as_if_by_hand(run: Run):
    script = """
    const scroller = document.body.appendChild(document.createElement("div"));
    return marked.findAll("en").map((one) => {
      marked.select(one, scroller);
      return [marked.read(one), JSON.stringify(marked.selected()) === JSON.stringify(one)];
    })"""
    assert mark(run, script) == [
        ["One 😀 cat.", True],
        ["Two\ncats.", True],
        ["Three <i>cats</i>.", True],
        ["Four.", True],
    ]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two? Three!", ["One.", "Two?", "Three!"]),
        ("  Cats sit\non mats. ", ["Cats sit\non mats."]),
        ("猫がいた。犬も。", ["猫がいた。", "犬も。"]),
        ("No end", ["No end"]),
        (" \n ", []),
        ("", []),
    ],
)
def test_sentences(run: Run, text: str, sentences: list[str]):
    script = "return findSentences(given, 'en').map(([from, to]) => given.slice(from, to))"
    assert run("view/marked_text.js", script=script, given=text) == sentences
    without = "Object.defineProperty(Intl, 'Segmenter', {value: undefined, configurable: true});"
    assert run("view/marked_text.js", script=without + script, given=text) == sentences
