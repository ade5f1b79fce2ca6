"""The roster: groups and kinds are edited in the table, and what is left out is said."""

import pandas as pd
import pytest

from core.assessment.handing_out.qualifying import Attempt, Standing
from core.store.people.members import list_members
from core.store.people.qualifying import TestRules
from core.store.people.roster import RosterEntry
from pages.people.roster import answer_roster, changed_entries
from tests.short import long


@pytest.fixture
def before() -> pd.DataFrame:
    return pd.DataFrame(
        {"assessor_id": ["a", "b"], "group": ["x", ""], "kind": ["person", "person"]}
    )


def test_only_what_was_changed_is_saved(before):
    assert changed_entries(before, before) == {}
    after = before.assign(group=[None, "y"], kind=["person", "machine"])
    assert changed_entries(before, after) == {
        "a": RosterEntry("", "person"),
        "b": RosterEntry("y", "machine"),
    }


def open_edited(open_page, store, organiser, filled, rows: dict[int, dict[str, str]]):
    """Open the page with cells changed, as the table editor in a browser changes them."""
    key = f"roster-{filled}-{store.state(filled)[1]}"
    state = {"edited_rows": rows, "added_rows": [], "deleted_rows": []}
    return open_page("people", organiser, **{key: state})


def press(at, label: str):
    next(one for one in at.button if one.label == label).click()
    return at.run()


def said(at) -> list[str]:
    return [one.value for one in at.caption]


def test_nothing_is_saved_before_something_is_changed(open_page, organiser, filled):
    at = open_page("people", organiser)
    (save,) = [one for one in at.button if one.label == "Save the roster"]
    assert save.disabled
    assert not any("left out" in one for one in said(at))


@long
def test_a_member_marked_as_machine_is_said_to_be_left_out(open_page, store, organiser, filled):
    changed = {0: {"kind": "machine"}, 1: {"group": "experts"}}
    at = press(
        open_edited(open_page, store, organiser, filled, changed), "Save 2 changes to the roster"
    )
    members = list_members(store, filled).set_index("assessor_id")
    assert members["kind"].to_dict() == {"a1": "machine", "a2": "person"}
    assert members["group"].to_dict() == {"a1": "", "a2": "experts"}
    assert "1 machine member left out." in said(at)
    assert "1 machine member left out." in said(open_page("qrels", organiser))


def test_a_fault_changes_nothing_and_is_said(open_page, store, organiser, filled):
    changed = {0: {"kind": "machine"}, 1: {"group": "x" * 201}}
    at = press(
        open_edited(open_page, store, organiser, filled, changed), "Save 2 changes to the roster"
    )
    assert at.error[0].value == "The roster was not changed."
    assert set(list_members(store, filled)["kind"]) == {"person"}


def test_the_page_opens_with_who_judges_and_what_to_look_at():
    members = pd.DataFrame(
        {
            "kind": ["person"] * 4 + ["machine"],
            "origin": ["invited", "invited", "invited", "imported", "imported"],
            "dropped_at": [None, None, pd.Timestamp("2020-01-01"), None, None],
            "consent": ["yes", "no", "no", "not asked", "not asked"],
        }
    )
    assert answer_roster(members.iloc[:1], {}) == "**1 person judges here**."
    assert answer_roster(members.iloc[4:], {}) == "**Nobody judges here yet**."
    assert answer_roster(members.iloc[3:], {}).startswith("**Nobody judges here yet**, and labels")
    barred = Standing(2, (Attempt(1, 2, 2, 0),), TestRules(0.5))
    assert answer_roster(members, {"a": barred, "b": Standing()}) == (
        "**2 people judge here**, and labels of 1 person were imported; 1 below the mark of the "
        "test waits; 1 did not consent to the use of their data."
    )
