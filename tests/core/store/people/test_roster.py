"""Groups and kinds of members: changed together or not at all, on record, told when they hold."""

import pandas as pd
import pytest

from core.collection.records import Import
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import create_collection
from core.store.content.gold import take_over_gold
from core.store.content.imports import write_import
from core.store.events.frames import read_labels
from core.store.people.members import list_members
from core.store.people.roster import RosterEntry, edit_roster, keep_persons, read_left_out
from core.store.store import Store
from tests.short import long

GOLD = {"gold": "gold"}


@pytest.fixture
def collection(store: Store) -> str:
    made = create_collection(store, "One")
    labels = pd.DataFrame(
        [(who, "t1", "d1", level) for who, level in (("ann", 1), ("llm", 2), ("gold", 1))],
        columns=["assessor_id", "topic_id", "document_id", "level"],
    ).assign(facet="page", engine="", occasion=0, state="level", group="crowd")
    write_import(store, made, Import("labels", "labels.csv", {"labels": labels}, {}, (), "0" * 64))
    return made


def test_groups_and_kinds_are_changed_and_on_record(store, collection):
    entries = {"ann": RosterEntry(" experts "), "llm": RosterEntry("crowd", "machine")}
    assert edit_roster(store, collection, entries, by="") == 2
    members = list_members(store, collection).set_index("assessor_id")
    assert members.loc["ann", ["group", "kind"]].tolist() == ["experts", "person"]
    assert members.loc["llm", ["group", "kind"]].tolist() == ["crowd", "machine"]
    told = read_audit(store, AuditFilter(kind="people", text="edit"), 10).set_index("subject")
    assert told.loc["assessor ann", "change"] == 'group: "crowd" → "experts"'
    assert told.loc["assessor llm", "change"] == 'kind: "person" → "machine"'
    assert told.loc["assessors", "change"] == "2 changed"


@long
def test_what_is_the_same_is_no_change(store, collection):
    assert edit_roster(store, collection, {"ann": RosterEntry("crowd")}) == 0
    assert read_audit(store, AuditFilter(text="assessor ann"), 10)["what"].tolist() == ["add"]


@pytest.mark.parametrize(
    ("assessor", "entry", "fault"),
    [
        ("nobody", RosterEntry("a"), "no assessor 'nobody'"),
        pytest.param("llm", RosterEntry("a", "robot"), "none of person, machine, gold", marks=long),
        pytest.param("llm", RosterEntry("two\nlines"), "one line", marks=long),
        pytest.param("llm", RosterEntry("x" * 201), "at most 200", marks=long),
    ],
)
def test_one_fault_refuses_all(store, collection, assessor, entry, fault):
    with pytest.raises(BadInput, match=fault):
        edit_roster(store, collection, {"ann": RosterEntry("experts"), assessor: entry})
    assert set(list_members(store, collection)["group"]) == {"crowd"}


def test_a_mark_holds_for_later_events_only(store, collection):
    edit_roster(store, collection, {"llm": RosterEntry("crowd", "machine")})
    last = store.labels.sequence(collection)
    assert read_left_out(store, collection) == GOLD | {"llm": "machine"}
    assert read_left_out(store, collection, last) == GOLD
    assert read_left_out(store, collection, last + 1) == GOLD | {"llm": "machine"}
    edit_roster(store, collection, {"llm": RosterEntry("models", "machine")})
    assert read_left_out(store, collection, last + 1) == GOLD | {"llm": "machine"}
    edit_roster(store, collection, {"llm": RosterEntry("models")})
    assert read_left_out(store, collection) == GOLD


@long
def test_gold_that_is_taken_over_is_no_assessor(store, collection):
    assert take_over_gold(store, collection) == 1
    assert read_left_out(store, collection) == {"gold": "gold"}
    assert list_members(store, collection).set_index("assessor_id").loc["gold", "group"] == "crowd"


@long
def test_levels_are_as_if_others_had_said_nothing(store, collection):
    labels = read_labels(store, collection)
    edit_roster(store, collection, {"llm": RosterEntry("", "machine")})
    invalid = labels.assign(level=labels["level"].mask(labels["assessor_id"] == "llm"))
    kept = keep_persons(store, collection, invalid)
    assert kept["level"].dtype == kept["given_level"].dtype == labels["level"].dtype
    assert kept["level"].tolist() == [1]
