"""Deciding disagreements: events of their own that nothing else reads."""

import uuid

import pytest

from core.assessment.adjudication import LONGEST_REASON, adjudicate
from core.errors import BadInput, NotAllowed, NotFound
from core.store.content.collections import close_collection
from core.store.events.adjudications import last_label_event, read_adjudications
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import add_person
from tests.each import each
from tests.short import long


def judge(small, assessor, level, document="t1d1", **other):
    key = Key("t1", document, "page", "", assessor, other.pop("occasion", 0))
    (receipt,) = small.store.labels.append(
        small.collection_id,
        [
            LabelEvent(
                str(uuid.uuid4()), other.pop("supersedes", None), key, "level", level, **other
            )
        ],
    )
    return receipt


@pytest.fixture
def olga(small):
    """An organiser, in a collection where two assessors disagree."""
    judge(small, "anna", 0)
    judge(small, "bob", 3)
    return add_person(small.store, "Olga", "organiser")


def item(person, document="t1d1"):
    return Key("t1", document, "page", "", person, 0)


def decisions(small, **options):
    return read_adjudications(small.store, small.collection_id, **options)


def test_a_decision_is_kept_apart_from_labels(small, olga):
    before = read_labels(small.store, small.collection_id)
    receipt = adjudicate(small.store, small.collection_id, item(olga), 2, " The title says it. ")
    assert read_labels(small.store, small.collection_id).equals(before)
    row = decisions(small).iloc[0]
    assert (row["level"], row["assessor_id"], row["sequence"]) == (2, olga, receipt.sequence)
    assert row["comment"] == "The title says it."
    events = small.store.cursor().execute("SELECT source FROM labels ORDER BY sequence").fetchall()
    assert events == [("judged",), ("judged",), ("adjudicated",)]


def test_the_latest_decision_holds_and_can_be_taken_back(small, olga):
    otto = add_person(small.store, "Otto", "organiser")
    here = small.store, small.collection_id
    first = adjudicate(*here, item(olga), 2)
    adjudicate(*here, item(otto), 1)
    assert decisions(small)["level"].tolist() == [1]
    adjudicate(*here, item(olga), 4)
    row = decisions(small).iloc[0]
    assert (row["level"], row["given_level"]) == (3, 4)
    adjudicate(*here, item(olga), None)
    assert decisions(small).empty
    assert decisions(small, until=first.sequence)["level"].tolist() == [2]


@long
def test_somebody_who_judges_and_decides_has_both(small, olga):
    mine = judge(small, olga, 1)
    adjudicate(small.store, small.collection_id, item(olga), 3)
    again = judge(small, olga, 2, supersedes=mine.event_id)
    assert not again.stale
    labels = read_labels(small.store, small.collection_id, assessor_id=olga)
    assert labels["level"].tolist() == [2]
    assert decisions(small)["level"].tolist() == [3]


@long
def test_a_source_alone_keeps_an_event_out_of_the_labels(small, olga):
    judge(small, olga, 3, source="adjudicated")
    assert olga not in set(read_labels(small.store, small.collection_id)["assessor_id"])


def test_a_closed_collection_can_still_be_decided(small, olga):
    close_collection(small.store, small.collection_id, closed=True)
    adjudicate(small.store, small.collection_id, item(olga), 3)
    assert len(decisions(small)) == 1


@each(
    ("change", "error", "message"),
    [
        ({"level": 9}, BadInput, "9 is not on the page scale"),
        ({"reason": "x" * (LONGEST_REASON + 1)}, BadInput, "at most 4000"),
        ({"document": "t1d2"}, NotFound, "Nobody has judged"),
        ({"person": "anna"}, NotAllowed, "Only an organiser"),
    ],
)
def test_what_does_not_fit_is_refused(small, olga, change, error, message):
    given = {"person": olga, "document": "t1d1", "level": 2, "reason": "", **change}
    wanted = item(given["person"], given["document"])
    with pytest.raises(error, match=message):
        adjudicate(small.store, small.collection_id, wanted, given["level"], given["reason"])
    assert decisions(small).empty


def test_the_last_event_that_counts_leaves_out_what_no_version_uses(small, olga):
    here = small.store, small.collection_id
    assert last_label_event(*here) == 2
    judge(small, "anna", 2, occasion=-1)
    judge(small, "anna", 2)
    decided = adjudicate(*here, item(olga), 2)
    assert last_label_event(*here) == 2
    assert last_label_event(*here, adjudications=True) == decided.sequence == 5
    assert last_label_event(*here, 1, adjudications=True) == 1
    assert last_label_event(small.store, "elsewhere") == 0
