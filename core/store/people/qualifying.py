"""The qualifying test of a collection: its pass mark, first answers, and who is let in anyway."""

from collections.abc import Sequence

import pandas as pd

from core.errors import BadInput, NotFound
from core.store.audit.change_diff import describe_change
from core.store.events.labels import PRACTICE
from core.store.file.database import fetch, fetch_frame
from core.store.store import Store, utc_now

# The first answer counts: after it the right level is shown.
_ANSWERS = f"""
    WITH answers AS (
        SELECT assessor_id, topic_id, document_id, facet, engine,
            arg_min({{'state': state, 'level': level}}, sequence) AS answer
        FROM labels WHERE collection_id = $1 AND occasion = {PRACTICE} AND NOT stale
            AND state IN ('level', 'cannot judge') AND list_contains($2::VARCHAR[], facet)
        GROUP BY ALL),
    counted AS (SELECT facet, level, counts_as FROM levels WHERE collection_id = $1)
    SELECT assessor_id, count(*) AS answered,
        count(*) FILTER (WHERE given.counts_as = due.counts_as) AS "right"
    FROM answers
    JOIN (FROM practice WHERE collection_id = $1) AS items
        USING (topic_id, document_id, facet, engine)
    LEFT JOIN counted AS given
        ON given.facet = answers.facet AND given.level = answers.answer.level
    LEFT JOIN counted AS due ON due.facet = items.facet AND due.level = items.level
    WHERE $3 = '' OR assessor_id = $3
    GROUP BY assessor_id ORDER BY assessor_id"""


def get_pass_mark(store: Store, collection_id: str) -> float | None:
    """Return the share of practice items that has to be right; None where there is no test."""
    sql = "SELECT mark FROM pass_marks WHERE collection_id = ?"
    rows = fetch(store.cursor(), sql, [collection_id])
    return float(rows[0]["mark"]) if rows else None


def set_pass_mark(store: Store, collection_id: str, mark: float | None, by: str = "") -> None:
    """Make a qualifying test of the practice items, change its mark, or end it with None.

    Raises
    ------
    BadInput
        The mark is no share above 0.
    """
    if mark is not None and not 0 < mark <= 1:
        raise BadInput("a pass mark is above 0 and at most 100 %", field="mark")
    detail = describe_change(
        {"pass mark": get_pass_mark(store, collection_id)}, {"pass mark": mark}
    )
    with store.change(collection_id, "set", "practice items", detail, by) as cursor:
        cursor.execute("DELETE FROM pass_marks WHERE collection_id = ?", [collection_id])
        if mark is not None:
            values = [collection_id, mark, by, utc_now()]
            cursor.execute("INSERT INTO pass_marks VALUES (?, ?, ?, ?)", values)


def read_test_answers(
    store: Store, collection_id: str, facets: Sequence[str], assessor_id: str = ""
) -> pd.DataFrame:
    """Return assessor_id, answered, right of everybody, or one, who has answered practice items.

    Items that are still set count, with the first answer to each. It is right when it counts as
    the same level; *cannot judge* is not.
    """
    values = [collection_id, list(facets), assessor_id]
    return fetch_frame(store.cursor(), _ANSWERS, values)


def list_admitted(store: Store, collection_id: str) -> set[str]:
    """Return the ids of those whom the organiser has let in, whatever their test says."""
    rows = fetch(
        store.cursor(),
        "SELECT assessor_id FROM members WHERE collection_id = ? AND admitted_at IS NOT NULL",
        [collection_id],
    )
    return {row["assessor_id"] for row in rows}


def admit(
    store: Store, collection_id: str, assessor_id: str, *, admitted: bool, by: str = ""
) -> None:
    """Let a member judge whatever their test says, or leave it to the test again.

    Raises
    ------
    NotFound
        There is no such member.
    """
    detail = describe_change({"let in": not admitted}, {"let in": admitted})
    with store.change(collection_id, "let in", f"assessor {assessor_id}", detail, by) as cursor:
        done = cursor.execute(
            "UPDATE members SET admitted_at = ? WHERE collection_id = ? AND assessor_id = ?",
            [utc_now() if admitted else None, collection_id, assessor_id],
        ).fetchone()
        if not (done and done[0]):
            raise NotFound(f"There is no assessor {assessor_id} in this collection.")
