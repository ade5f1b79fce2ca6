"""Signing in with a password: who gets in, who has to wait, and what ends."""

import threading
import time

import argon2
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.errors import BadInput
from core.store.people import passwords
from core.store.people.passwords import find_by_password, set_password
from core.store.people.people import add_person, begin_session, find_session, hash_token
from core.store.people.sessions import disable_person, enable_person, end_sessions, list_sessions
from core.store.store import Store
from pages.api import password as route
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.shared.session import session_cookie
from pages.shared.throttle import Backoff
from tests.short import few, long

GOOD = "a cat, a hat and a bat"


@pytest.fixture
def client(store: Store, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setattr(route, "WRONG_BY_NAME", Backoff(5, 900))
    monkeypatch.setattr(route, "WRONG_BY_ADDRESS", Backoff(30, 900))
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


@pytest.fixture
def anna(store: Store) -> str:
    person = add_person(store, "Anna", "assessor")
    set_password(store, person, GOOD)
    return person


def sign_in(client: TestClient, name: str, password: str, **headers: str):
    return client.post("/sign-in", data={"name": name, "password": password}, headers=headers)


def test_name_and_password_give_a_session_of_its_own(client: TestClient, store: Store, anna: str):
    client.cookies.set(session_cookie(store.secret), "chosen-by-somebody-else")
    answer = sign_in(client, " Anna ", GOOD)
    assert answer.status_code == 303
    client.cookies.clear()
    cookie = answer.headers["set-cookie"]
    token = cookie.partition("=")[2].partition(";")[0]
    assert token != "chosen-by-somebody-else"
    assert find_session(store, token).person_id == anna
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert [one.how for one in list_sessions(store, anna)] == ["password"]


def test_signing_in_again_ends_the_session_before(client: TestClient, store: Store, anna: str):
    sign_in(client, "Anna", GOOD)
    first = client.cookies[session_cookie(store.secret)]
    sign_in(client, "Anna", GOOD)
    assert client.cookies[session_cookie(store.secret)] != first
    assert find_session(store, first) is None
    assert len(list_sessions(store, anna)) == 1


@pytest.mark.parametrize(
    ("header", "secure"),
    [("https", True), pytest.param("http", False, marks=long), pytest.param("", False, marks=long)],
)
def test_behind_tls_the_cookie_stays_there(
    client: TestClient, anna: str, header: str, secure: bool
):
    answer = sign_in(client, "Anna", GOOD, **{"X-Forwarded-Proto": header})
    assert ("Secure" in answer.headers["set-cookie"].split("; ")) == secure


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Anna", "wrong" * 4),
        ("anna", GOOD),
        pytest.param("Bob", GOOD, marks=long),
        pytest.param("", "", marks=long),
        pytest.param("Anna", "", marks=long),
        pytest.param("Anna", "x" * 3000, marks=long),
        pytest.param("Anna' OR '1'='1", GOOD, marks=long),
    ],
)
def test_everybody_else_stays_out_with_the_same_words(
    client: TestClient, anna: str, name: str, password: str
):
    answer = sign_in(client, name, password)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert answer.text == sign_in(client, "Nobody", "nothing of the kind").text


def test_an_unknown_name_is_checked_against_a_hash_of_the_same_cost(
    store: Store, anna: str, monkeypatch: pytest.MonkeyPatch
):
    checked = []
    verify = passwords._verify
    monkeypatch.setattr(passwords, "_verify", lambda hashed, given: (
        checked.append(argon2.extract_parameters(hashed)), verify(hashed, given))[1])  # fmt: skip
    assert find_by_password(store, "Nobody", GOOD) is None
    assert find_by_password(store, "Anna", "something else") is None
    assert checked[0] == checked[1]
    assert (checked[0].memory_cost, checked[0].time_cost) == (19 * 1024, 2)


def test_guessing_a_name_is_slowed_down_even_with_the_right_password(
    client: TestClient, anna: str, store: Store
):
    for _ in range(6):
        assert sign_in(client, "ANNA", "wrong" * 4).status_code == 403
    answer = sign_in(client, "Anna", GOOD)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
    assert not list_sessions(store, anna)


def test_guessing_from_one_address_is_slowed_down(client: TestClient, anna: str):
    codes = [sign_in(client, f"name {n}", "wrong" * 4).status_code for n in range(32)]
    assert codes[:31] == [403] * 31
    assert codes[31] == 429


@long
def test_a_hash_of_former_parameters_is_renewed(store: Store, anna: str):
    weak = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(GOOD)
    with store.database.write() as cursor:
        cursor.execute("UPDATE passwords SET hash = ?", [weak])
    assert find_by_password(store, "Anna", GOOD).person_id == anna
    (renewed,) = store.cursor().execute("SELECT hash FROM passwords").fetchone()
    assert renewed != weak
    assert argon2.extract_parameters(renewed).memory_cost == 19 * 1024
    assert find_by_password(store, "Anna", GOOD).person_id == anna


def test_the_password_is_nowhere_in_the_store(store: Store, anna: str):
    rows = store.cursor().execute("SELECT * FROM passwords UNION ALL BY NAME FROM changes")
    assert GOOD not in str(rows.fetchall())
    assert "$argon2id$" in str(store.cursor().execute("FROM passwords").fetchall())


@pytest.mark.parametrize("bad", few(["short", "Anna12345678", "aaaaaaaaaaaaaa", "x1" * 200]))
def test_weak_passwords_are_refused(store: Store, anna: str, bad: str):
    with pytest.raises(BadInput):
        set_password(store, anna, bad)
    assert find_by_password(store, "Anna", GOOD) is not None


@long
def test_what_looks_the_same_is_the_same(store: Store, anna: str):
    set_password(store, anna, "un café, un thé, merci")
    assert find_by_password(store, "Anna", "un cafe\u0301, un the\u0301, merci") is not None


def test_a_new_password_ends_the_other_sessions(store: Store, anna: str):
    here, there = begin_session(store, anna), begin_session(store, anna)
    set_password(store, anna, "another one entirely", keep_session=hash_token(here))
    assert find_session(store, here) is not None
    assert find_session(store, there) is None


@long
def test_sessions_are_ended_one_by_one_or_all(store: Store, anna: str):
    tokens = [begin_session(store, anna) for _ in range(3)]
    assert end_sessions(store, anna, only=hash_token(tokens[0])) == 1
    assert [find_session(store, one) is None for one in tokens] == [True, False, False]
    other = add_person(store, "Bob", "assessor")
    bobs = begin_session(store, other)
    assert end_sessions(store, other, only=hash_token(tokens[1])) == 0
    assert end_sessions(store, anna) == 2
    assert find_session(store, bobs) is not None


def test_who_is_shut_out_is_out_at_once(client: TestClient, store: Store, anna: str):
    add_person(store, "Olga", "organiser")
    token = begin_session(store, anna)
    disable_person(store, anna)
    assert find_session(store, token) is None
    assert sign_in(client, "Anna", GOOD).status_code == 403
    enable_person(store, anna)
    assert find_session(store, token) is None
    assert sign_in(client, "Anna", GOOD).status_code == 303


def test_the_last_organiser_cannot_be_shut_out(store: Store, anna: str):
    olga = add_person(store, "Olga", "organiser")
    with pytest.raises(BadInput, match="this store needs at least one organiser"):
        disable_person(store, olga)
    assert find_session(store, begin_session(store, olga)) is not None


def test_a_wait_doubles_up_to_the_longest_and_is_forgotten():
    now = [0.0]
    backoff = Backoff(2, 60, clock=lambda: now[0])
    waits = []
    for _ in range(10):
        backoff.fail("a")
        waits.append(backoff.wait("a"))
    assert waits == [0, 0, 2, 4, 8, 16, 32, 60, 60, 60]
    assert backoff.wait("b") == 0
    now[0] = 59
    assert backoff.wait("a") == 1
    now[0] = 61
    backoff.fail("b")
    assert backoff._failures.keys() == {"b"}
    backoff.clear("b")
    assert backoff.wait("b") == 0


def guess_elsewhere(store: Store) -> None:
    """Let somebody guess at Anna's password until they have to wait."""
    other = TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)
    codes = [sign_in(other, "Anna", "wrong" * 4).status_code for _ in range(10)]
    assert codes[-1] == 429


@long
def test_who_guesses_elsewhere_does_not_shut_anybody_out(
    client: TestClient, store: Store, anna: str, monkeypatch: pytest.MonkeyPatch
):
    assert sign_in(client, "Anna", GOOD).status_code == 303
    guess_elsewhere(store)
    assert sign_in(client, "Anna", GOOD).status_code == 303
    monkeypatch.setattr(route, "recognise_browser", lambda *_: "")
    assert sign_in(client, "Anna", GOOD).status_code == 429


@long
def test_who_guesses_many_names_shuts_nobody_out_behind_the_same_address(
    client: TestClient, store: Store, anna: str, monkeypatch: pytest.MonkeyPatch
):
    assert sign_in(client, "Anna", GOOD).status_code == 303
    other = TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)
    codes = [sign_in(other, f"name {n}", "wrong" * 4).status_code for n in range(34)]
    assert codes[-1] == 429
    assert sign_in(client, "Anna", GOOD).status_code == 303
    monkeypatch.setattr(route, "recognise_browser", lambda *_: "")
    assert sign_in(client, "Anna", GOOD).status_code == 429


@long
def test_a_browser_that_is_known_may_not_guess_either(client: TestClient, store: Store, anna: str):
    add_person(store, "Bob", "assessor")
    sign_in(client, "Anna", GOOD)
    codes = [sign_in(client, "Anna", "wrong" * 4).status_code for _ in range(10)]
    assert codes[:6] == [403] * 6
    assert codes[-1] == 429


@pytest.mark.parametrize("mark", few(["", "x", "W10.x", "WyJhIiwgImIiXQ.forged"]))
def test_a_browser_is_known_by_a_mark_of_ours_only(
    client: TestClient, store: Store, anna: str, mark: str
):
    guess_elsewhere(store)
    client.cookies.set(f"{session_cookie(store.secret)}_known", mark, path="/sign-in")
    assert sign_in(client, "Anna", GOOD).status_code == 429


@long
def test_the_mark_of_one_is_of_no_use_for_another(client: TestClient, store: Store, anna: str):
    set_password(store, add_person(store, "Bob", "assessor"), GOOD)
    sign_in(client, "Bob", GOOD)
    guess_elsewhere(store)
    assert sign_in(client, "Anna", GOOD).status_code == 429


@pytest.mark.parametrize("is_guarded", few([True, False]))
def test_one_password_is_tried_at_a_time(
    client: TestClient, anna: str, monkeypatch: pytest.MonkeyPatch, is_guarded: bool
):
    """Each takes 19 MiB meanwhile."""
    at_once, most, lock = [0], [0], threading.Lock()

    def find(*_: object) -> None:
        with lock:
            at_once[0] += 1
            most[0] = max(most[0], at_once[0])
        time.sleep(0.2)
        with lock:
            at_once[0] -= 1

    monkeypatch.setattr(route, "find_by_password", find)
    if not is_guarded:
        monkeypatch.setattr(route, "AT_ONCE", threading.BoundedSemaphore(100))
    threads = [
        threading.Thread(target=sign_in, args=(client, f"name {n}", "wrong" * 4)) for n in range(10)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most[0] == 1) == is_guarded
