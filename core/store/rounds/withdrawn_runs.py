"""Runs that their makers took back: they leave later pools and the rankings, and stay on record."""

import pandas as pd

from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor, fetch, fetch_frame
from core.store.store import Store, utc_now

LONGEST_REASON = 500


def withdraw_run(
    store: Store,
    collection_id: str,
    system: str,
    *,
    replaced_by: str = "",
    reason: str = "",
    by: str = "",
) -> None:
    """Take a run out of later pools and of everything that ranks systems.

    Its lines stay stored, and so do the rounds that were opened with it and their labels.

    Parameters
    ----------
    replaced_by : str
        The run that stands in its place, where there is one; imported beforehand.

    Raises
    ------
    BadInput
        There is no such run, it is withdrawn already, the run in its place is not one that
        counts, or the reason is too long.
    """
    if len(reason) > LONGEST_REASON:
        raise BadInput(f"a reason has at most {LONGEST_REASON} characters", field="reason")
    fields = {"withdrawn": True, "replaced by": replaced_by or None, "reason": reason or None}
    detail = describe_change({"withdrawn": False, "replaced by": None, "reason": None}, fields)
    with store.change(collection_id, "withdraw", f"run {system}", detail, by) as cursor:
        counting = _list_counting(cursor, collection_id)
        if system not in counting:
            raise BadInput(f"there is no run of {system} that counts", field="system")
        if replaced_by and replaced_by not in counting - {system}:
            raise BadInput(
                f"there is no other run of {replaced_by} that counts; import it first",
                field="replaced_by",
            )
        cursor.execute(
            "INSERT INTO withdrawn_runs VALUES (?, ?, ?, ?, ?, ?, NULL)",
            [collection_id, system, replaced_by, reason, by, utc_now()],
        )


def reinstate_run(store: Store, collection_id: str, system: str, by: str = "") -> None:
    """Let a withdrawn run count again; raises BadInput where it is not withdrawn."""
    detail = describe_change({"withdrawn": True}, {"withdrawn": False})
    with store.change(collection_id, "reinstate", f"run {system}", detail, by) as cursor:
        rows = cursor.execute(
            "UPDATE withdrawn_runs SET reinstated_at = ? "
            "WHERE collection_id = ? AND system = ? AND reinstated_at IS NULL",
            [utc_now(), collection_id, system],
        ).fetchall()
        if rows != [(1,)]:
            raise BadInput(f"the run of {system} is not withdrawn", field="system")


def list_withdrawn(store: Store, collection_id: str) -> pd.DataFrame:
    """Return system, replaced_by, reason, withdrawn_by, withdrawn_at of what is withdrawn now."""
    return fetch_frame(
        store.cursor(),
        "SELECT system, replaced_by, reason, withdrawn_by, withdrawn_at FROM withdrawn_runs "
        "WHERE collection_id = ? AND reinstated_at IS NULL ORDER BY withdrawn_at, system",
        [collection_id],
    )


def list_counting(store: Store, collection_id: str) -> list[str]:
    """Return the systems of a collection whose runs are not withdrawn, in order."""
    return sorted(_list_counting(store.cursor(), collection_id))


def _list_counting(cursor: Cursor, collection_id: str) -> set[str]:
    rows = fetch(
        cursor,
        "SELECT DISTINCT system FROM run_lines WHERE collection_id = $1 AND system NOT IN ("
        "SELECT system FROM withdrawn_runs WHERE collection_id = $1 AND reinstated_at IS NULL)",
        [collection_id],
    )
    return {row["system"] for row in rows}
