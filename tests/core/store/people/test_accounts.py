"""Whom an identity provider's claims stand for."""

import pytest

from core.errors import NotAllowed
from core.store.people.accounts import find_by_claims, set_email
from core.store.people.people import add_person
from core.store.people.sessions import disable_person
from core.store.store import Store
from tests.each import each

CLAIMS = {
    "iss": "https://id.example",
    "sub": "42",
    "email": "Anna@Example.org",
    "email_verified": True,
}


@pytest.fixture
def anna(store: Store) -> str:
    add_person(store, "Olga", "organiser")
    person = add_person(store, "Anna", "assessor")
    set_email(store, person, "anna@example.org")
    return person


def test_a_confirmed_address_is_its_person(store: Store, anna: str):
    for _ in range(2):
        assert find_by_claims(store, CLAIMS).person_id == anna


@each(
    "change",
    [
        {"email_verified": False},
        {"email_verified": None},
        {"email_verified": "true"},
        {"email": "bob@example.org"},
        {"email": ""},
        {"email": None},
        {"sub": ""},
    ],
)
def test_nobody_else_is(store: Store, anna: str, change: dict):
    with pytest.raises(NotAllowed):
        find_by_claims(store, CLAIMS | change)
    with pytest.raises(NotAllowed):
        find_by_claims(store, {})
    assert len(store.cursor().execute("FROM people").fetchall()) == 2


@pytest.mark.parametrize("change", [{"sub": "43"}, {"iss": "https://other.example"}])
def test_an_address_that_has_changed_hands_lets_nobody_in(store: Store, anna: str, change: dict):
    find_by_claims(store, CLAIMS)
    with pytest.raises(NotAllowed, match="another identity"):
        find_by_claims(store, CLAIMS | change)
    set_email(store, anna, "anna@example.org")
    assert find_by_claims(store, CLAIMS | change).person_id == anna


def test_who_is_shut_out_stays_out(store: Store, anna: str):
    disable_person(store, anna)
    with pytest.raises(NotAllowed):
        find_by_claims(store, CLAIMS)
