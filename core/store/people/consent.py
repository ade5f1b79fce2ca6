"""Consent to the use of one's data: the text of a collection, and what each person answered."""

import pandas as pd

from core.errors import BadInput
from core.language.translate import t
from core.store.audit.change_diff import describe_change
from core.store.file.database import fetch, fetch_frame
from core.store.people.members import list_members
from core.store.store import Store, utc_now

YES, NO, NOT_ASKED = "yes", "no", "not asked"
LONGEST_TEXT = 20_000

# An answer is to a text: who answered another one is to be asked again.
_CONSENTS = f"""
    SELECT assessor_id,
        CASE WHEN given THEN '{YES}' WHEN NOT given THEN '{NO}' ELSE '{NOT_ASKED}' END AS consent,
        answered_at AS consent_at
    FROM members LEFT JOIN (
        SELECT consents.* FROM consents
        LEFT JOIN consent_texts USING (collection_id)
        WHERE collection_id = $1 AND coalesce(consent_texts.text, consents.text) = consents.text
    ) AS answers ON answers.person_id = members.assessor_id
    WHERE members.collection_id = $1 AND ($2 = '' OR assessor_id = $2)
    ORDER BY assessor_id"""


def get_consent_text(store: Store, collection_id: str) -> str:
    """Return what people are asked to agree to; empty where nobody is asked."""
    sql = "SELECT text FROM consent_texts WHERE collection_id = ?"
    rows = fetch(store.cursor(), sql, [collection_id])
    return str(rows[0]["text"]) if rows else ""


def set_consent_text(store: Store, collection_id: str, text: str, by: str = "") -> None:
    """Ask everybody who judges here to agree to a text; an empty one asks nobody.

    Whoever answered another text before is asked again.

    Raises
    ------
    BadInput
        The text is too long.
    """
    text = text.strip()
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"a consent text has at most {LONGEST_TEXT:,} characters", field="text")
    before = {"consent text": get_consent_text(store, collection_id)}
    detail = describe_change(before, {"consent text": text})
    with store.change(collection_id, "edit", "collection", detail, by) as cursor:
        cursor.execute("DELETE FROM consent_texts WHERE collection_id = ?", [collection_id])
        if text:
            values = [collection_id, text, by, utc_now()]
            cursor.execute("INSERT INTO consent_texts VALUES (?, ?, ?, ?)", values)


def answer_consent(store: Store, collection_id: str, person_id: str, *, given: bool) -> None:
    """Take down what somebody answers to the text as it is now; another answer replaces it.

    Raises
    ------
    BadInput
        Nothing is asked here.
    """
    text = get_consent_text(store, collection_id)
    if not text:
        raise BadInput(t("no consent is asked for in this collection"), field="consent")
    before = {"consent": read_consent(store, collection_id, person_id)}
    detail = describe_change(before, {"consent": YES if given else NO})
    with store.change(collection_id, "answer", f"person {person_id}", detail, person_id) as cursor:
        cursor.execute(
            "INSERT OR REPLACE INTO consents VALUES (?, ?, ?, ?, ?)",
            [collection_id, person_id, given, text, utc_now()],
        )


def read_consents(store: Store, collection_id: str) -> pd.DataFrame:
    """Return assessor_id, consent (yes, no, not asked), consent_at (UTC) of every member."""
    return fetch_frame(store.cursor(), _CONSENTS, [collection_id, ""])


def read_roster(store: Store, collection_id: str) -> pd.DataFrame:
    """Return what ``list_members`` does, with consent and consent_at."""
    consents = read_consents(store, collection_id)
    return list_members(store, collection_id).merge(consents, on="assessor_id", how="left")


def read_consent(store: Store, collection_id: str, person_id: str) -> str:
    """Return what one member answered; 'not asked' also for who is none."""
    rows = fetch(store.cursor(), _CONSENTS, [collection_id, person_id])
    return str(rows[0]["consent"]) if rows else NOT_ASKED
