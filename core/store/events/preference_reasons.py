"""Why one of two things is better: reasons that an organiser offers, and those that were given.

Reasons are stored in the transaction of the label event that they belong to.
"""

from collections.abc import Iterable, Sequence

import pandas as pd

from core.collection.records import PAIR
from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.events.current_labels import LATEST
from core.store.file.database import fetch, fetch_frame
from core.store.store import Store

MOST_REASONS = 8
LONGEST_REASON = 60
USUAL_REASONS = (
    "more relevant", "fresher", "less repetition", "more trustworthy",
    "easier to read", "more varied",
)  # fmt: skip
"""What is offered to an organiser who has chosen none."""

_GIVEN = f"""
    WITH current AS (
        SELECT min(sequence) AS sequence, max(sequence) AS latest FROM labels
        WHERE collection_id = $1 AND NOT stale AND sequence <= $2 AND facet LIKE '%{PAIR}'
        GROUP BY assessor_id, topic_id, document_id, facet, occasion)
    SELECT current.sequence AS sequence, reason FROM current
    JOIN (FROM labels WHERE collection_id = $1) AS label ON label.sequence = current.latest
    JOIN (FROM preference_reasons WHERE collection_id = $1) AS given
        ON given.event_id = label.event_id
    ORDER BY current.sequence, place"""


def list_reason_choices(store: Store, collection_id: str) -> tuple[str, ...]:
    """Return the reasons that assessors of a collection can choose from, in order; often none."""
    rows = fetch(
        store.cursor(),
        "SELECT reason FROM reason_choices WHERE collection_id = ? ORDER BY place",
        [collection_id],
    )
    return tuple(row["reason"] for row in rows)


def set_reason_choices(
    store: Store, collection_id: str, reasons: Sequence[str], by: str = ""
) -> None:
    """Offer these reasons from now on; none takes them away. Those that were given stay.

    Raises
    ------
    BadInput
        There are too many, or one is too long, or is there twice.
    """
    chosen = tuple(filter(None, (one.strip() for one in reasons)))
    if len(chosen) > MOST_REASONS:
        raise BadInput(f"there are at most {MOST_REASONS} reasons", field="reasons")
    if len({one.casefold() for one in chosen}) < len(chosen):
        raise BadInput("a reason is there twice", field="reasons")
    if any(len(one) > LONGEST_REASON for one in chosen):
        raise BadInput(f"a reason has at most {LONGEST_REASON} characters", field="reasons")
    before = list_reason_choices(store, collection_id)
    detail = describe_change({"reasons": "; ".join(before)}, {"reasons": "; ".join(chosen)})
    with store.change(collection_id, "set", "reasons of preferences", detail, by) as cursor:
        cursor.execute("DELETE FROM reason_choices WHERE collection_id = ?", [collection_id])
        for place, reason in enumerate(chosen):
            values = [collection_id, place, reason]
            cursor.execute("INSERT INTO reason_choices VALUES (?, ?, ?)", values)


def read_given_reasons(
    store: Store, collection_id: str, event_ids: Iterable[str]
) -> dict[str, list[str]]:
    """Return the reasons that were given with label events, by the id of the event."""
    rows = fetch(
        store.cursor(),
        "SELECT event_id::VARCHAR AS event_id, reason FROM preference_reasons "
        "WHERE collection_id = ? AND list_contains(?::VARCHAR[], event_id::VARCHAR) "
        "ORDER BY event_id, place",
        [collection_id, list(event_ids)],
    )
    given: dict[str, list[str]] = {}
    for row in rows:
        given.setdefault(row["event_id"], []).append(row["reason"])
    return given


def read_reasons(store: Store, collection_id: str, until: int = LATEST) -> pd.DataFrame:
    """Return the reasons of the preferences that stood at an event sequence.

    Returns
    -------
    DataFrame
        sequence (of the preference, as ``read_preferences`` has it), reason. A preference has a
        row for each of its reasons, in their order, and none without.
    """
    return fetch_frame(store.cursor(), _GIVEN, [collection_id, until])
