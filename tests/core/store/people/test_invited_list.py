"""A list of people is invited whole or not at all, is on record, and leaves no address behind."""

import pytest

from core.collection.people_list import Newcomer
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import create_collection
from core.store.people.invited_list import invite_people
from core.store.people.members import list_members
from core.store.people.people import accept_invitation, add_person, find_session, list_people

LIST = [Newcomer("Anna", "experts", "anna@example.org", 1), Newcomer("Bob", line=2)]


def test_each_comes_in_by_their_own_link(store):
    made = create_collection(store, "One")
    invited = invite_people(store, made, LIST)
    names = [find_session(store, accept_invitation(store, one.token)).name for one in invited]
    assert names == ["Anna", "Bob"]
    members = list_members(store, made).set_index("name")
    assert members["group"].to_dict() == {"Anna": "experts", "Bob": ""}
    assert set(members["origin"]) == {"invited"}


def test_it_is_on_record_without_addresses(store):
    made = create_collection(store, "One")
    (anna, _) = invite_people(store, made, LIST)
    told = read_audit(store, AuditFilter(kind="people"), 20)
    assert sorted(told.loc[told["subject"].str.contains(anna.person_id), "what"]) == [
        *("add", "add", "invite"),
    ]
    assert told.set_index("subject").loc["persons", "change"] == "2 people from a list"
    store.cursor().execute("CHECKPOINT")
    assert b"anna@example.org" not in store.path.read_bytes()


def test_a_name_that_is_taken_refuses_all(store):
    made = create_collection(store, "One")
    add_person(store, "Bob", "assessor")
    with pytest.raises(BadInput, match=r"list.csv:2: field 'name': there is already .* 'Bob'"):
        invite_people(store, made, LIST, file="list.csv")
    assert [one.name for one in list_people(store)] == ["Bob"]
    assert list_members(store, made).empty
