"""Tokens on the page *Account*: made by everybody for themselves, shown once, ended."""

import pytest
from streamlit.testing.v1 import AppTest

from core.store.people.people import add_person
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import find_token, list_tokens, make_token
from core.store.store import Store
from tests.pages.conftest import OpenPage
from tests.short import few


def press(at: AppTest, label: str) -> AppTest:
    next(one for one in at.button if one.label == label).click()
    at.run()
    assert not at.exception
    return at


def fill(at: AppTest, name: str) -> None:
    next(one for one in at.text_input if one.label == "What it is for").set_value(name)


@pytest.mark.parametrize("role", few(SCOPES))
def test_a_token_is_made_shown_once_and_ended(open_page: OpenPage, store: Store, role: str):
    person = add_person(store, "Robin", role)
    at = open_page("account", person)
    fill(at, "my script")
    at = press(at, "Make the token")
    (token,) = [one.value for one in at.code]
    found = find_token(store, token)
    assert found is not None
    assert found[0].scopes == SCOPES[role][:1]
    assert found[1].person_id == person
    at = press(at, "I have copied it")
    assert not at.code
    at = press(at, "End")
    assert find_token(store, token) is None
    assert list_tokens(store, person) == []


def test_nobody_sees_or_ends_anothers_tokens(open_page: OpenPage, store: Store):
    make_token(store, add_person(store, "Olga", "organiser"), "olgas", ["read"])
    at = open_page("account", add_person(store, "Oz", "organiser"))
    assert "olgas" not in " ".join(one.value for one in at.text)
    assert "End" not in [one.label for one in at.button]


def test_a_token_without_a_name_is_refused(open_page: OpenPage, store: Store):
    person = add_person(store, "Olga", "organiser")
    at = press(open_page("account", person), "Make the token")
    assert "No token was made." in [one.value for one in at.error]
    assert list_tokens(store) == []
