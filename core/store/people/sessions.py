"""Where people are signed in, ending that, and shutting somebody out for good."""

from dataclasses import dataclass
from datetime import datetime

from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor, fetch
from core.store.people.people import LIVE_SESSION, find_person, live_now
from core.store.store import Store, utc_now


@dataclass(frozen=True)
class Session:
    """One browser in which somebody is signed in.

    ``session_id`` is the hash of its token: it names the session and lets nobody in. ``how``
    tells by what they came: an invitation, a password, a class.
    """

    session_id: str
    person_id: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    how: str


def list_sessions(store: Store, person_id: str = "") -> list[Session]:
    """Return the sessions that are alive, of one person or of all, the latest used first."""
    rows = fetch(
        store.cursor(),
        "SELECT token_hash AS session_id, person_id, sessions.created_at, "
        "coalesce(seen_at, sessions.created_at) AS seen_at, expires_at, coalesce(how, '') AS how "
        f"FROM sessions JOIN people USING (person_id) WHERE {LIVE_SESSION} "
        "AND ($person = '' OR person_id = $person) ORDER BY seen_at DESC",
        {"person": person_id, **live_now()},
    )
    return [Session(**row) for row in rows]


def end_sessions(
    store: Store, person_id: str, *, only: str = "", keep: str = "", by: str = ""
) -> int:
    """End the sessions of a person: all, one by its id, or all but one; returns how many."""
    with store.change("", "end sessions", f"person {person_id}", by=by) as cursor:
        return close_sessions(cursor, person_id, only=only, keep=keep)


def close_sessions(cursor: Cursor, person_id: str, *, only: str = "", keep: str = "") -> int:
    """End sessions within a transaction that has its own reason to; returns how many."""
    ended = cursor.execute(
        "UPDATE sessions SET ended_at = $now WHERE person_id = $person AND ended_at IS NULL "
        "AND token_hash <> $keep AND ($only = '' OR token_hash = $only)",
        {"now": utc_now(), "person": person_id, "keep": keep, "only": only},
    ).fetchone()
    return int(ended[0]) if ended else 0


def disable_person(store: Store, person_id: str, by: str = "") -> None:
    """Shut somebody out: their sessions, tokens and invitations end, and no password lets them in.

    What they judged stays.

    Raises
    ------
    BadInput
        Nobody would be left to organise.
    """
    with store.change(
        "", "disable", f"person {person_id}", describe_change({}, {"disabled": True}), by
    ) as cursor:
        now = utc_now()
        cursor.execute("UPDATE people SET disabled_at = ? WHERE person_id = ?", [now, person_id])
        left = fetch(cursor, "FROM people WHERE role = 'organiser' AND disabled_at IS NULL")
        if not left:
            raise BadInput("this store needs at least one organiser", field="person")
        close_sessions(cursor, person_id)
        cursor.execute(
            "UPDATE invitations SET expires_at = ? WHERE person_id = ? AND used_at IS NULL",
            [now, person_id],
        )
        cursor.execute(
            "UPDATE tokens SET ended_at = ? WHERE person_id = ? AND ended_at IS NULL",
            [now, person_id],
        )


def enable_person(store: Store, person_id: str, by: str = "") -> None:
    """Let somebody sign in again who was shut out; they need a new link, or their password.

    Raises
    ------
    BadInput
        They were erased, for good.
    """
    if find_person(store, person_id).erased_at:
        raise BadInput("they were erased: invite them anew", field="person")
    detail = describe_change({"disabled": True}, {})
    with store.change("", "enable", f"person {person_id}", detail, by) as cursor:
        cursor.execute("UPDATE people SET disabled_at = NULL WHERE person_id = ?", [person_id])
