"""The click logs of a collection: which there are, what they hold, and how one is deleted."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from core.collection.records import Import
from core.errors import BadInput, NotFound
from core.store.file.database import Cursor, fetch, fetch_frame
from core.store.store import Store, utc_now

_AT_ONCE = 64
"""Blocks that are fetched together: some 40 MB."""


def list_click_logs(store: Store, collection_id: str) -> pd.DataFrame:
    """Return a row for each log of a collection, by name.

    Returns
    -------
    DataFrame
        name; source (names of the files) and sha256 (of the files); sessions, pages, clicks
        (documents clicked at least once on a page), queries, items (pairs of query and document)
        and depth (of the longest list); malformed (sessions left out); imported_at (UTC).
    """
    return fetch_frame(
        store.cursor(),
        f"""SELECT name, source, sha256, {", ".join(COUNTED)},
                coalesce(malformed, 0)::BIGINT AS malformed, imported_at
            FROM (FROM click_logs WHERE collection_id = $1)
            LEFT JOIN (SELECT name, sum(sessions) AS malformed FROM click_apart
                WHERE collection_id = $1 GROUP BY name) USING (name)
            ORDER BY name""",
        [collection_id],
    )


def get_click_log(store: Store, collection_id: str, name: str) -> dict[str, Any]:
    """Return the row of one log, as `list_click_logs` has it.

    Raises
    ------
    NotFound
        There is no log of this name; the message names those that there are.
    """
    logs = list_click_logs(store, collection_id)
    found: list[dict[Any, Any]] = logs[logs["name"] == name].to_dict("records")
    if not found:
        listed = "; there are " + ", ".join(logs["name"]) if len(logs) else ""
        raise NotFound(f"There is no click log '{name}' in this collection{listed}.")
    return found[0]


def read_malformed(store: Store, collection_id: str, name: str) -> pd.DataFrame:
    """Return fault, sessions and lines (the first, separated by spaces) of what was left out."""
    return _read(store, "click_apart", "fault, sessions, lines", "fault", collection_id, name)


def read_click_queries(store: Store, collection_id: str, name: str) -> pd.DataFrame:
    """Return query (its number from 0) and text of a log's queries, in that order."""
    return _read(store, "click_queries", "query, text", "query", collection_id, name)


def read_click_items(store: Store, collection_id: str, name: str) -> pd.DataFrame:
    """Return the pairs of query and document that a log shows.

    Returns
    -------
    DataFrame
        item (its number from 0), query (a number of `read_click_queries`), document_id, and
        is_known (whether the collection has the document), in the order of item.
    """
    return fetch_frame(
        store.cursor(),
        """SELECT item, query, document_id, known.document_id IS NOT NULL AS is_known
           FROM (FROM click_items WHERE collection_id = $1 AND name = $2) AS items
           LEFT JOIN (SELECT document_id FROM documents WHERE collection_id = $1) AS known
               USING (document_id)
           ORDER BY item""",
        [collection_id, name],
    )


def read_blocks(store: Store, collection_id: str, name: str) -> Iterator[dict[str, Any]]:
    """Yield the packed pages of a log in their order, as `unpack_pages` takes them."""
    yield from fetch_blocks(store.cursor(), collection_id, name)


def fetch_blocks(cursor: Cursor, collection_id: str, name: str) -> Iterator[dict[str, Any]]:
    """Do `read_blocks` on a connection."""
    start = 0
    while rows := fetch(
        cursor,
        "SELECT block, pages, depth, session, item, clicked FROM click_blocks "
        "WHERE collection_id = $1 AND name = $2 AND block >= $3 AND block < $3 + $4 "
        "ORDER BY block",
        [collection_id, name, start, _AT_ONCE],
    ):
        yield from rows
        start += _AT_ONCE


def delete_click_log(store: Store, collection_id: str, name: str, by: str = "") -> None:
    """Delete a log for good; the record of changes says what it held.

    Raises
    ------
    NotFound
        There is no log of this name.
    """
    held = get_click_log(store, collection_id, name)
    counts = ", ".join(f"{held[what]} {what}" for what in COUNTED[:3])
    detail = f"{counts}, from {held['source']} ({held['sha256'][:12]})"
    with store.change(collection_id, "delete", f"click log {name}", detail, by) as cursor:
        for table in ("click_logs", *PARTS):
            cursor.execute(
                f"DELETE FROM {table} WHERE collection_id = ? AND name = ?", [collection_id, name]
            )


def _read(
    store: Store, table: str, columns: str, order: str, collection_id: str, name: str
) -> pd.DataFrame:
    return fetch_frame(
        store.cursor(),
        f"SELECT {columns} FROM {table} WHERE collection_id = ? AND name = ? ORDER BY {order}",
        [collection_id, name],
    )


COUNTED = ("sessions", "pages", "clicks", "queries", "items", "depth")
"""Columns of a log that say how much it holds."""

_COLUMNS = {
    "click_apart": ("fault", "sessions", "lines"),
    "click_queries": ("query", "text"),
    "click_items": ("item", "query", "document_id"),
    "click_blocks": ("block", "pages", "depth", "session", "item", "clicked"),
}
PARTS = tuple(_COLUMNS)
"""The tables beside ``click_logs`` that hold the parts of a log."""


def add_click_log(
    cursor: Cursor, collection_id: str, imported: Import, name: str, counts: dict[str, int]
) -> None:
    """Add a log to a collection, within the transaction of an import; count it.

    Raises
    ------
    BadInput
        There is another log of this name.
    """
    (summary,) = imported.frames["clicks"][list(COUNTED)].to_dict("records")
    held = fetch(
        cursor, "FROM click_logs WHERE collection_id = ? AND name = ?", [collection_id, name]
    )
    if held:
        same = held[0]["sha256"] == imported.sha256
        if not same or any(held[0][what] != summary[what] for what in COUNTED):
            raise BadInput(
                f"the click log {name} is already there with other content; give this one another "
                "name, or delete that one first",
                file=imported.source,
            )
        counts["click_logs"] = 0
        counts["already there"] += 1
        return
    numbers = [int(summary[what]) for what in COUNTED]
    cursor.execute(
        "INSERT INTO click_logs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [collection_id, name, imported.source, imported.sha256, *numbers, utc_now()],
    )
    for table, columns in _COLUMNS.items():
        listed = ", ".join(columns)
        cursor.register("incoming", _make_rows(table, imported.frames[table]))
        cursor.execute(
            f"INSERT INTO {table} (collection_id, name, {listed}) "
            f"SELECT $1, $2, {listed} FROM incoming",
            [collection_id, name],
        )
        cursor.unregister("incoming")
    counts["click_logs"] = 1


def _make_rows(table: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table; what is numbered stands in the order of its numbers."""
    if table == "click_apart":
        lines = [" ".join(map(str, one)) for one in frame["lines"]]
        return frame.assign(lines=pd.array(lines, dtype="str"))
    numbered = {"click_queries": "query", "click_items": "item"}
    if table in numbered:
        return frame.assign(**{numbered[table]: range(len(frame))})
    return frame
