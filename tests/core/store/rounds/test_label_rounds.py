"""Each label belongs to the round that it was given in."""

import uuid
from dataclasses import replace

import pytest

from core.analysis.base.labels import labels_by_round, round_names
from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import QrelsChoice, list_choices, version_of
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.reports.user_model import usual_model
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.rounds.label_rounds import read_labels_by_round
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.short import long

FILES = {
    "topics": "t1\tfirst\n",
    "documents": "id\ttitle\ttext\nd1\tOne\tText\nd2\tTwo\tText\n",
    "results": "topic\tengine\tdocument\trank\tsnippet\nt1\te1\td1\t1\ta\nt1\te1\td2\t2\tb\n",
    "labels": "assessor\ttopic\tdocument\tlevel\nold\tt1\td1\t3\n",
}
PAGES = Plan(judges=1, flow="page only")


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


@pytest.fixture
def opened(store: Store) -> tuple[Store, str]:
    collection_id = create_collection(store, "Small")
    for kind, text in FILES.items():
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        imported = read_import(kind, Source(f"{kind}.tsv", text.encode()), **options)
        write_import(store, collection_id, imported)
    for name in ("anna", "bob"):
        add_member(store, collection_id, name, name.title())
    return store, collection_id


def judge(store, collection_id, assessor, document, level=1, facet="page", before=None):
    key = Key("t1", document, facet, "e1" if facet == "snippet" else "", assessor, 0)
    event = LabelEvent(str(uuid.uuid4()), before, key, "level", level)
    store.labels.append(collection_id, [event])
    return event.event_id


def rounds_of(store, collection_id):
    labels = read_labels_by_round(store, collection_id)
    return {
        (row.assessor_id, row.document_id, row.facet): row.round_id for row in labels.itertuples()
    }


def test_a_label_is_of_the_round_that_was_open_when_it_was_given(opened):
    store, collection_id = opened
    first = open_round(store, collection_id, replace(PAGES, assessors=("anna",)))
    event = judge(store, collection_id, "anna", "d1")
    close_round(store, first, closed=True)
    second = open_round(store, collection_id, replace(PAGES, assessors=("anna",)))
    judge(store, collection_id, "anna", "d2")
    judge(store, collection_id, "anna", "d1", 0, before=event)  # a revision stays where it was
    assert rounds_of(store, collection_id) == {
        ("anna", "d1", "page"): first,
        ("anna", "d2", "page"): second,
        ("old", "d1", "page"): "",
    }


@long
def test_of_two_open_rounds_it_is_of_the_one_that_handed_it_out(opened):
    store, collection_id = opened
    first = open_round(store, collection_id, replace(PAGES, assessors=("anna",)))
    second = open_round(store, collection_id, replace(PAGES, assessors=("bob",)))
    judge(store, collection_id, "anna", "d1")
    judge(store, collection_id, "bob", "d1")
    found = rounds_of(store, collection_id)
    assert (found["anna", "d1", "page"], found["bob", "d1", "page"]) == (first, second)
    # The slot goes to somebody else; without a holder the label stays with a round that asked.
    store.database.run("UPDATE slots SET assessor_id = NULL")
    assert rounds_of(store, collection_id)["anna", "d1", "page"] == first


@long
def test_a_round_that_does_not_ask_for_a_facet_has_no_label_of_it(opened):
    store, collection_id = opened
    open_round(store, collection_id, replace(PAGES, assessors=("anna",)))
    both = open_round(store, collection_id, Plan(judges=1, assessors=("bob",)))
    judge(store, collection_id, "anna", "d1", facet="snippet")
    assert rounds_of(store, collection_id)["anna", "d1", "snippet"] == both


def two_rounds(store, collection_id):
    """Judge the same two documents in two rounds, by different people."""
    rounds = []
    for name, level in (("anna", 1), ("bob", 2)):
        plan = replace(PAGES, name=f"Of {name}", assessors=(name,))
        rounds.append(open_round(store, collection_id, plan))
        for document in ("d1", "d2"):
            judge(store, collection_id, name, document, level)
        close_round(store, rounds[-1], closed=True)
    return rounds


@long
@pytest.mark.parametrize("is_masked", [False, True])
def test_versions_may_take_the_labels_of_some_rounds(opened, is_masked):
    store, collection_id = opened
    first, second = two_rounds(store, collection_id)
    study = Study(store, collection_id, is_masked)

    def levels(*rounds):
        rule = QrelsRule("x", rounds=rounds)
        return version_of(study, QrelsChoice("x", rule)).frame["level"].tolist()

    assert levels() == [3, 2]
    assert levels(first) == [1, 1]
    assert levels(second) == [2, 2]
    assert levels(first, second) == [2, 2]


@long
def test_a_version_for_each_of_several_rounds_is_on_offer(opened):
    store, collection_id = opened
    first, second = two_rounds(store, collection_id)
    study = Study(store, collection_id, False)
    choices = list_choices(study, "page", usual_model([0, 1, 2, 3], 3, 1))
    assert choices["round Of anna, maximum"].rule.rounds == (first,)
    assert choices["round Of bob, maximum"].rule.rounds == (second,)
    assert set(labels_by_round(study)["round_id"]) == {"", first, second}


@long
def test_one_round_is_no_choice_and_names_are_told_apart(opened):
    store, collection_id = opened
    first = open_round(store, collection_id, PAGES)
    judge(store, collection_id, "anna", "d1")
    study = Study(store, collection_id, False)
    model = usual_model([0, 1, 2, 3], 3, 1)
    assert not [one for one in list_choices(study, "page", model) if one.startswith("round ")]
    assert round_names(study) == {first: "Round 1"}
    second = open_round(store, collection_id, PAGES)
    assert round_names(study) == {
        first: f"Round 1 ({first})",
        second: f"Round 1 ({second})",
    }
    assert not [one for one in list_choices(study, "page", model) if one.startswith("round ")]
