"""Where a text has the words of a query."""

import pytest

from tests.pages.judge.screen.conftest import Run
from tests.pages.judge.screen.view.hits import HITS

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("query", "text", "hits"), HITS)
def test_query_terms_are_found(run: Run, query: str, text: str, hits: list[str]):
    script = """const [query, text] = given;
        return findHits(text, queryTerms(query)).map(([a, b]) => text.slice(a, b))"""
    assert run("view/query_terms.js", script=script, given=[query, text]) == hits
