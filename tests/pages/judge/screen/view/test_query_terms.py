"""Where a text has the words of a query."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("query", "text", "hits"),
    [
        ("best cat food", "Cats eat food; bests do not.", ["Cats", "food"]),
        ("cities", "A city, no citizen", ["city"]),
        ("البيت", "في بيت البيت", ["بيت", "البيت"]),
        ("東京", "新東京駅", ["東京"]),
        ("the of", "the of the", []),
        ("café", "Cafe and CAFÉS", ["Cafe", "CAFÉS"]),
        ("a+b (c", "a+b (c", []),
    ],
)
def test_query_terms_are_found(run: Run, query: str, text: str, hits: list[str]):
    script = """const [query, text] = given;
        return findHits(text, queryTerms(query)).map(([a, b]) => text.slice(a, b))"""
    assert run("view/query_terms.js", script=script, given=[query, text]) == hits
