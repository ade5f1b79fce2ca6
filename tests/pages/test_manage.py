"""Every manage page: on an empty store, on a small one, and only for organisers."""

import pytest

from core.store.content.collections import create_collection
from core.store.people.members import add_member
from core.store.people.people import add_person
from tests.short import few, long

TITLES = {
    "collection": "Contents",
    "assignments": "Rounds",
    "machine-judge": "Machine judge",
    "people": "Roster",
    "hours": "Hours",
    "export": "Export",
}


@pytest.mark.parametrize("address", few(TITLES))
def test_draws_on_an_empty_store(open_page, organiser, address):
    at = open_page(address, organiser)
    assert not at.exception
    assert at.title[0].value == TITLES[address]
    assert "no collection yet" in at.info[0].value or "store is empty" in at.info[0].value


@pytest.mark.parametrize("address", few(TITLES))
def test_draws_on_a_small_store_and_names_the_collection(open_page, organiser, filled, address):
    at = open_page(address, organiser)
    assert not at.exception
    assert not at.error
    assert at.title[0].value == TITLES[address]
    assert at.markdown[0].value == r"**Small \*one\***"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("assignments", "Nothing can be judged"),
        pytest.param("people", "There are no assessors yet", marks=long),
        pytest.param("hours", "Nobody has judged here yet", marks=long),
        pytest.param("export", "There are no labels yet", marks=long),
    ],
)
def test_says_what_is_missing_in_a_new_collection(open_page, store, organiser, address, says):
    create_collection(store, "New")
    at = open_page(address, organiser)
    assert not at.exception
    assert any(says in one.value for one in at.info)


@pytest.mark.parametrize("address", few(TITLES))
def test_does_not_exist_for_assessors(open_page, store, filled, address):
    anna = add_person(store, "Anna", "assessor")
    add_member(store, filled, anna, "Anna")
    at = open_page(address, anna)
    assert TITLES[address] not in [title.value for title in at.title]


def test_an_organiser_of_nothing_lands_where_collections_are_made(open_page, organiser):
    assert open_page("", organiser).title[0].value == "Contents"
