"""The page Glossary: every term, and a search in them."""

import pytest

from core.glossary import GLOSSARY, Term
from core.language.translate import speaking
from core.store.people.people import add_person
from pages.learn.glossary import find_terms
from pages.shared.navigation import PAGES
from tests.pages.conftest import lasting_organiser, lasting_store
from tests.short import few

store, organiser = lasting_store, lasting_organiser


def search(at, text: str) -> list[str]:
    at.text_input(key="glossary-search").set_value(text).run()
    assert not at.exception
    return at.dataframe[0].value["term"].tolist() if at.dataframe else []


@pytest.mark.parametrize("role", few(["organiser", "assessor", "viewer"]))
def test_everybody_sees_every_term_with_meaning_and_source(open_page, store, role):
    at = open_page("glossary", add_person(store, f"{role} who reads", role))
    assert not at.exception
    (table,) = (one.value for one in at.dataframe)
    assert [Term(*row) for row in table.itertuples(index=False)] == list(GLOSSARY)


def test_a_search_looks_at_terms_meanings_and_sources(open_page, organiser):
    at = open_page("glossary", organiser)
    assert search(at, "NDCG") == ["inferred measure", "nDCG", "novelty"]
    assert search(at, "near misses") == ["AC1, AC2", "κ, weighted"]
    assert search(at, "misses near") == ["AC1, AC2", "κ, weighted"]
    assert search(at, "webber") == ["RBO"]
    assert len(search(at, "")) == len(GLOSSARY)


def test_in_german_it_is_found_by_words_of_both_languages():
    with speaking("de"):
        assert [one.term for one in find_terms("knapp daneben")] == ["AC1, AC2", "κ, gewichtet"]
        assert [one.term for one in find_terms("misses near")] == ["AC1, AC2", "κ, gewichtet"]
        (found,) = find_terms("goldurteil")
        assert found.meaning.startswith("Eine Stufe, die für einige Stücke im Voraus bekannt ist")
        assert [one.term for one in find_terms("beurteilende zu einer sammlung")] == ["assessor"]
        assert len(find_terms("")) == len(GLOSSARY)


def test_a_search_that_finds_nothing_says_so(open_page, organiser):
    at = open_page("glossary", organiser)
    assert search(at, "zebra") == []
    assert [one.value for one in at.info] == ["No term, meaning or source contains this."]


def test_it_comes_last_in_its_destination():
    assert [one.path for one in PAGES if one.destination == "Learn"][-1] == "glossary"
