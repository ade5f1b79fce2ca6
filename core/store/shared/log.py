"""The log in PostgreSQL that every server follows, and what makes following it exact.

Numbers from a PostgreSQL sequence are handed out when a transaction asks, and seen when it
commits: who follows by such a number alone skips what was slow. So positions are counted in one
row, ``head``. A transaction that changes anything adds one to it as the last thing before it
commits, and the row stays locked until it has: the order of positions is the order of commits,
without gaps, and whoever sees a position sees all before it. The lock is held for a commit only,
however long the transaction took before; nobody who holds it waits for any other lock.
"""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from core.store.backing import Change
from core.store.file.database import Rows
from core.store.shared.connections import SCHEMA, Link

_AT_ONCE = 20_000
"""Rows of one entry of the log: a large import makes several."""

_FETCHED = 64
"""Entries that are fetched together."""

LOG_TABLE = "log"

LOG = f"""
    CREATE TABLE {SCHEMA}.head (
        is_only BOOLEAN PRIMARY KEY DEFAULT true CHECK (is_only), position BIGINT NOT NULL,
        store_id UUID NOT NULL, secret TEXT NOT NULL);
    CREATE TABLE {SCHEMA}.log (
        position BIGINT, part INTEGER, table_name TEXT NOT NULL, kind TEXT NOT NULL,
        rows BYTEA NOT NULL, written_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (position, part));
    """


@dataclass(frozen=True, eq=False)
class Written:
    """Rows of one table, as Arrow holds them; ``kind`` is that of `Change`."""

    kind: str
    table: str
    rows: pa.Table

    def as_change(self, columns: Iterable[str]) -> Change:
        """Return it with some columns of the rows, as tuples."""
        return Change(self.kind, as_rows(self.table, self.rows.select(list(columns))))


@dataclass(frozen=True, eq=False)
class LogEntry:
    """A part of what one transaction wrote."""

    position: int
    written: Written


def as_rows(table: str, rows: pa.Table) -> Rows:
    """Return rows as tuples."""
    columns = [column.to_pylist() for column in rows.columns]
    return Rows(table, tuple(rows.column_names), list(zip(*columns, strict=True)))


def as_arrow(schema: pa.Schema, rows: Rows) -> pa.Table:
    """Return rows of a table with this schema as Arrow holds them."""
    columns = zip(*rows.rows, strict=True)
    fields = [schema.field(name) for name in rows.columns]
    arrays = [
        pa.array(
            list(map(_plain, values)) if pa.types.is_string(field.type) else values, field.type
        )
        for field, values in zip(fields, columns, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, str) else str(value)


_LOCK = (
    f"UPDATE {SCHEMA}.head SET position = position + 1 RETURNING position, "
    "set_config('idle_in_transaction_session_timeout', %s, true)"
)
_READ = (
    f"SELECT position, part, kind, table_name, rows FROM {SCHEMA}.log "
    "WHERE (position, part) > (%s, %s) ORDER BY position, part LIMIT %s"
)
_LAST_PART = 2**31 - 1


def lock_head(link: Link, *, idle: str = "10s") -> int:
    """Wait for the turn to commit, and return the position that is the transaction's own.

    Until the transaction ends no other can commit a change. ``idle`` is for how long it may do
    nothing: a server that stands still then must not hold up all others.
    """
    row = link.execute(_LOCK, [idle]).fetchone()
    assert row is not None
    return int(row[0])


def lock_and_read(link: Link, after: int) -> tuple[int, list[LogEntry] | None]:
    """Do `lock_head`, and read what was committed after a position, in one go.

    Returns
    -------
    position : int
        The transaction's own.
    entries : list of LogEntry or None
        In order; None where they are too many for one go.
    """
    with link.pipeline():
        locked = link.execute(_LOCK, ["10s"])
        read = link.execute(_READ, [after, _LAST_PART, _FETCHED])
    row, found = locked.fetchone(), read.fetchall()
    assert row is not None
    return int(row[0]), None if len(found) == _FETCHED else _as_entries(found)


def _as_entries(found: Iterable[tuple[Any, ...]]) -> list[LogEntry]:
    return [
        LogEntry(position, Written(kind, table, unpack(rows)))
        for position, _, kind, table, rows in found
    ]


def read_head(link: Link) -> tuple[int, str]:
    """Return the position of the latest change, and which store it is."""
    row = link.execute(f"SELECT position, store_id::text FROM {SCHEMA}.head").fetchone()
    assert row is not None
    return int(row[0]), str(row[1])


def write_log(link: Link, position: int, written: Iterable[Written]) -> None:
    """Write down what a transaction has changed, at its position."""
    parts = [
        (one.kind, one.table, pack(one.rows.slice(start, _AT_ONCE)))
        for one in written
        for start in range(0, one.rows.num_rows, _AT_ONCE)
    ]
    for part, (kind, table, rows) in enumerate(parts):
        link.execute(
            f"INSERT INTO {SCHEMA}.log (position, part, table_name, kind, rows) "
            "VALUES (%s, %s, %s, %s, %s)",
            [position, part, table, kind, rows],
        )


def write_log_ahead(link: Link, written: Iterable[Written]) -> int:
    """Write down what a transaction has changed before it has its position; returns a stand-in.

    So nobody waits while a large import is written down.
    """
    row = link.execute("SELECT pg_current_xact_id()::text").fetchone()
    assert row is not None
    stand_in = -int(row[0])
    write_log(link, stand_in, written)
    return stand_in


def place_log(link: Link, stand_in: int, position: int) -> None:
    """Move what was written down ahead to its position."""
    link.execute(f"UPDATE {SCHEMA}.log SET position = %s WHERE position = %s", [position, stand_in])


def cut_log(link: Link, minutes: float) -> None:
    """Remove what is older; a server that has not read it by now copies everything anew."""
    link.execute(
        f"DELETE FROM {SCHEMA}.log WHERE written_at < clock_timestamp() - make_interval(secs => %s)"
        f" AND position < (SELECT position FROM {SCHEMA}.head)",
        [minutes * 60],
    )


def read_log(link: Link, after: int) -> Iterator[list[LogEntry]]:
    """Yield what was committed after a position, in order, a portion of entries at a time."""
    place = (after, _LAST_PART)
    while True:
        found = link.execute(_READ, [*place, _FETCHED]).fetchall()
        if found:
            place = found[-1][:2]
            yield _as_entries(found)
        if len(found) < _FETCHED:
            return


def pack(rows: pa.Table) -> bytes:
    """Return rows as bytes, with the names and types of their columns."""
    sink = io.BytesIO()
    small = rows.nbytes < 4096
    options = pa.ipc.IpcWriteOptions(compression=None if small else "zstd")
    with pa.ipc.new_stream(sink, rows.schema, options=options) as writer:
        writer.write_table(rows)
    return sink.getvalue()


def unpack(packed: bytes) -> pa.Table:
    """Return what was packed."""
    return pa.ipc.open_stream(packed).read_all()
