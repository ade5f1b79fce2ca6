"""Which words have the stem of a query's, and marking them in HTML."""

import re

from pages.shared.highlight import list_words, mark_terms, match_words
from tests.each import each
from tests.pages.judge.screen.view.hits import HITS


@each(
    ("document", "query", "marked"),
    [
        ("<p>cat of</p>", "cats of", "<p><mark>cat</mark> of</p>"),
        ("<p>Cats, cat.</p>", "cat", "<p><mark>Cats</mark>, <mark>cat</mark>.</p>"),
        ("<a href='cat'>x</a>", "cat", "<a href='cat'>x</a>"),
        ("<style>cat{}</style>cat", "cat", "<style>cat{}</style><mark>cat</mark>"),
        ("<!-- cat -->concat", "cat", "<!-- cat -->concat"),
        ("&cat; a", "cat", "&cat; a"),
        ("في المنزل", "المنزل", "في <mark>المنزل</mark>"),
        ("a.b axb", "a.b", "a.b axb"),
        ("cat", "", "cat"),
    ],
)
def test_terms_are_marked_in_text_only(document: str, query: str, marked: str):
    assert mark_terms(document, query) == marked


@each(("query", "text", "hits"), HITS)
def test_words_with_the_stem_of_a_query_are_marked(query: str, text: str, hits: list[str]):
    marked = mark_terms(text, query)
    assert re.findall("<mark>(.*?)</mark>", marked) == hits
    assert marked.replace("<mark>", "").replace("</mark>", "") == text


def test_words_are_named_as_they_stand_in_texts():
    words = list_words(["Cats, a cat's", "concat 東京駅"])
    assert match_words("the cats", words) == {"words": ["Cats", "cat"], "parts": []}
    assert match_words("東京 of", words) == {"words": [], "parts": ["東京"]}
    assert match_words("of", words) == {"words": [], "parts": []}
