"""Passwords, for those who set one: kept as Argon2id hashes only."""

import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from core.errors import BadInput
from core.language.translate import t
from core.store.file.database import fetch
from core.store.people.people import Person, find_person
from core.store.people.sessions import close_sessions
from core.store.store import Store, utc_now

SHORTEST, LONGEST = 12, 256

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""The first choice of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane."""


def set_password(
    store: Store, person_id: str, password: str, *, keep_session: str = "", by: str = ""
) -> None:
    """Give somebody a password, or another one; all their other sessions end.

    Raises
    ------
    BadInput
        It is too short or too long, or is the person's own name over again.
    """
    hashed = _HASHER.hash(_check(password, find_person(store, person_id)))
    with store.change("", "set password", f"person {person_id}", by=by or person_id) as cursor:
        cursor.execute(
            "INSERT OR REPLACE INTO passwords VALUES (?, ?, ?)", [person_id, hashed, utc_now()]
        )
        close_sessions(cursor, person_id, keep=keep_session)


def remove_password(store: Store, person_id: str, by: str = "") -> None:
    """Take somebody's password away; they come in by links again."""
    with store.change("", "remove password", f"person {person_id}", by=by) as cursor:
        cursor.execute("DELETE FROM passwords WHERE person_id = ?", [person_id])


def has_password(store: Store, person_id: str) -> bool:
    """Tell whether somebody has set a password."""
    return bool(fetch(store.cursor(), "FROM passwords WHERE person_id = ?", [person_id]))


def find_by_password(store: Store, name: str, password: str) -> Person | None:
    """Return who has this name and password; None for anybody else.

    A name that nobody has takes as long as one that somebody has. A hash made with other
    parameters than today's is renewed on the way.
    """
    rows = fetch(
        store.cursor(),
        "SELECT people.*, hash FROM people JOIN passwords USING (person_id) "
        "WHERE name = ? AND disabled_at IS NULL",
        [name.strip()],
    )
    given = _normalise(password)[: LONGEST + 1]
    if not rows:
        _verify(_nobodys_hash(), given)
        return None
    hashed = rows[0].pop("hash")
    if not _verify(hashed, given):
        return None
    person = Person(**rows[0])
    if _HASHER.check_needs_rehash(hashed):
        with store.database.write() as cursor:
            cursor.execute(
                "UPDATE passwords SET hash = ? WHERE person_id = ? AND hash = ?",
                [_HASHER.hash(given), person.person_id, hashed],
            )
    return person


def _check(password: str, person: Person) -> str:
    given = _normalise(password)
    if not SHORTEST <= len(given) <= LONGEST:
        raise BadInput(
            t(
                "a password has {lowest} to {highest} characters; a few words together are good",
                lowest=SHORTEST,
                highest=LONGEST,
            ),
            field="password",
        )
    if not given.casefold().replace(person.name.casefold(), "").strip(" 0123456789"):
        raise BadInput(t("a password is more than the name"), field="password")
    if len(set(given)) < 5:
        raise BadInput(t("a password has at least five different characters"), field="password")
    return given


def _normalise(password: str) -> str:
    """Return one form for what looks the same, however a keyboard composes it."""
    return unicodedata.normalize("NFKC", password)


def _verify(hashed: str, given: str) -> bool:
    try:
        return _HASHER.verify(hashed, given)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobodys_hash() -> str:
    return _HASHER.hash("nobody has this password")
