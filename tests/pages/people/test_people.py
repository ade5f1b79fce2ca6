"""Inviting, renewing links, letting in, dropping and replacing."""

import pytest
from streamlit.testing.v1 import AppTest

from core.assessment.rounds.rounds import Plan, open_round
from core.store.people.accounts import list_emails, set_email
from core.store.people.members import add_member, collections_of, list_members, list_viewers
from core.store.people.passwords import has_password, set_password
from core.store.people.people import (
    accept_invitation,
    add_person,
    begin_session,
    find_person,
    find_session,
    list_people,
)
from core.store.rounds.rounds import read_slots
from tests.short import long


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click()
    return at.run()


def field(elements, label: str):
    return next(one for one in elements if one.label == label)


def link(at: AppTest) -> str:
    return next(one.value for one in at.code if "/enter/" in one.value)


def signed_in(store, at: AppTest):
    return find_session(store, accept_invitation(store, link(at).rpartition("/")[2]))


def test_an_invited_assessor_comes_in_by_the_link(open_page, store, organiser, filled):
    at = open_page("people", organiser)
    field(at.text_input, "Name or pseudonym").set_value(" Anna ")
    field(at.text_input, "Group").set_value("experts")
    press(at, "Invite")
    assert not at.exception
    anna = signed_in(store, at)
    assert (anna.name, anna.role) == ("Anna", "assessor")
    assert collections_of(store, anna.person_id) == [filled]
    members = list_members(store, filled).set_index("assessor_id")
    assert members.loc[anna.person_id, "group"] == "experts"


def test_the_link_is_gone_once_it_is_copied(open_page, organiser, filled):
    at = open_page("people", organiser)
    field(at.text_input, "Name or pseudonym").set_value("Anna")
    press(at, "Invite")
    assert link(at).startswith("http://")
    press(at, "I have copied it")
    assert not any("/enter/" in one.value for one in at.code)


@pytest.mark.parametrize(
    ("name", "fault"), [("Olga", "already somebody"), pytest.param(" ", "needs a name", marks=long)]
)
def test_a_name_that_is_taken_or_empty_is_refused(open_page, store, organiser, filled, name, fault):
    at = open_page("people", organiser)
    field(at.text_input, "Name or pseudonym").set_value(name)
    press(at, "Invite")
    assert fault in at.code[0].value
    assert len(list_people(store)) == 1


def test_another_organiser_is_invited_without_a_collection(open_page, store, organiser):
    at = open_page("people", organiser)
    field(at.text_input, "Name of the organiser").set_value("Otto")
    press(at, "Invite as an organiser")
    assert signed_in(store, at).role == "organiser"


@long
def test_a_new_link_works_for_somebody_known(open_page, store, organiser, filled):
    at = open_page("people", organiser)
    field(at.selectbox, "Person").select(organiser)
    press(at, "Make a new link")
    assert signed_in(store, at).person_id == organiser


@pytest.fixture
def pair(store, filled) -> list[str]:
    ids = [add_person(store, name, "assessor") for name in ("Anna", "Bob")]
    for person_id, name in zip(ids, ("Anna", "Bob"), strict=True):
        add_member(store, filled, person_id, name)
    return ids


def holders(store, filled) -> list[str | None]:
    return [slot.assessor_id for slot in read_slots(store.cursor(), filled)]


def test_dropping_says_what_happens_and_frees_the_slots(open_page, store, organiser, filled, pair):
    open_round(store, filled, Plan(judges=2, assessors=tuple(pair)))
    at = open_page("people", organiser)
    field(at.selectbox, "Who leaves").select(pair[0]).run()
    assert any("2 unfinished slots will go to the open queue" in one.value for one in at.markdown)
    press(at, "Yes, take off")
    assert collections_of(store, pair[0]) == []
    assert sorted(holders(store, filled), key=str) == [None, None, pair[1], pair[1]]


@long
def test_a_replacement_takes_over(open_page, store, organiser, filled, pair):
    open_round(store, filled, Plan(judges=1, assessors=(pair[0],)))
    at = open_page("people", organiser)
    field(at.selectbox, "Who leaves").select(pair[0]).run()
    field(at.selectbox, "Who takes over").select(pair[1]).run()
    press(at, "Yes, take off")
    assert holders(store, filled) == [pair[1], pair[1]]


@long
def test_nobody_gets_a_second_slot_at_a_topic_by_replacing(
    open_page, store, organiser, filled, pair
):
    open_round(store, filled, Plan(judges=2, assessors=tuple(pair)))
    at = open_page("people", organiser)
    field(at.selectbox, "Who leaves").select(pair[0]).run()
    field(at.selectbox, "Who takes over").select(pair[1]).run()
    press(at, "Yes, take off")
    assert sorted(holders(store, filled), key=str) == [None, None, pair[1], pair[1]]


@long
def test_somebody_taken_off_is_let_in_again(open_page, store, organiser, filled, pair):
    at = open_page("people", organiser)
    field(at.selectbox, "Who leaves").select(pair[0]).run()
    press(at, "Yes, take off")
    field(at.text_input, "Their group here").set_value("late")
    press(at, "Let in")
    assert collections_of(store, pair[0]) == [filled]
    assert list_members(store, filled).set_index("assessor_id").loc[pair[0], "group"] == "late"


@long
def test_imported_assessors_are_listed_but_cannot_leave(open_page, organiser, filled):
    at = open_page("people", organiser)
    assert at.dataframe[0].value["name"].tolist() == ["a1", "a2"]
    assert "Who leaves" not in [one.label for one in at.selectbox]


@long
def test_a_viewer_is_invited_to_this_collection_and_shut_out_of_it(
    open_page, store, organiser, filled
):
    at = open_page("people", organiser)
    field(at.text_input, "Name of the viewer").set_value("Vera")
    press(at, "Invite as a viewer")
    vera = signed_in(store, at)
    assert (vera.name, vera.role) == ("Vera", "viewer")
    assert list_viewers(store, filled) == {vera.person_id: "Vera"}
    press(at, "Close this collection to them")
    assert list_viewers(store, filled) == {}
    press(at, "Let them read")
    assert list_viewers(store, filled) == {vera.person_id: "Vera"}


@long
def test_access_is_ended_and_given_back(open_page, store, organiser, filled):
    anna = add_person(store, "Anna", "assessor")
    set_password(store, anna, "a cat, a hat and a bat")
    token = begin_session(store, anna)
    at = open_page("people", organiser)
    at.selectbox(key="access-person").select(anna).run()
    press(at, "End 1 session")
    assert find_session(store, token) is None
    press(at, "Remove the password")
    assert not has_password(store, anna)
    press(at, "Shut out")
    assert find_person(store, anna).disabled_at is not None
    press(at, "Let back in")
    assert find_person(store, anna).disabled_at is None
    at.selectbox(key="access-person").select(organiser).run()
    press(at, "Shut out")
    assert "this store needs at least one organiser" in at.code[0].value
    assert find_person(store, organiser).disabled_at is None


@long
def test_an_address_for_single_sign_on_is_one_persons(open_page, store, organiser, filled):
    anna, bob = (add_person(store, name, "assessor") for name in ("Anna", "Bob"))
    set_email(store, bob, "bob@example.org")
    at = open_page("people", organiser)
    at.selectbox(key="access-person").select(anna).run()
    for address, fault in (("BOB@example.org", "another person"), ("nowhere", "no e-mail")):
        field(at.text_input, "E-mail for single sign-on").set_value(address)
        press(at, "Save the address")
        assert any(fault in one.value for one in at.code)
    field(at.text_input, "E-mail for single sign-on").set_value(" Anna@Example.org ")
    press(at, "Save the address")
    assert list_emails(store) == {anna: "anna@example.org", bob: "bob@example.org"}
    field(at.text_input, "E-mail for single sign-on").set_value("")
    press(at, "Save the address")
    assert list_emails(store) == {bob: "bob@example.org"}
