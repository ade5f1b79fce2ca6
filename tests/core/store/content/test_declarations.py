"""What a study declares is kept and changed, and each change is on record."""

import pytest

from core.store.content.collections import create_collection
from core.store.content.declarations import (
    NEW_STUDY,
    Declaration,
    find_declaration,
    set_declaration,
)
from core.store.store import Store


def test_a_new_study_declares_what_studies_begin_with(store: Store):
    made = create_collection(store, "mine")
    assert find_declaration(store, made) == NEW_STUDY
    rows = store.cursor().execute("SELECT detail FROM changes WHERE what = 'create'").fetchall()
    assert [NEW_STUDY.version in detail for (detail,) in rows] == [True]


def test_a_study_that_has_declared_nothing_is_as_it_was(store: Store):
    older = create_collection(store, "mine")
    store.cursor().execute("DELETE FROM declarations")
    found = find_declaration(store, older)
    assert found == Declaration("", "nDCG@10", "all, maximum", 3, 1, 0.05, "", ())


def test_it_is_kept_changed_and_on_record(store: Store):
    here, other = create_collection(store, "mine"), create_collection(store, "yours")
    wanted = Declaration("page", "AP", "all, median", 5, 2, 0.01, "bm25", ("t1", "t2"))
    set_declaration(store, here, wanted, "o1")
    set_declaration(store, here, wanted, "o1")
    assert find_declaration(store, here) == wanted
    assert find_declaration(store, other) == NEW_STUDY
    set_declaration(store, here, Declaration("page", "AP", "all, median", 5, 2, 0.01, "bm25"))
    rows = store.cursor().execute("SELECT detail FROM changes WHERE subject = 'declaration'")
    first, second = [detail for (detail,) in rows.fetchall()]
    assert first == (
        'facet: "" → "page"; measure: "nDCG@10" → "AP"; '
        'version: "all, median, in whole levels" → "all, median"; '
        'users: 3 → 5; at_least: 1 → 2; alpha: 0.05 → 0.01; baseline: "" → "bm25"; '
        'topics: [] → ["t1", "t2"]'
    )
    assert second == 'topics: ["t1", "t2"] → []'


@pytest.mark.parametrize("one", [Declaration(), Declaration(topics=("t1",), alpha=0.1)])
def test_it_reads_as_it_was_written(one: Declaration):
    assert Declaration.from_dict(one.to_dict()) == one
