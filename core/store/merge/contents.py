"""What was imported and set in two stores: the same in both, or in one only, or refused."""

from dataclasses import dataclass
from typing import Any

from core.store.file.database import Cursor, fetch
from core.store.merge.desk import (
    CONTENT,
    FIRST,
    KEYED,
    OF_COLLECTIONS,
    OF_FIRST,
    SECOND,
    UNREPORTED,
    Unit,
    list_columns,
)
from core.store.store import utc_now

MOST_NAMED = 20
_OWN_MODULE = {"collections": ("guidelines",), "members": ("kind_since",)}
"""Columns that are decided elsewhere in a merge."""


@dataclass(frozen=True)
class MergeConflict:
    """Content that is not the same in both stores: what, where, and how often there is such."""

    what: str
    where: tuple[str, ...]
    count: int


@dataclass(frozen=True)
class SettingKept:
    """A setting that differs; the first store's stays."""

    table: str
    where: str
    column: str
    first: Any
    second: Any


def compare_contents(desk: Cursor) -> list[MergeConflict]:
    """Return the content that is in both stores and not the same."""
    found = [_compare(desk, table, unit) for table, unit in CONTENT.items()]
    found.append(_compare_events(desk))
    return [one for one in found if one is not None]


def _compare(desk: Cursor, table: str, unit: Unit) -> MergeConflict | None:
    ignored = {f'"{one}"' for one in unit.ignored}
    columns = ", ".join(one for one in list_columns(desk, table) if one not in ignored)
    key = ", ".join(unit.key)
    both = f"(SELECT {key} FROM {FIRST}_{table} INTERSECT SELECT {key} FROM {SECOND}_{table})"
    rows = [
        f"SELECT {columns} FROM {store}_{table} SEMI JOIN {both} AS both_have USING ({key})"
        for store in (FIRST, SECOND)
    ]
    differing = f"(({rows[0]} EXCEPT ALL {rows[1]}) UNION ALL ({rows[1]} EXCEPT ALL {rows[0]}))"
    where = f"concat_ws(', ', {key})"
    return _tell(desk, unit.noun, f"SELECT DISTINCT {where} FROM {differing}")


def _compare_events(desk: Cursor) -> MergeConflict | None:
    columns = "* EXCLUDE (sequence, stale)"
    return _tell(
        desk,
        "label event",
        f"SELECT DISTINCT event_id::VARCHAR FROM ("
        f"SELECT {columns} FROM {SECOND}_labels SEMI JOIN {FIRST}_labels AS known USING (event_id) "
        f"EXCEPT SELECT {columns} FROM {FIRST}_labels)",
    )


def _tell(desk: Cursor, noun: str, sql: str) -> MergeConflict | None:
    rows = desk.execute(
        f"SELECT place, count(*) OVER () FROM ({sql}) AS f(place) ORDER BY place LIMIT {MOST_NAMED}"
    ).fetchall()
    if not rows:
        return None
    return MergeConflict(noun, tuple(str(place) for place, _ in rows), int(rows[0][1]))


def write_contents(desk: Cursor) -> None:
    """Write the content of both stores; of what both have, the first store's."""
    for table in ("topics", "aspects"):
        _put_behind(desk, table, CONTENT[table].key)
    for table, unit in CONTENT.items():
        _write(desk, table, unit.key)
    # Where orders have chosen at two sites, both have spent of one budget.
    desk.execute(
        "UPDATE round_orders SET budget = so_far.chosen FROM (SELECT round_id, "
        "count(*)::INTEGER AS chosen FROM chosen_items GROUP BY ALL) AS so_far "
        "WHERE so_far.round_id = round_orders.round_id AND so_far.chosen > budget"
    )


def _put_behind(desk: Cursor, table: str, key: tuple[str, ...]) -> None:
    """Have what only the second store has come after what the first has in a collection."""
    own = ", ".join(f"{SECOND}_{table}.{column}" for column in key)
    desk.execute(
        f"UPDATE {SECOND}_{table} SET position = position + behind.place FROM ("
        f"SELECT collection_id, max(position) + 1 AS place FROM {FIRST}_{table} GROUP BY ALL"
        f") AS behind WHERE behind.collection_id = {SECOND}_{table}.collection_id "
        f"AND ({own}) NOT IN (SELECT ({', '.join(key)}) FROM {FIRST}_{table})"
    )


def _write(desk: Cursor, table: str, key: tuple[str, ...]) -> None:
    desk.execute(f"INSERT INTO {table} FROM {FIRST}_{table}")
    desk.execute(
        f"INSERT INTO {table} FROM {SECOND}_{table} "
        f"ANTI JOIN {FIRST}_{table} AS known USING ({', '.join(key)})"
    )


def write_settings(desk: Cursor) -> list[SettingKept]:
    """Write settings and people of both stores and return what differs between them."""
    _settle(desk)
    kept = _keep_viewers(desk)
    for table, key in KEYED.items():
        kept += _report(desk, table, key)
        _write(desk, table, key)
    for table in OF_COLLECTIONS:
        kept += _report_whole(desk, table)
        _write(desk, table, ("collection_id",))
    for table in OF_FIRST:
        desk.execute(f"INSERT INTO {table} FROM {FIRST}_{table}")
    return kept


def _settle(desk: Cursor) -> None:
    """Take what is no matter of opinion: the first look, the latest consent, no open class."""
    for table, key, column, sign in (
        ("items_seen", KEYED["items_seen"], "seen_at", "<"),
        ("notices_read", KEYED["notices_read"], "read_at", "<"),
        ("consents", KEYED["consents"], "answered_at", ">"),
    ):
        names = [one for one in list_columns(desk, table) if one.strip('"') not in key]
        assignments = ", ".join(f"{one} = other.{one}" for one in names)
        same = " AND ".join(f"{FIRST}_{table}.{one} = other.{one}" for one in key)
        desk.execute(
            f"UPDATE {FIRST}_{table} SET {assignments} FROM {SECOND}_{table} AS other WHERE {same} "
            f"AND other.{column} {sign} {FIRST}_{table}.{column}"
        )
    desk.execute(
        f"UPDATE {SECOND}_lessons SET stopped_at = coalesce(stopped_at, ?) WHERE collection_id "
        f"NOT IN (SELECT collection_id FROM {FIRST}_lessons)",
        [utc_now()],
    )


def _keep_viewers(desk: Cursor) -> list[SettingKept]:
    """Have nobody whom the first store knows read results there by what the second says."""
    known = (
        f"SEMI JOIN {FIRST}_collections AS shared USING (collection_id) "
        f"SEMI JOIN {FIRST}_people AS known USING (person_id) "
        f"ANTI JOIN {FIRST}_viewers AS held USING (collection_id, person_id)"
    )
    gained = desk.execute(
        f"SELECT collection_id, person_id FROM {SECOND}_viewers {known} ORDER BY ALL"
    ).fetchall()
    for one in gained:
        desk.execute(
            f"DELETE FROM {SECOND}_viewers WHERE collection_id = ? AND person_id = ?", list(one)
        )
    return [SettingKept("viewers", ", ".join(one), "", "not set", "set") for one in gained]


def _report(desk: Cursor, table: str, key: tuple[str, ...]) -> list[SettingKept]:
    decided = {*key, *UNREPORTED.get(table, ()), *_OWN_MODULE.get(table, ())}
    if table in ("consents", "batch_judges"):
        return []
    where = "concat_ws(', ', " + ", ".join(f"one.{column}" for column in key) + ")"
    kept: list[SettingKept] = []
    for column in list_columns(desk, table):
        if column.strip('"') not in decided:
            rows = desk.execute(
                f"SELECT {where}, one.{column}, other.{column} FROM {FIRST}_{table} AS one "
                f"JOIN {SECOND}_{table} AS other USING ({', '.join(key)}) "
                f"WHERE one.{column} IS DISTINCT FROM other.{column} ORDER BY 1"
            ).fetchall()
            kept += [SettingKept(table, row[0], column.strip('"'), *row[1:]) for row in rows]
    return kept


def _report_whole(desk: Cursor, table: str) -> list[SettingKept]:
    rows = fetch(
        desk,
        f"""SELECT collection_id, one.told AS first, other.told AS second FROM {FIRST}_collections
            JOIN {SECOND}_collections AS shared USING (collection_id)
            LEFT JOIN (SELECT collection_id, list(told::VARCHAR ORDER BY told::VARCHAR) AS told
                FROM {FIRST}_{table} AS told GROUP BY ALL) AS one USING (collection_id)
            LEFT JOIN (SELECT collection_id, list(told::VARCHAR ORDER BY told::VARCHAR) AS told
                FROM {SECOND}_{table} AS told GROUP BY ALL) AS other USING (collection_id)
            WHERE first IS DISTINCT FROM second ORDER BY ALL""",
    )
    states = {True: "set", False: "not set"}
    return [
        SettingKept(
            table,
            row["collection_id"],
            "",
            states[row["first"] is not None],
            states[row["second"] is not None],
        )
        for row in rows
    ]
