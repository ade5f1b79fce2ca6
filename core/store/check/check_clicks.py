"""Proof that click logs are whole: each part belongs to a log, and the pages can be read."""

from collections.abc import Iterator
from dataclasses import replace

from core.collection.click_logs.packing import unpack_pages
from core.errors import BadInput
from core.store.check.integrity import CheckResult, Proof, make_fault
from core.store.clicks.click_logs import PARTS, fetch_blocks
from core.store.file.database import Cursor, fetch
from core.store.store import Store

_WHO = "concat('collection ', collection_id, ': ', name)"
_COUNTS = {
    "queries": ("click_queries", "count(*)", "query"),
    "items": ("click_items", "count(*)", "item"),
    "pages": ("click_blocks", "sum(pages)", "block"),
}


def _miscounted(what: str) -> str:
    table, counted, number = _COUNTS[what]
    return f"""
        SELECT {_WHO} FROM click_logs LEFT JOIN (
            SELECT collection_id, name, {counted} AS held, count(*) AS rows_held,
                max({number}) + 1 AS next_number, count(DISTINCT {number}) AS numbers
            FROM {table} GROUP BY ALL) AS parts USING (collection_id, name)
        WHERE held IS DISTINCT FROM {what} OR rows_held <> next_number OR rows_held <> numbers"""


_PROOF = Proof(
    "click logs",
    "Every page, query and item belongs to a click log, none is missing, and all pages can be "
    "read.",
    "logs",
    "SELECT count(*) FROM click_logs",
    {
        "a part belongs to no click log": " UNION ALL ".join(
            f"SELECT DISTINCT {_WHO} FROM {table} ANTI JOIN click_logs USING (collection_id, name)"
            for table in PARTS
        ),
        **{f"a log has not all its {what}": _miscounted(what) for what in _COUNTS},
        "an item is of a query that the log has not": f"""
            SELECT {_WHO} FROM click_items
            ANTI JOIN click_queries USING (collection_id, name, query)""",
    },
)


def check_clicks(store: Store) -> CheckResult:
    """Look for parts of click logs that are missing or cannot be read."""
    found = _PROOF.check(store)
    damaged = list(_find_damaged(store.cursor()))
    return replace(
        found, faults=(*found.faults, *make_fault("pages of a log cannot be read", damaged))
    )


def _find_damaged(cursor: Cursor) -> Iterator[str]:
    """Yield which blocks of logs are damaged, or count otherwise than their log."""
    logs = fetch(cursor, "FROM click_logs ORDER BY collection_id, name")
    for log in logs:
        who = f"collection {log['collection_id']}: {log['name']}"
        clicks, latest, is_whole = 0, -1, True
        for row in fetch_blocks(cursor, log["collection_id"], log["name"]):
            try:
                session, item, clicked = unpack_pages(row)
            except BadInput:
                is_whole = False
                yield f"{who}, block {row['block']}"
                continue
            clicks, latest = clicks + int(clicked.sum()), max(latest, int(session.max()))
            inside = item.min() >= -1 and item.max() < log["items"] and row["depth"] <= log["depth"]
            if not inside or (clicked & (item < 0)).any() or session.min() < 0:
                is_whole = False
                yield f"{who}, block {row['block']}"
        if is_whole and (clicks, latest + 1) != (log["clicks"], log["sessions"]):
            yield who
