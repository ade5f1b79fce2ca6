"""Whom an identity provider's claims stand for."""

import pytest

from core.errors import NotAllowed
from core.store.people import accounts
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


ALIKE = (
    "\u212aim.strasse@example.org",  # the Kelvin sign
    "kim.\u017ftrasse@example.org",  # a long s
    "kim.stra\u00dfe@example.org",
    "k\u0131m.strasse@example.org",  # an i without its dot
    "k\u0456m.strasse@example.org",  # of the Cyrillic letters
    "\uff4bim.strasse@example.org",  # as wide as a Chinese sign
    "kim.strasse@e\u0445ample.org",
    "kim.strasse@example.org\u200b",
    "kim\u00ad.strasse@example.org",
    " kim.strasse@example.org",
    "kim.strasse@example.org ",
    "kim.strasse@example.org\n",
    "kim.strasse@example.org.",
    "kim.strasse+x@example.org",
    "kimstrasse@example.org",
    "kim.strasse@example.org,eve@example.org",
    "Kim <kim.strasse@example.org>",
    "kim.strasse@example.org\0",
)


@each("email", ALIKE)
def test_an_address_that_looks_alike_is_another(store: Store, anna: str, email: str):
    set_email(store, anna, "Kim.Strasse@example.org")
    with pytest.raises(NotAllowed):
        find_by_claims(store, CLAIMS | {"email": email})
    assert find_by_claims(store, CLAIMS | {"email": "KIM.STRASSE@EXAMPLE.ORG"}).person_id == anna


def test_otherwise_some_would_be_taken_for_it(
    store: Store, anna: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(accounts, "_fold", str.casefold)
    for email in ALIKE[:3]:
        set_email(store, anna, "Kim.Strasse@example.org")
        assert find_by_claims(store, CLAIMS | {"email": email}).person_id == anna


@each("email", ["m\u00fcller@example.org", "stra\u00dfe@example.org", "\u03c3\u03c2@example.org"])
def test_letters_that_are_no_ascii_have_small_ones_too(store: Store, anna: str, email: str):
    set_email(store, anna, email.replace("\u00fc", "\u00dc"))
    assert find_by_claims(store, CLAIMS | {"email": email}).person_id == anna


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
