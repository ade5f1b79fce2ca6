"""People and their roles."""

import pytest

from core.errors import BadInput
from core.store.people import people
from core.store.people.people import (
    add_person,
    begin_session,
    end_session,
    find_person,
    find_session,
    is_organised,
    list_people,
)
from core.store.store import Store, utc_now
from tests.short import long

pytestmark = pytest.mark.contract


def test_people_have_names_and_roles_of_their_own(store: Store):
    person = add_person(store, "Anna", "assessor")
    for name, role in (("Anna", "assessor"), (" ", "assessor"), ("Bob", "emperor")):
        with pytest.raises(BadInput):
            add_person(store, name, role)
    assert [one.person_id for one in list_people(store)] == [person]
    assert not is_organised(store)
    begin_session(store, person)
    assert not is_organised(store)
    begin_session(store, add_person(store, "Olga", "organiser"))
    assert is_organised(store)


def measure(store: Store) -> tuple[dict[str, list], list[int]]:
    """Return all rows of a store, and the sizes of its files."""
    tables = store.cursor().execute("SHOW TABLES").fetchall()
    texts = "SELECT COLUMNS(*)::VARCHAR FROM"
    rows = {name: store.cursor().execute(f"{texts} {name}").fetchall() for (name,) in tables}
    files = store.path, store.path.with_name(f"{store.path.name}.wal")
    return rows, [file.stat().st_size if file.exists() else 0 for file in files]


@pytest.fixture
def ended(store: Store) -> list[str]:
    """Tokens of no session that holds: unknown, ended, expired, and of somebody shut out."""
    anna, bob = (add_person(store, name, "assessor") for name in ("Anna", "Bob"))
    tokens = [begin_session(store, anna) for _ in range(2)] + [begin_session(store, bob)]
    end_session(store, tokens[0])
    with store.database.write() as cursor:
        hashed = people.hash_token(tokens[1])
        sql = "UPDATE sessions SET expires_at = ? WHERE token_hash = ?"
        cursor.execute(sql, [utc_now(), hashed])
        cursor.execute("UPDATE people SET disabled_at = ? WHERE person_id = ?", [utc_now(), bob])
    return ["", "anything", "é" * 5_000, *tokens]


@long
def test_signing_out_without_a_session_changes_nothing(store: Store, ended: list[str]):
    before = measure(store)
    for token in ended * 20:
        end_session(store, token)
    assert measure(store) == before


@long
def test_without_the_guard_each_leaves_a_row(
    store: Store, ended: list[str], monkeypatch: pytest.MonkeyPatch
):
    anybody = find_person(store, add_person(store, "Olga", "organiser"))
    monkeypatch.setattr(people, "find_session", lambda *_: anybody)
    before, sizes = measure(store)
    for token in ended * 20:
        end_session(store, token)
    after, grown = measure(store)
    assert len(after["changes"]) == len(before["changes"]) + 20 * len(ended)
    assert sum(grown) > sum(sizes)


def test_signing_out_ends_the_session_and_is_on_record(store: Store):
    anna = add_person(store, "Anna", "assessor")
    token, other = (begin_session(store, anna) for _ in range(2))
    before, _ = measure(store)
    end_session(store, token)
    after, _ = measure(store)
    assert find_session(store, token) is None
    assert find_session(store, other) is not None
    (entry,) = [row for row in after["changes"] if row not in before["changes"]]
    assert entry[1:5] == (anna, "", "sign out", f"person {anna}")
