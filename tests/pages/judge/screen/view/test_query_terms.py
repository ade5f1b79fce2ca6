"""Where a text has the words of a query: on the screen as in frames, which the server marks."""

import re

import pytest

from pages.shared.highlight import list_words, mark_terms, match_words
from tests.pages.judge.screen.conftest import Run
from tests.pages.judge.screen.view.hits import HITS

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("query", "text", "hits"), HITS)
def test_query_terms_are_found(run: Run, query: str, text: str, hits: list[str]):
    script = """const [text, matching] = given;
        return findHits(text, readTerms(matching)).map(([a, b]) => text.slice(a, b))"""
    given = [text, match_words(query, list_words([text, "another catfish"]))]
    assert run("view/query_terms.js", script=script, given=given) == hits
    assert re.findall("<mark>(.*?)</mark>", mark_terms(text, query)) == hits


def test_without_word_of_the_server_nothing_is_found(run: Run):
    script = "return findHits(given, readTerms(undefined))"
    assert run("view/query_terms.js", script=script, given="cats 東京") == []
