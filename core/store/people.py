"""People, their invitations and sessions; tokens are kept as hashes only."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.errors import BadInput, NotAllowed
from core.store.alteration import describe_alteration
from core.store.database import Cursor, fetch
from core.store.store import Store, utc_now

ROLES = ("organiser", "assessor")
INVITATION_LASTS = timedelta(days=7)
SESSION_LASTS = timedelta(days=30)


@dataclass(frozen=True)
class Person:
    """Somebody who may sign in, in one role."""

    person_id: str
    name: str
    role: str
    created_at: datetime
    disabled_at: datetime | None


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
    detail = describe_alteration({}, {"name": name, "role": role})
    with store.change("", "add", f"person {person_id}", detail, by) as cursor:
        insert_person(cursor, person_id, name, role)
    return person_id


def make_person_id() -> str:
    """Return an id for a new person."""
    return "p-" + secrets.token_hex(4)


def insert_person(cursor: Cursor, person_id: str, name: str, role: str) -> None:
    """Store a new person."""
    cursor.execute(
        "INSERT INTO people VALUES (?, ?, ?, ?, NULL)", [person_id, name, role, utc_now()]
    )


def list_people(store: Store) -> list[Person]:
    """Return everybody who may sign in, or once could."""
    return [Person(**row) for row in fetch(store.cursor(), "FROM people ORDER BY created_at")]


def has_organiser(store: Store) -> bool:
    """Tell whether an organiser has ever signed in."""
    rows = fetch(
        store.cursor(),
        "FROM people SEMI JOIN sessions USING (person_id) WHERE role = 'organiser'",
    )
    return bool(rows)


def invite(store: Store, person_id: str, by: str = "") -> str:
    """Return the token of a new single-use invitation; earlier unused ones end."""
    token = secrets.token_urlsafe(24)
    now = utc_now()
    with store.change("", "invite", f"person {person_id}", "", by) as cursor:
        cursor.execute(
            "UPDATE invitations SET expires_at = ? WHERE person_id = ? AND used_at IS NULL",
            [now, person_id],
        )
        cursor.execute(
            "INSERT INTO invitations VALUES (?, ?, ?, NULL)",
            [_hash(token), person_id, now + INVITATION_LASTS],
        )
    return token


def find_invited(store: Store, token: str) -> Person:
    """Return whom an invitation is for; raises NotAllowed when it does not hold (any more)."""
    return _invited(store.cursor(), token)


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
            "UPDATE invitations SET used_at = ? WHERE token_hash = ?", [utc_now(), _hash(token)]
        )
        return insert_session(cursor, person.person_id)


def begin_session(store: Store, person_id: str) -> str:
    """Return the token of a new session for a person whose identity is already established."""
    with store.change("", "sign in", f"person {person_id}", by=person_id) as cursor:
        return insert_session(cursor, person_id)


def insert_session(cursor: Cursor, person_id: str, lasts: timedelta = SESSION_LASTS) -> str:
    """Store a new session and return its token."""
    token, now = secrets.token_urlsafe(32), utc_now()
    cursor.execute(
        "INSERT INTO sessions VALUES (?, ?, ?, ?, NULL)",
        [_hash(token), person_id, now, now + lasts],
    )
    return token


def find_session(store: Store, token: str) -> Person | None:
    """Return whose session this is; None when it is unknown, ended or expired."""
    rows = fetch(
        store.cursor(),
        "SELECT people.* FROM people JOIN sessions USING (person_id) WHERE token_hash = ? "
        "AND ended_at IS NULL AND expires_at > ? AND disabled_at IS NULL",
        [_hash(token), utc_now()],
    )
    return Person(**rows[0]) if rows else None


def end_session(store: Store, token: str) -> None:
    """Sign out."""
    person = find_session(store, token)
    person_id = person.person_id if person else ""
    with store.change("", "sign out", f"person {person_id}".strip(), by=person_id) as cursor:
        cursor.execute(
            "UPDATE sessions SET ended_at = ? WHERE token_hash = ?", [utc_now(), _hash(token)]
        )


def _invited(cursor: Cursor, token: str) -> Person:
    rows = fetch(
        cursor,
        "SELECT people.* FROM people JOIN invitations USING (person_id) WHERE token_hash = ? "
        "AND used_at IS NULL AND expires_at > ? AND disabled_at IS NULL",
        [_hash(token), utc_now()],
    )
    if not rows:
        raise NotAllowed(
            "This invitation has been used, or has expired. Ask the organiser for a new one."
        )
    return Person(**rows[0])


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
