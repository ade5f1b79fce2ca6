"""Everybody sets, changes and removes a password of their own, and ends their other sessions."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.store.people.passwords import find_by_password, has_password, set_password
from core.store.people.people import add_person, begin_session, find_session
from core.store.people.sessions import list_sessions
from core.store.store import Store
from pages.account.account import WRONG_PASSWORDS
from tests.pages.conftest import OpenPage
from tests.short import few, long

OLD, NEW = "a cat, a hat and a bat", "seven small boats at sea"


@pytest.fixture(params=few(["organiser", "assessor", "viewer"]))
def role(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def anna(store: Store) -> Iterator[str]:
    add_person(store, "Olga", "organiser")
    person_id = add_person(store, "Anna", "assessor")
    yield person_id
    WRONG_PASSWORDS.clear(person_id)


def send(at: AppTest, button: str, *words: str) -> AppTest:
    """Fill in the form from its first field on and send it."""
    fields = [one for one in at.text_input if "password" in one.label]
    assert len(fields) == len(words)
    for field, word in zip(fields, words, strict=True):
        field.set_value(word)
    return press(at, button)


def press(at: AppTest, button: str) -> AppTest:
    next(one for one in at.button if one.label.startswith(button)).click()
    at.run()
    assert not at.exception
    return at


def told(at: AppTest) -> str:
    return " ".join(one.value for one in (*at.success, *at.error, *at.code))


def test_everybody_may_set_a_password(open_page: OpenPage, store: Store, role: str):
    person_id = add_person(store, "Robin", role)
    at = send(open_page("account", person_id), "Set", NEW, NEW)
    assert "Your password is set" in told(at)
    person = find_by_password(store, "Robin", NEW)
    assert person is not None
    assert person.person_id == person_id


@long
def test_a_password_is_changed_by_whom_it_belongs_to(open_page: OpenPage, store: Store, anna: str):
    set_password(store, anna, OLD)
    elsewhere = begin_session(store, anna)
    at = send(open_page("account", anna), "Change", OLD, NEW, NEW)
    assert "Your password is set" in told(at)
    assert find_by_password(store, "Anna", OLD) is None
    assert find_by_password(store, "Anna", NEW) is not None
    assert find_session(store, elsewhere) is None
    assert len(list_sessions(store, anna)) == 1
    assert any("You can sign in with the name Anna" in one.value for one in at.text)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("not what it was", NEW, NEW), "the current password is wrong"),
        pytest.param(("", NEW, NEW), "the current password is wrong", marks=long),
        pytest.param((OLD, NEW, NEW + "s"), "differ", marks=long),
        pytest.param((OLD, "short", "short"), "12 to 256", marks=long),
        pytest.param((OLD, "Anna Anna Anna", "Anna Anna Anna"), "more than the name", marks=long),
    ],
)
def test_what_does_not_fit_changes_nothing(
    open_page: OpenPage, store: Store, anna: str, words: tuple[str, ...], reason: str
):
    set_password(store, anna, OLD)
    elsewhere = begin_session(store, anna)
    at = send(open_page("account", anna), "Change", *words)
    assert reason in told(at)
    assert not at.success
    assert find_by_password(store, "Anna", OLD) is not None
    assert find_session(store, elsewhere) is not None


@long
def test_guessing_the_old_password_is_throttled(open_page: OpenPage, store: Store, anna: str):
    set_password(store, anna, OLD)
    at = open_page("account", anna)
    for number in range(6):
        send(at, "Change", f"guess {number}", NEW, NEW)
    send(at, "Change", OLD, NEW, NEW)
    assert "too many wrong passwords" in told(at)
    assert find_by_password(store, "Anna", OLD) is not None


def test_one_can_do_without_a_password(open_page: OpenPage, store: Store, anna: str):
    set_password(store, anna, OLD)
    at = press(open_page("account", anna), "Remove the password")
    assert "Your password is removed" in told(at)
    assert not has_password(store, anna)
    assert not [one for one in at.button if one.label.startswith("Do without")]
    assert any("need a new link" in one.value for one in at.text)


def test_everybody_may_end_their_other_sessions(open_page: OpenPage, store: Store, role: str):
    person_id = add_person(store, "Robin", role)
    others = [begin_session(store, person_id, "password") for _ in range(2)]
    strange = begin_session(store, add_person(store, "Somebody", role))
    at = open_page("account", person_id)
    shown = at.dataframe[0].value
    assert len(shown) == 3
    assert (shown["browser"] == "this one").sum() == 1
    assert shown["by"].tolist().count("password") == 2
    press(at, "Sign out of 2 other browsers")
    assert [find_session(store, one) for one in others] == [None, None]
    assert find_session(store, strange) is not None
    assert len(at.dataframe[0].value) == 1
    assert not [one for one in at.button if one.label.startswith("Sign out of")]
