"""Saved rules of qrels versions."""

import pytest

from core.errors import BadInput, NotFound
from core.store.content.collections import create_collection
from core.store.content.saved_rules import (
    delete_rule,
    list_recorded_rules,
    list_rules,
    save_rule,
)
from core.store.machines.machines import Machine, describe_machine
from core.store.people.members import add_member
from core.store.store import Store
from core.versions.rules import QrelsRule


def test_rules_are_kept_by_collection_in_order(store: Store):
    here, there = create_collection(store, "here"), create_collection(store, "there")
    save_rule(store, here, " second opinion ", '{"slots": [2]}', by="p1")
    save_rule(store, here, "a", "{}")
    assert list_rules(store, here) == {"second opinion": '{"slots": [2]}', "a": "{}"}
    assert list_rules(store, there) == {}


def test_saving_and_deleting_wake_the_pages_and_are_recorded(store: Store):
    here = create_collection(store, "here")
    before = store.state(here)
    save_rule(store, here, "mine", '{"combine": "median"}', by="p1")
    assert store.state(here) != before
    between = store.state(here)
    delete_rule(store, here, "mine", by="p1")
    assert store.state(here) != between
    assert list_rules(store, here) == {}
    rows = store.cursor().execute("SELECT what, person_id, detail FROM changes").fetchall()
    assert rows[-2:] == [
        ("save", "p1", 'mine: {"combine": "median"}'),
        ("delete", "p1", 'mine: {"combine": "median"}'),
    ]


def test_a_name_is_needed_and_never_used_twice(store: Store):
    here = create_collection(store, "here")
    save_rule(store, here, "mine", "{}")
    with pytest.raises(BadInput, match="already saved"):
        save_rule(store, here, "mine", '{"combine": "sum"}')
    with pytest.raises(BadInput, match="needs a name"):
        save_rule(store, here, " ", "{}")
    assert list_rules(store, here) == {"mine": "{}"}


def test_deleting_what_is_not_there_says_so(store: Store):
    with pytest.raises(NotFound, match="'mine'"):
        delete_rule(store, create_collection(store, "here"), "mine")


def test_rules_come_with_what_was_recorded_when_they_were_saved(store: Store):
    here = create_collection(store, "here")
    save_rule(store, here, "mine", "{}")
    delete_rule(store, here, "mine")
    save_rule(store, here, "mine", '{"combine": "sum"}')
    with store.database.write() as cursor:
        cursor.execute("INSERT INTO qrels_rules VALUES (?, 'slipped in', '{}', now())", [here])
    found = list_recorded_rules(store)
    assert [(row["name"], row["rule"], row["recorded"]) for row in found] == [
        ("mine", '{"combine": "sum"}', 'mine: {"combine": "sum"}'),
        ("slipped in", "{}", None),
    ]
    assert {row["collection_id"] for row in found} == {here}


def test_a_rule_that_names_a_machine_says_so_in_its_name(store: Store):
    here = create_collection(store, "here")
    describe_machine(store, here, "llm", Machine("llm"))
    add_member(store, here, "anna", "Anna")
    rule = QrelsRule("x", assessors=("anna", "llm")).to_json()
    for name in ("fast", "machinery"):
        with pytest.raises(BadInput, match=r"a machine \(llm\); say so in its name"):
            save_rule(store, here, name, rule)
    for name in ("fast (machine)", "Machine and Anna"):
        save_rule(store, here, name, rule)
    save_rule(store, here, "people", QrelsRule("x", assessors=("anna",)).to_json())
    assert list(list_rules(store, here)) == ["fast (machine)", "Machine and Anna", "people"]
