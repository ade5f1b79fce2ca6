"""People, their invitations and sessions; tokens are kept as hashes only."""

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.errors import BadInput, NotAllowed, NotFound, StoreFull, StoreUnreachable
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor, fetch
from core.store.store import Store, utc_now

ROLES = ("organiser", "assessor", "viewer")
INVITATION_LASTS = timedelta(days=7)
SESSION_LASTS = timedelta(days=30)
SESSION_IDLE = timedelta(days=14)
"""A session that nobody uses for so long ends by itself."""

AHEAD = timedelta(days=1)
"""How far the clock of whoever let somebody in may have been ahead.

A session that began later than that is none: it would last for as long as the clock was ahead, too.
"""

LIVE_SESSION = """ended_at IS NULL AND disabled_at IS NULL AND expires_at > $now
    AND coalesce(seen_at, sessions.created_at) > $now - $idle
    AND sessions.created_at - $ahead <= $now"""
"""Of ``people JOIN sessions``: which ones still let somebody in."""

_NOTED_EVERY = timedelta(minutes=5)


@dataclass(frozen=True)
class Person:
    """Somebody who may sign in, in one role; of whom was erased only the code is left."""

    person_id: str
    name: str
    role: str
    created_at: datetime
    disabled_at: datetime | None
    erased_at: datetime | None = None


def add_person(store: Store, name: str, role: str, by: str = "") -> str:
    """Add a person and return the id.

    Raises
    ------
    BadInput
        The name is empty or taken, or the role unknown.
    """
    name = name.strip()
    if role not in ROLES:
        raise BadInput(f"the role is one of {', '.join(ROLES)}", field="role")
    if not name:
        raise BadInput("a person needs a name or a pseudonym", field="name")
    if any(person.name == name for person in list_people(store)):
        raise BadInput(f"there is already somebody called '{name}'", field="name")
    person_id = make_person_id()
    detail = describe_change({}, {"name": name, "role": role})
    with store.change("", "add", f"person {person_id}", detail, by) as cursor:
        insert_person(cursor, person_id, name, role)
    return person_id


def make_person_id() -> str:
    """Return an id for a new person."""
    return "p-" + secrets.token_hex(4)


def insert_person(cursor: Cursor, person_id: str, name: str, role: str) -> None:
    """Store a new person."""
    cursor.execute(
        "INSERT INTO people (person_id, name, role, created_at) VALUES (?, ?, ?, ?)",
        [person_id, name, role, utc_now()],
    )


def list_people(store: Store) -> list[Person]:
    """Return everybody who may sign in, or once could."""
    return [Person(**row) for row in fetch(store.cursor(), "FROM people ORDER BY created_at")]


def find_person(store: Store, person_id: str) -> Person:
    """Return somebody by id; raises NotFound."""
    rows = fetch(store.cursor(), "FROM people WHERE person_id = ?", [person_id])
    if not rows:
        raise NotFound(f"There is nobody with the id {person_id}.")
    return Person(**rows[0])


def is_organised(store: Store) -> bool:
    """Tell whether an organiser is signed in somewhere.

    A password alone does not count: it may be forgotten, or not to be used while somebody else
    guesses at it.
    """
    rows = fetch(
        store.cursor(),
        "SELECT person_id FROM people JOIN sessions USING (person_id) "
        f"WHERE role = 'organiser' AND {LIVE_SESSION} LIMIT 1",
        live_now(),
    )
    return bool(rows)


def live_now() -> dict[str, Any]:
    """Return the values that `LIVE_SESSION` asks for."""
    return {"now": utc_now(), "idle": SESSION_IDLE, "ahead": AHEAD}


def invite(store: Store, person_id: str, by: str = "", lasts: timedelta = INVITATION_LASTS) -> str:
    """Return the token of a new single-use invitation; earlier unused ones end."""
    with store.change("", "invite", f"person {person_id}", "", by) as cursor:
        cursor.execute(
            "UPDATE invitations SET expires_at = ? WHERE person_id = ? AND used_at IS NULL",
            [utc_now(), person_id],
        )
        return insert_invitation(cursor, person_id, lasts)


def insert_invitation(cursor: Cursor, person_id: str, lasts: timedelta = INVITATION_LASTS) -> str:
    """Store a new invitation and return its token, which is known nowhere else."""
    token = secrets.token_urlsafe(24)
    cursor.execute(
        "INSERT INTO invitations VALUES (?, ?, ?, NULL)",
        [hash_token(token), person_id, utc_now() + lasts],
    )
    return token


def find_invited(store: Store, token: str) -> Person:
    """Return whom an invitation is for; raises NotAllowed when it does not hold (any more)."""
    return _invited(store.cursor(), token)


def find_inviter(store: Store, person_id: str) -> str:
    """Return the name of whoever invited somebody last; empty when nobody is known to have."""
    rows = fetch(
        store.cursor(),
        "SELECT people.name FROM changes JOIN people USING (person_id) "
        "WHERE what = 'invite' AND subject = ? AND erased_at IS NULL AND person_id <> ? "
        "ORDER BY time DESC LIMIT 1",
        [f"person {person_id}", person_id],
    )
    return str(rows[0]["name"]) if rows else ""


def accept_invitation(store: Store, token: str) -> str:
    """Use an invitation up and return the token of a new session.

    Raises
    ------
    NotAllowed
        The invitation is unknown, used or expired.
    """
    invited = find_invited(store, token).person_id
    subject = f"person {invited}"
    with store.change("", "sign in", subject, "by invitation", invited) as cursor:
        person = _invited(cursor, token)
        cursor.execute(
            "UPDATE invitations SET used_at = ? WHERE token_hash = ?",
            [utc_now(), hash_token(token)],
        )
        return insert_session(cursor, person.person_id, how="invitation")


def begin_session(store: Store, person_id: str, how: str = "") -> str:
    """Return the token of a new session for a person whose identity is already established."""
    with store.change("", "sign in", f"person {person_id}", how, person_id) as cursor:
        return insert_session(cursor, person_id, how=how)


def insert_session(
    cursor: Cursor,
    person_id: str,
    lasts: timedelta = SESSION_LASTS,
    how: str = "",
    *,
    is_used: bool = True,
) -> str:
    """Store a new session and return its token, which is known nowhere else.

    Parameters
    ----------
    lasts : timedelta
        When it ends at the latest; without use it ends after `SESSION_IDLE`.
    how : str
        By what somebody signed in, for the list of their sessions.
    is_used : bool
        Whether this counts as its first use; else the first request does.
    """
    token, now = secrets.token_urlsafe(32), utc_now()
    cursor.execute(
        "INSERT INTO sessions (token_hash, person_id, created_at, expires_at, seen_at, how) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [hash_token(token), person_id, now, now + lasts, now if is_used else None, how],
    )
    return token


def find_session(store: Store, token: str, *, is_use: bool = True) -> Person | None:
    """Return whose session this is; None when it is unknown, ended or expired."""
    return find_by_session(store, hash_token(token), is_use=is_use)


def find_by_session(store: Store, session_id: str, *, is_use: bool = True) -> Person | None:
    """Return whose session has this id, the hash of its token, and note it where it is used.

    Raises
    ------
    StoreUnreachable
        It is not known here, and what other servers know cannot be asked.
    """
    now = utc_now()
    found = _look_up(store, session_id)
    if found is None:  # it may have begun on another server a moment ago
        store.refresh()
        found = _look_up(store, session_id)
    if found is None or found.ends_at <= now or found.begun_at - AHEAD > now:
        return None
    if is_use and (found.seen_at is None or now - found.seen_at > _NOTED_EVERY):
        # On a full disk people still get in: to judge, which their browser keeps, and to read.
        with suppress(StoreFull, StoreUnreachable), store.database.write() as cursor:
            cursor.execute(
                "UPDATE sessions SET seen_at = ? WHERE token_hash = ?", [now, session_id]
            )
    return found.person


@dataclass(frozen=True)
class _Session:
    """Whose session it is, when it began, was last noted to be in use, and ends unless it is."""

    person: Person
    begun_at: datetime
    seen_at: datetime | None
    ends_at: datetime


def _look_up(store: Store, session_id: str) -> _Session | None:
    return store.remember(("session", session_id), lambda: _read_session(store, session_id))


def _read_session(store: Store, session_id: str) -> _Session | None:
    """Return a session that nobody has ended, of a person who may come in."""
    rows = fetch(
        store.cursor(),
        "SELECT people.*, sessions.created_at AS begun_at, seen_at, "
        "least(expires_at, coalesce(seen_at, sessions.created_at) + $2) AS ends_at "
        "FROM people JOIN sessions USING (person_id) "
        "WHERE token_hash = $1 AND ended_at IS NULL AND disabled_at IS NULL",
        [session_id, SESSION_IDLE],
    )
    if not rows:
        return None
    begun, seen, ends = (rows[0].pop(name) for name in ("begun_at", "seen_at", "ends_at"))
    return _Session(Person(**rows[0]), begun, seen, ends)


def end_session(store: Store, token: str) -> None:
    """Sign out; a token of no session, or of one that has ended, changes nothing."""
    person = find_session(store, token)
    if person is None:
        return
    by = person.person_id
    with store.change("", "sign out", f"person {by}", by=by) as cursor:
        cursor.execute(
            "UPDATE sessions SET ended_at = ? WHERE token_hash = ? AND ended_at IS NULL",
            [utc_now(), hash_token(token)],
        )


def _invited(cursor: Cursor, token: str) -> Person:
    rows = fetch(
        cursor,
        "SELECT people.* FROM people JOIN invitations USING (person_id) WHERE token_hash = ? "
        "AND used_at IS NULL AND expires_at > ? AND expires_at <= ? AND disabled_at IS NULL",
        [hash_token(token), utc_now(), utc_now() + INVITATION_LASTS + AHEAD],
    )
    if not rows:
        raise NotAllowed(
            "This invitation has been used, or has expired. Ask the organiser for a new one."
        )
    return Person(**rows[0])


def hash_token(token: str) -> str:
    """Return what the store keeps of a token: it proves the token and does not give it away."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
