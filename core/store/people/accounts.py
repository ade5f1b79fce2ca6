"""E-mail addresses by which people sign in at an identity provider; the organiser enters them."""

from collections.abc import Mapping
from typing import Any

from core.collection.people_list import is_email
from core.errors import BadInput, NotAllowed
from core.language.translate import t
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor, fetch
from core.store.people.people import Person
from core.store.store import Store, utc_now

_LONGEST = 1_000
"""Of an identity: a provider's address and 255 signs, as the standard has it."""


def set_email(store: Store, person_id: str, email: str, by: str = "") -> None:
    """Let somebody sign in by single sign-on with this address; an empty one ends that.

    The identity that first comes with the address is the one that may come again.

    Raises
    ------
    BadInput
        This is no address, or another person's.
    """
    email = _fold(email.strip())
    if email and not is_email(email):
        raise BadInput(f"'{email}' is no e-mail address", field="email")
    with store.change("", "set e-mail", f"person {person_id}", by=by) as cursor:
        cursor.execute("DELETE FROM accounts WHERE person_id = ?", [person_id])
        if fetch(cursor, "FROM accounts WHERE email = ?", [email]):
            raise BadInput(f"'{email}' belongs to another person", field="email")
        if email:
            cursor.execute(
                "INSERT INTO accounts VALUES (?, ?, '', ?, ?)", [email, person_id, by, utc_now()]
            )


def list_emails(store: Store) -> dict[str, str]:
    """Return the address of everybody who has one, by the person's id."""
    rows = fetch(store.cursor(), "SELECT person_id, email FROM accounts")
    return {row["person_id"]: row["email"] for row in rows}


def find_by_claims(store: Store, claims: Mapping[str, Any]) -> Person:
    """Return the invited person whom an identity provider vouches for.

    Parameters
    ----------
    claims : mapping
        Of an ID token whose signature has been checked: ``iss``, ``sub``, ``email`` and
        ``email_verified``.

    Raises
    ------
    NotAllowed
        The provider has not verified the address, nobody was invited with it, or it was used
        by another identity before.
    """
    email, subject = _fold(str(claims.get("email") or "")), str(claims.get("sub") or "")
    if not subject or claims.get("email_verified") is not True:
        raise NotAllowed(t("Your identity provider has not confirmed your e-mail address."))
    identity = f"{claims.get('iss', '')} {subject}"
    if not _is_readable(identity) or not _is_readable(email):
        raise NotAllowed(t("What your identity provider says of you cannot be read."))
    person, known = _find(store.cursor(), email)
    if not known:
        detail = describe_change({}, {"identity": identity})
        subject = f"person {person.person_id}"
        with store.change("", "link identity", subject, detail, person.person_id) as cursor:
            cursor.execute(
                "UPDATE accounts SET subject = ? WHERE email = ? AND subject = ''",
                [identity, email],
            )
        known = _find(store.cursor(), email)[1]
    if known != identity:
        raise NotAllowed(t("This address belongs to another identity. Ask the organiser."))
    return person


def _fold(email: str) -> str:
    """Return an address in small letters; what is no ASCII stays so, as it is another address.

    The Kelvin sign has a small k, and what is folded for comparing has ss in place of a sharp s.
    """
    return "".join(
        one.lower() if one.isascii() or not one.lower().isascii() else one for one in email
    )


def _is_readable(text: str) -> bool:
    return len(text) <= _LONGEST and text.isprintable()


def _find(cursor: Cursor, email: str) -> tuple[Person, str]:
    rows = fetch(
        cursor,
        "SELECT people.*, subject FROM people JOIN accounts USING (person_id) "
        "WHERE email = ? AND disabled_at IS NULL",
        [email],
    )
    if not rows:
        raise NotAllowed(t("Nobody was invited with your e-mail address. Ask the organiser."))
    subject = rows[0].pop("subject")
    return Person(**rows[0]), subject
