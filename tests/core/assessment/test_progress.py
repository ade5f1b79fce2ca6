"""Counting slots, labels and items by topic, by assessor and over time."""

import uuid

import pandas as pd
import pytest

from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.progress import (
    assessor_progress,
    judged_items,
    judged_times,
    labels_by_topic,
    read_slot_states,
    remarks,
)
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.store.events.current_labels import LATEST
from core.store.events.frames import read_labels, read_topics
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import drop_member, list_members
from tests.short import long


def judge(small, who, document, level, *, facet="page", engine="", occasion=0, dwell=0, **rest):
    state = "level" if level is not None else rest.pop("state", "cannot judge")
    key = Key(document[:2], document, facet, engine, who, occasion)
    event = LabelEvent(str(uuid.uuid4()), None, key, state, level, dwell, **rest)
    small.store.labels.append(small.collection_id, [event])


def frames(small):
    labels = read_labels(small.store, small.collection_id)
    return labels, read_slot_states(small.store, small.collection_id)


@pytest.fixture
def judged(small):
    judge(small, "anna", "t1d1", 2, dwell=4000)
    judge(small, "anna", "t1d2", 0, dwell=8000, comment="odd")
    judge(small, "anna", "t2d1", 1)
    judge(small, "anna", "t1d1", 1, occasion=1, dwell=6000)
    judge(small, "bob", "t1d1", 3)
    judge(small, "bob", "t1d2", None)
    judge(small, "bob", "t1d3", None, state="later")
    judge(small, "stray", "t1d1", 1, facet="snippet", engine="one")
    return small


def test_slots_are_read_in_every_state(small):
    open_round(small.store, small.collection_id, Plan(judges=2))
    mine = take_assignment(small.store, small.collection_id, "anna")
    finish_assignment(small.store, mine)
    take_assignment(small.store, small.collection_id, "bob")
    slots = frames(small)[1]
    assert slots["state"].value_counts().to_dict() == {"open": 4, "taken": 1, "finished": 1}
    assert not slots["closed"].any()
    close_round(small.store, mine.rules.round_id, closed=True)
    assert frames(small)[1]["closed"].all()


def test_a_topic_counts_items_once_and_imported_labels_apart(judged):
    judge(judged, "dan", "t1d3", 1, source="import")
    judge(judged, "dan", "x9d3", 1)
    labels = frames(judged)[0]
    topics = read_topics(judged.store, judged.collection_id)
    table = labels_by_topic(labels, judged_items(labels), topics)
    assert table["topic_id"].tolist() == ["t1", "t2", "t3", "x9"]
    assert table["query"].iloc[-1] == ""
    row = table.set_index("topic_id").loc["t1"]
    assert (row["labels"], row["imported"], row["items"]) == (6, 1, 4)
    assert (row["assessors"], row["cannot_judge"]) == (4, 1)
    empty = table.set_index("topic_id").loc["t3"]
    assert empty.drop("query").eq(0).all()


def test_assessors_have_a_pace_and_those_without_labels_a_row(judged):
    drop_member(judged.store, judged.collection_id, "dan")
    labels, slots = frames(judged)
    members = list_members(judged.store, judged.collection_id)
    table = assessor_progress(labels, slots, members).set_index("assessor_id")
    assert table["labels"].to_dict() == {"anna": 4, "bob": 1, "stray": 1, "carla": 0, "dan": 0}
    assert table.index[0] == "anna"
    assert table.loc["anna", "median_seconds"] == 6.0
    assert pd.isna(table.loc["bob", "median_seconds"])
    assert table.loc["anna", "topics"] == 2
    assert table.loc["bob", ["cannot_judge", "later"]].tolist() == [1, 1]
    assert table.loc["stray", "assessor"] == "stray"
    assert pd.isna(table.loc["carla", "last"])
    assert table.index[table["dropped"]].tolist() == ["dan"]


def test_assessors_count_their_slots(small):
    open_round(small.store, small.collection_id, Plan(judges=2))
    finish_assignment(small.store, take_assignment(small.store, small.collection_id, "anna"))
    take_assignment(small.store, small.collection_id, "anna")
    members = list_members(small.store, small.collection_id)
    row = assessor_progress(*frames(small), members).set_index("assessor_id").loc["anna"]
    assert (row["taken"], row["finished"]) == (1, 1)


def test_items_are_below_at_or_above_k(judged):
    judge(judged, "carla", "t1d1", 1)
    labels, _ = frames(judged)
    pages = judged_times(judged_items(labels), 2).query("facet == 'page'")
    assert pages["assessors"].tolist() == [1, 3]
    assert pages["items"].tolist() == [2, 1]
    assert pages["standing"].tolist() == ["below k", "surplus"]
    assert judged_times(judged_items(labels), 3)["standing"].tolist() == [
        "below k",
        "at k",
        "below k",
    ]


def test_without_labels_there_is_nothing_to_draw(small):
    labels, slots = frames(small)
    assert judged_times(judged_items(labels), 2).empty
    assert remarks(labels).empty
    assert (
        (assessor_progress(labels, slots, list_members(small.store, small.collection_id)))["labels"]
        .eq(0)
        .all()
    )


def test_remarks_are_comments_and_what_cannot_be_judged_latest_first(judged):
    table = remarks(frames(judged)[0])
    assert table["document_id"].tolist() == ["t1d2", "t1d2"]
    assert table["state"].tolist() == ["cannot judge", "level"]
    assert table["assessor"].tolist() == ["bob", "anna"]
    assert table["comment"].tolist() == ["", "odd"]
    assert table["given_level"].iloc[1] == 0


def test_remarks_name_strangers_by_their_id(small):
    judge(small, "stray", "t1d1", None)
    assert remarks(frames(small)[0])["assessor"].tolist() == ["stray"]


@long
def test_ids_may_be_categories(judged):
    labels, slots = frames(judged)
    topics = read_topics(judged.store, judged.collection_id)
    members = list_members(judged.store, judged.collection_id)
    coded = judged.store.current_labels.get(judged.collection_id, LATEST)
    assert coded["topic_id"].dtype == "category"

    def tables(rows: pd.DataFrame) -> list[pd.DataFrame]:
        items = judged_items(rows)
        return [
            items,
            labels_by_topic(rows, items, topics),
            assessor_progress(rows, slots, members),
            remarks(rows),
        ]

    for told, expected in zip(tables(coded), tables(labels), strict=True):
        pd.testing.assert_frame_equal(told, expected)
