"""What is kept of a study: once for each state, choices by place, masked apart."""

import uuid

import pytest

from core.analysis.base.study import (
    Study,
    facets_of,
    follows_facet,
    follows_labels,
    has_snippets,
    stands_apart_from_labels,
)
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import PAGE, SNIPPET
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member

COMPUTED: list[tuple[str, str]] = []


@follows_labels
def moving(study: Study, choice: str) -> str:
    COMPUTED.append(("moving", choice))
    return choice


@stands_apart_from_labels
def standing(study: Study, choice: str) -> str:
    COMPUTED.append(("standing", choice))
    return choice


@follows_facet
def moving_by_facet(study: Study, facet: str) -> str:
    COMPUTED.append(("facet", facet))
    return facet


def label(
    store, collection_id: str, facet: str, level: int | None, before: str | None, source: str
) -> str:
    """Store a label in place of the one before; returns its id."""
    key, made = Key("t", "d", facet, "", "anna", 0), str(uuid.uuid4())
    state = "cannot judge" if level is None else "level"
    event = LabelEvent(made, before, key, state, level, source=source)
    store.labels.append(collection_id, [event])
    return made


def test_labels_of_a_facet_move_what_follows_it_and_nothing_else_does(store):
    collection_id = create_collection(store, "Small")

    def count() -> list[str]:
        COMPUTED.clear()
        for facet in ("page", "snippet"):
            moving_by_facet(Study(store, collection_id, is_masked=False), facet)
        return [facet for _, facet in COMPUTED]

    assert count() == ["page", "snippet"]
    last = None
    for level, source in ((1, "import"), (1, "judged"), (2, "judged"), (None, "judged")):
        last = label(store, collection_id, "page", level, last, source)
        assert count() == ["page"], (level, source)
        assert count() == []
    label(store, collection_id, "snippet", 1, None, "judged")
    assert count() == ["snippet"]
    add_member(store, collection_id, "bob", "Bob")  # as any change
    assert count() == ["page", "snippet"]


def test_labels_move_what_follows_them_only(store):
    collection_id = create_collection(store, "Small")
    COMPUTED.clear()
    for _ in range(2):
        study = Study(store, collection_id, is_masked=False)
        assert (moving(study, "a"), standing(study, "a")) == ("a", "a")
    key = Key("t", "d", "page", "", "anna", 0)
    store.labels.append(collection_id, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])
    later = Study(store, collection_id, is_masked=False)
    assert (moving(later, "a"), standing(later, "a")) == ("a", "a")
    assert COMPUTED == [("moving", "a"), ("standing", "a"), ("moving", "a")]


def test_who_may_not_see_names_gets_nothing_kept_for_others(store):
    collection_id = create_collection(store, "Small")
    COMPUTED.clear()
    for is_masked in (False, True, False):
        moving(Study(store, collection_id, is_masked=is_masked), "a")
    assert len(COMPUTED) == 2


def test_choices_are_given_by_place(store):
    study = Study(store, create_collection(store, "Small"), is_masked=False)
    with pytest.raises(TypeError, match="choice"):
        moving(study, choice="a")
    with pytest.raises(TypeError, match="is_masked"):
        Study(store, "c")


HEADER = "assessor\ttopic\tdocument\tengine\tfacet\tlevel\n"


@pytest.fixture
def made(store):
    return Study(store, create_collection(store, "Some"), is_masked=False)


def bring(study: Study, kind: str, text: str) -> Study:
    options = {"scales": get_scales(study.store, study.collection_id)} if kind == "labels" else {}
    read = read_import(kind, Source(f"{kind}.txt", text.encode()), **options)
    write_import(study.store, study.collection_id, read)
    return Study(study.store, study.collection_id, is_masked=False)


def test_both_may_come_while_nothing_is_there(made):
    assert facets_of(made) == [PAGE, SNIPPET]
    assert not has_snippets(made)


def test_labels_of_pages_alone_leave_snippets_out_until_there_are_some(made):
    study = bring(made, "labels", f"{HEADER}a\tt\td\t\tpage\t2\n")
    assert facets_of(study) == [PAGE]
    results = "topic\tengine\tdocument\trank\tsnippet\nt\te\td\t1\tSeen\n"
    study = bring(study, "results", results)
    assert has_snippets(study)
    assert facets_of(study) == [PAGE, SNIPPET]


def test_labels_of_snippets_need_no_results(made):
    study = bring(made, "labels", f"{HEADER}a\tt\td\te\tsnippet\t2\n")
    assert facets_of(study) == [PAGE, SNIPPET]
