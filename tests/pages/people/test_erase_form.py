"""Erasing is asked twice, says what goes, and leaves only the code."""

import uuid

import pytest

from core.store.events.labels import Key
from core.store.events.questions import Question, append_question
from core.store.people.members import add_member, list_members
from core.store.people.people import add_person, find_person
from tests.short import long


@pytest.fixture
def anna(store, filled) -> str:
    made = add_person(store, "Anna", "assessor")
    add_member(store, filled, made, "Anna", group="experts")
    key = Key("t1", "d1", "page", "", made, 0)
    append_question(store, filled, Question(str(uuid.uuid4()), key, "Is it old?"))
    return made


def button(at, label: str):
    return next(one for one in at.button if one.label == label)


def choose(open_page, organiser, person_id: str):
    at = open_page("people", organiser)
    at.selectbox(key="erase-person").select(person_id).run()
    return at


def test_it_is_asked_twice(open_page, store, organiser, anna):
    at = choose(open_page, organiser, anna)
    (told,) = (one.value for one in at.markdown if "**Anna** is erased" in one.value)
    assert "from the whole store" in told
    assert "invitations, 1 question and 0 comments, in 1 collection." in told
    button(at, "Erase this person …").click().run()
    assert button(at, "Erase for good").disabled
    at.text_input(key="erase-typed").set_value("Annabel").run()
    assert button(at, "Erase for good").disabled
    assert find_person(store, anna).name == "Anna"
    at.text_input(key="erase-typed").set_value("Anna").run()
    button(at, "Erase for good").click().run()
    assert not at.exception
    assert find_person(store, anna).name == anna
    assert "One person is erased" in at.success[0].value
    assert anna not in at.selectbox(key="erase-person").options
    assert "erased: only labels are left" in at.dataframe[0].value["origin"].tolist()


@long
def test_it_can_be_called_off(open_page, store, organiser, anna):
    at = choose(open_page, organiser, anna)
    button(at, "Erase this person …").click().run()
    button(at, "Keep").click().run()
    assert "Erase for good" not in [one.label for one in at.button]
    assert find_person(store, anna).name == "Anna"


@long
def test_an_imported_assessor_is_erased_too(open_page, store, organiser, filled):
    at = choose(open_page, organiser, "a2")
    button(at, "Erase this person …").click().run()
    at.text_input(key="erase-typed").set_value("a2").run()
    button(at, "Erase for good").click().run()
    assert "a2" not in list_members(store, filled)["assessor_id"].tolist()
