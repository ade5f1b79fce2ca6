"""Personal tokens: programs ask with them in somebody's name; they are kept as hashes only."""

import secrets
from collections.abc import Collection as Some
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.errors import BadInput, NotFound, StoreFull, StoreUnreachable
from core.language.translate import t
from core.store.audit.change_diff import describe_change
from core.store.content.collections import get_collection
from core.store.file.database import Cursor, fetch
from core.store.people.people import AHEAD, Person, find_invited, find_person, hash_token
from core.store.people.token_scopes import JUDGE, LONGEST_DAYS, READ, SCOPES, WRITE
from core.store.store import Store, utc_now

PREFIX = "dissent_"
"""What every token begins with, so that those who look for leaked secrets find it."""


MOST_TOKENS = 20
LONGEST_NAME = 100

LIVE_TOKEN = """ended_at IS NULL AND disabled_at IS NULL AND expires_at > $now
    AND tokens.created_at - $ahead <= $now"""
"""Of ``people JOIN tokens``: which ones still let a program in."""

_COLUMNS = (
    "token_id, person_id, tokens.name AS name, scopes, coalesce(collection_id, '') AS "
    "collection_id, tokens.created_at, expires_at, seen_at"
)
_NOTED_EVERY = timedelta(minutes=5)


@dataclass(frozen=True)
class Token:
    """One token, without what proves it.

    ``collection_id`` is empty where it is for all that its person may see. ``seen_at`` is when it
    was last used, give or take five minutes; None before.
    """

    token_id: str
    person_id: str
    name: str
    scopes: tuple[str, ...]
    collection_id: str
    created_at: datetime
    expires_at: datetime
    seen_at: datetime | None


def make_token(
    store: Store,
    person_id: str,
    name: str,
    scopes: Some[str],
    *,
    collection_id: str = "",
    days: int = 90,
    by: str = "",
) -> str:
    """Return a new token, which is known nowhere else.

    Parameters
    ----------
    name : str
        What it is for, so that its person knows it again.
    scopes : collection of str
        Of those that the person's role allows: see `SCOPES`.
    collection_id : str
        The one collection that it is for; empty for all that the person may see.
    days : int
        After how many days it ends.

    Raises
    ------
    BadInput
        One of these cannot be had, or the person has as many tokens as one may have.
    NotFound
        There is no such person or collection.
    """
    role = find_person(store, person_id).role
    name = _check_name(name)
    _check_scopes(scopes, role)
    if collection_id:
        get_collection(store, collection_id)
    if not 1 <= days <= LONGEST_DAYS:
        raise BadInput(t("a token lasts from 1 to {n} days", n=LONGEST_DAYS), field="days")
    token_id = f"t-{secrets.token_hex(4)}"
    detail = {"token": token_id, "name": name, "scopes": " ".join(_order(scopes)), "days": days}
    detail |= {"for": collection_id} if collection_id else {}
    subject = f"person {person_id}"
    with store.change("", "make token", subject, describe_change({}, detail), by) as cursor:
        if len(_find_live(cursor, person_id)) >= MOST_TOKENS:
            raise BadInput(t("one has at most {n} tokens; end one", n=MOST_TOKENS), field="token")
        return _insert(cursor, token_id, person_id, name, scopes, collection_id, days)


def accept_with_token(store: Store, invitation: str, name: str, days: int) -> str:
    """Use an invitation up, as a browser would, and return a token of whom it is for.

    Raises
    ------
    NotAllowed
        The invitation is unknown, used or expired.
    BadInput
        The name or the days cannot be had; the invitation can still be used.
    """
    name = _check_name(name)
    if not 1 <= days <= LONGEST_DAYS:
        raise BadInput(t("a token lasts from 1 to {n} days", n=LONGEST_DAYS), field="days")
    person = find_invited(store, invitation)
    token_id, scopes = f"t-{secrets.token_hex(4)}", SCOPES[person.role]
    fields = {"token": token_id, "name": name, "scopes": " ".join(scopes), "days": days}
    detail = f"by invitation; {describe_change({}, fields)}"
    subject = f"person {person.person_id}"
    with store.change("", "make token", subject, detail, person.person_id) as cursor:
        find_invited(store, invitation)
        cursor.execute(
            "UPDATE invitations SET used_at = ? WHERE token_hash = ?",
            [utc_now(), hash_token(invitation)],
        )
        return _insert(cursor, token_id, person.person_id, name, scopes, "", days)


def find_token(store: Store, token: str) -> tuple[Token, Person] | None:
    """Return what a token allows and whose it is, and note that it is in use.

    None when it is unknown, ended or expired, or when its person was shut out.

    Raises
    ------
    StoreUnreachable
        Nothing is heard of the database: the token may have ended.
    """
    store.require_reach()
    now = utc_now()
    rows = _find(store, token, now)
    if not rows:  # it may have been made on another server a moment ago
        store.refresh()
        rows = _find(store, token, now)
    if not rows:
        return None
    found = _read(rows[0])
    if found.seen_at is None or now - found.seen_at > _NOTED_EVERY:
        # On a full disk programs may still read.
        with suppress(StoreFull, StoreUnreachable), store.database.write() as cursor:
            cursor.execute(
                "UPDATE tokens SET seen_at = ? WHERE token_id = ?", [now, found.token_id]
            )
    return found, find_person(store, found.person_id)


def _find(store: Store, token: str, now: datetime) -> list[dict[str, Any]]:
    return fetch(
        store.cursor(),
        f"SELECT {_COLUMNS} FROM people JOIN tokens USING (person_id) "
        f"WHERE token_hash = $hash AND {LIVE_TOKEN}",
        {"hash": hash_token(token), "now": now, "ahead": AHEAD},
    )


def list_tokens(store: Store, person_id: str = "") -> list[Token]:
    """Return the tokens that are alive, of one person or of all, the newest first."""
    return [_read(row) for row in _find_live(store.cursor(), person_id)]


def end_token(store: Store, token_id: str, *, person_id: str = "", by: str = "") -> None:
    """End a token for good.

    Parameters
    ----------
    person_id : str
        Only a token of this person; empty for anybody's.

    Raises
    ------
    NotFound
        There is no such token that is alive.
    """
    known = {one.token_id: one for one in list_tokens(store, person_id)}
    if token_id not in known:
        raise NotFound(f"There is no token {token_id}.")
    detail = describe_change({"token": token_id}, {})
    subject = f"person {known[token_id].person_id}"
    with store.change("", "end token", subject, detail, by) as cursor:
        cursor.execute(
            "UPDATE tokens SET ended_at = ? WHERE token_id = ? AND ended_at IS NULL",
            [utc_now(), token_id],
        )


def _find_live(cursor: Cursor, person_id: str) -> list[dict[str, object]]:
    return fetch(
        cursor,
        f"SELECT {_COLUMNS} FROM people JOIN tokens USING (person_id) "
        f"WHERE {LIVE_TOKEN} AND ($person = '' OR person_id = $person) "
        "ORDER BY tokens.created_at DESC, token_id",
        {"person": person_id, "now": utc_now(), "ahead": AHEAD},
    )


def _insert(
    cursor: Cursor,
    token_id: str,
    person_id: str,
    name: str,
    scopes: Some[str],
    collection_id: str,
    days: int,
) -> str:
    token, now = PREFIX + secrets.token_urlsafe(32), utc_now()
    cursor.execute(
        "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, nullif(?, ''), ?, ?, NULL, NULL)",
        [
            token_id, hash_token(token), person_id, name, " ".join(_order(scopes)),
            collection_id, now, now + timedelta(days=days),
        ],
    )  # fmt: skip
    return token


def _check_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadInput(
            t("a token needs a name of at most {n} characters", n=LONGEST_NAME), field="name"
        )
    return name


def _check_scopes(scopes: Some[str], role: str) -> None:
    allowed = SCOPES[role]
    if not scopes or not set(scopes) <= set(allowed):
        listed = ", ".join(allowed)
        raise BadInput(t("this person's tokens may allow: {items}", items=listed), field="scopes")


def _order(scopes: Some[str]) -> list[str]:
    return [one for one in (READ, WRITE, JUDGE) if one in scopes]


def _read(row: dict[str, object]) -> Token:
    return Token(**{**row, "scopes": tuple(str(row["scopes"]).split())})  # type: ignore[arg-type]
