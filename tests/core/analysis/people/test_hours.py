"""Hours by person and round: capped, payable, by code unless names are asked for."""

import uuid

import pytest

from core.analysis.base.study import Study
from core.analysis.people.hours import hours_of, sum_by_person
from core.errors import BadInput
from core.store.content.collections import create_collection
from core.store.events.labels import PRACTICE, Key, LabelEvent
from core.store.people.members import add_member
from tests.each import each
from tests.short import long

MINUTE = 60_000
ROUNDS = """
    INSERT INTO rounds (round_id, collection_id, name, judges, flow, page_from, depth, batch_size,
        lease_minutes, repeat_share, seed, created_at, closed_at) VALUES
        ('r1', $1, 'First', 1, 'page only', NULL, 10, NULL, 60, 0, 1, '2020-01-01', NULL),
        ('r2', $1, 'Second', 1, 'page only', NULL, 10, NULL, 60, 0, 1, '2020-02-01', NULL),
        ('r3', $1, 'Later', 1, 'page only', NULL, 10, NULL, 60, 0, 1, '2999-01-01', NULL);"""
POOL = """
    INSERT INTO pool VALUES ('r1', 't1', 'd1', 0), ('r1', 't1', 'd2', 0), ('r2', 't1', 'd1', 0),
        ('r3', 't1', 'd2', 0);
    INSERT INTO slots VALUES ('r1', 't1', 0, 1, 'ann', false, NULL, NULL),
        ('r2', 't1', 0, 1, 'bob', false, NULL, NULL);"""


def judge(store, collection, who, document, minutes, *, occasion=0, state="level", before=None):
    event = LabelEvent(
        str(uuid.uuid4()),
        before,
        Key("t1", document, "page", "", who, occasion),
        state,
        1 if state == "level" else None,
        round(minutes * MINUTE),
    )
    store.labels.append(collection, [event])
    return event.event_id


@pytest.fixture
def study(store):
    made = create_collection(store, "Small")
    with store.database.write() as cursor:
        for statement in filter(str.strip, ROUNDS.split(";")):
            cursor.execute(statement, [made])
        cursor.execute(POOL)
    for who in ("ann", "bob", "llm"):
        add_member(store, made, who, who.capitalize(), group="crowd", origin="invited")
    first = judge(store, made, "ann", "d1", 3)
    judge(store, made, "ann", "d1", 3, before=first)
    judge(store, made, "ann", "d2", 90, state="later")
    judge(store, made, "ann", "p1", 6, occasion=PRACTICE)
    judge(store, made, "ann", "d7", 12, state="cannot judge")
    judge(store, made, "bob", "d1", 1.8)
    return Study(store, made, is_masked=False)


def by_place(table, column):
    return table.set_index(["person", "round"])[column].to_dict()


def test_time_goes_to_the_round_in_which_somebody_holds_a_place(study):
    table = hours_of(study, names=True)
    assert by_place(table, "hours") == {
        ("Ann", "First"): 0.27,
        ("Ann", "outside rounds"): 0.17,
        ("Ann", "practice"): 0.1,
        ("Bob", "Second"): 0.03,
    }
    assert by_place(table, "labels") == {
        ("Ann", "First"): 1,
        ("Ann", "outside rounds"): 1,
        ("Ann", "practice"): 1,
        ("Bob", "Second"): 1,
    }
    assert by_place(table, "capped")[("Ann", "First")] == 1
    assert "amount" not in table


@long
def test_the_cap_is_chosen(study):
    table = hours_of(study, names=True, longest_minutes=90)
    assert by_place(table, "hours")[("Ann", "First")] == 1.6
    assert not table["capped"].any()


def test_an_amount_is_the_hours_shown_times_the_rate(study):
    table = hours_of(study, rate=12.5)
    assert (table["amount"] == (table["hours"] * 12.5).round(2)).all()
    people = sum_by_person(table)
    assert people["hours"].tolist() == [0.54, 0.03]
    assert people["amount"].sum() == pytest.approx(table["amount"].sum())
    assert people["labels"].tolist() == [3, 1]
    assert "amount" not in sum_by_person(hours_of(study))


@pytest.mark.parametrize(("is_masked", "names"), [(False, False), (True, True)])
def test_people_are_codes_unless_an_organiser_asks_for_names(study, is_masked, names):
    seen = Study(study.store, study.collection_id, is_masked=is_masked)
    table = hours_of(seen, names=names)
    assert table["person"].str.startswith("a-").all()
    assert (table["person"] == table["assessor_id"]).all()
    assert "name" not in table


def test_imports_take_no_time(store):
    made = create_collection(store, "Empty")
    assert hours_of(Study(store, made, is_masked=False), rate=10.0).empty


@each(("given", "fault"), [({"longest_minutes": 0}, "0 minutes"), ({"rate": -1.0}, "from 0")])
def test_what_makes_no_sense_is_refused(study, given, fault):
    with pytest.raises(BadInput, match=fault):
        hours_of(study, **given)
