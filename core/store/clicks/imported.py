"""What an import of a click log writes: the log whole, under its name."""

import pandas as pd

from core.collection.records import Import
from core.errors import BadInput
from core.store.file.database import Cursor, fetch
from core.store.store import utc_now

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
