"""The labels that stand, as one frame that keeps up with the events."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa

from core.store.backing import StoreDatabase
from core.store.file.database import Cursor, fetch_frame

LATEST = 2**62
"""A sequence that no event reaches."""

_KEY = "assessor_id, topic_id, document_id, facet, engine, occasion"
SEALED = "NOT EXISTS (FROM labels_after_seeing AS marked WHERE marked.event_id = labels.event_id)"
"""What holds of an event by somebody who had not seen others' labels of its topic."""

_COUNTED = """collection_id = $1 AND NOT stale AND sequence <= $2 AND occasion >= 0
    AND facet IN ('snippet', 'page') AND source <> 'adjudicated' AND {given}"""
_FRAME = f"""
    WITH touched AS (SELECT DISTINCT {_KEY} FROM labels WHERE {_COUNTED} AND sequence > $4),
    current AS (
        SELECT {_KEY},
            coalesce(min(sequence) FILTER (WHERE state = 'level'), min(sequence)) AS sequence,
            sum(dwell_ms)::BIGINT AS dwell_ms, max(sequence) AS latest
        FROM labels {{only}} WHERE {_COUNTED} AND ($3 = '' OR assessor_id = $3)
        GROUP BY ALL)
    SELECT current.topic_id AS topic_id, current.document_id AS document_id,
        current.facet AS facet, current.engine AS engine, current.assessor_id AS assessor_id,
        current.occasion AS occasion, levels.counts_as AS level, label.level AS given_level,
        label.state AS state, coalesce(members."group", '') AS "group",
        coalesce(members.name, '') AS assessor, current.sequence AS sequence,
        label.time AS time, current.dwell_ms AS dwell_ms, label.comment AS comment,
        label.source AS source
    FROM current
    JOIN (FROM labels WHERE collection_id = $1) AS label ON label.sequence = current.latest
    LEFT JOIN (FROM levels WHERE collection_id = $1) AS levels
        ON levels.facet = current.facet AND levels.level = label.level
    LEFT JOIN (FROM members WHERE collection_id = $1) AS members
        ON members.assessor_id = current.assessor_id
    ORDER BY current.sequence"""
_TOUCHED = f"SEMI JOIN touched USING ({_KEY})"
_FORMER = f"""
    WITH touched AS (SELECT DISTINCT {_KEY} FROM labels WHERE {_COUNTED} AND sequence > $3)
    SELECT sequence FROM labels {_TOUCHED} WHERE {_COUNTED} AND sequence <= $3"""
_BASIS = """
    SELECT facet, level::VARCHAR, counts_as::VARCHAR FROM levels WHERE collection_id = $1
    UNION ALL SELECT assessor_id, name, "group" FROM members WHERE collection_id = $1
    ORDER BY ALL"""
_CATEGORIES = (
    "topic_id", "document_id", "facet", "engine", "assessor_id",
    "state", "group", "assessor", "source",
)  # fmt: skip
_WHOLE_NUMBERS = ("level", "given_level")
_MOST_HELD = 4
_MOST_REPLACED = 200


def read_current(
    cursor: Cursor,
    collection_id: str,
    until: int = LATEST,
    *,
    since: int | None = None,
    assessor_id: str = "",
    discussed: bool = False,
) -> pd.DataFrame:
    """Return the labels that stood at an event sequence; see ``read_labels``.

    With ``since``, only those that a later event than this one is about.
    """
    sql = _write_sql(_FRAME, discussed, only="" if since is None else _TOUCHED)
    return fetch_frame(cursor, sql, [collection_id, until, assessor_id, since or 0])


def _write_sql(sql: str, discussed: bool, only: str = "") -> str:
    """Return a query of labels as given, or with what was said after seeing others."""
    return sql.format(only=only, given="true" if discussed else SEALED)


@dataclass
class _HeldFrame:
    frame: pd.DataFrame
    sequence: int
    basis: list[Any]


class CurrentLabels:
    """The labels that stand in each collection; what has come since is read and put in.

    To read a million labels takes a hundred times as long as to read those of the last second.
    """

    def __init__(self, database: StoreDatabase) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[str, bool], _HeldFrame] = OrderedDict()

    def get(self, collection_id: str, until: int, *, discussed: bool = False) -> pd.DataFrame:
        """Return what ``read_labels`` does, at this event sequence or a later one.

        Ids and states are categories, in the order of their names: what groups by them or asks
        for one takes a fraction of the time (``write_out`` makes texts of them). The frame is
        shared: it must not be changed. Labels are as given, or with ``discussed`` as they stand
        after some assessors have seen what others said.
        """
        # Asked for first: whoever gives it may have to wait for somebody who has this forget.
        cursor = self._database.cursor()
        with self._lock:
            basis = cursor.execute(_BASIS, [collection_id]).fetchall()
            which = collection_id, discussed and _is_discussed(cursor, collection_id)
            held = self._held.get(which)
            if held is None or held.basis != basis:
                frame = read_current(cursor, collection_id, until, discussed=which[1])
                held = self._held[which] = _HeldFrame(categorise(frame), until, basis)
            elif held.sequence < until:
                self._follow(cursor, which, held, until)
            self._held.move_to_end(which)
            if len(self._held) > _MOST_HELD:
                self._held.popitem(last=False)
            return held.frame

    def forget(self) -> None:
        """Read everything again when it is asked for: comments were erased."""
        with self._lock:
            self._held.clear()

    def _follow(
        self, cursor: Cursor, which: tuple[str, bool], held: _HeldFrame, until: int
    ) -> None:
        """Put in what has come since, or read everything again where that is less work."""
        collection_id, discussed = which
        values = [collection_id, until, held.sequence]
        former = cursor.execute(_write_sql(_FORMER, discussed), values).fetchnumpy()["sequence"]
        since = None if len(former) > _MOST_REPLACED else held.sequence
        read = read_current(cursor, collection_id, until, since=since, discussed=discussed)
        new = categorise(read)
        if since is None:
            held.frame = new
        else:
            held.frame = merge_current(held.frame, new, np.asarray(former))
        held.sequence = until


def _is_discussed(cursor: Cursor, collection_id: str) -> bool:
    """Tell whether anything was said after seeing others."""
    sql = "SELECT 1 FROM labels_after_seeing WHERE collection_id = ? LIMIT 1"
    return bool(cursor.execute(sql, [collection_id]).fetchall())


def merge_current(
    held: pd.DataFrame, new: pd.DataFrame, former: "np.ndarray[Any, np.dtype[np.int64]]"
) -> pd.DataFrame:
    """Return a frame of labels with those of some keys replaced, in the order of sequences.

    Parameters
    ----------
    held, new : DataFrame
        As from ``CurrentLabels.get``; ``new`` has all that stands now of the keys it is about.
    former : array of int
        The sequences of earlier events of these keys: those in ``held`` are replaced.
    """
    if new.empty:
        return held
    held, new = _share_categories(held, new)
    sequence = held["sequence"].to_numpy()
    gone = set(np.flatnonzero(np.isin(sequence, former)).tolist())
    place = np.searchsorted(sequence, new["sequence"])
    cuts = sorted({0, *place.tolist(), *gone, *(row + 1 for row in gone)})
    pieces = []  # of rows that lie together: to pick rows one by one takes ten times as long
    for start, end in pairwise([*cuts, len(held)]):
        pieces.append(new[place == start])
        if start not in gone:
            pieces.append(held[start:end])
    merged: Any = pd.concat([piece for piece in pieces if len(piece)], ignore_index=True)
    changed = {name: _as_read(merged[name]) for name in _WHOLE_NUMBERS}
    return cast(pd.DataFrame, merged.assign(**changed, comment=_join(merged["comment"])))


def write_out(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with texts in place of categories."""
    return frame.astype(dict.fromkeys(frame.select_dtypes("category").columns, "str"))


def categorise(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of labels with ids and states as categories, in the order of their names."""
    return frame.astype(dict.fromkeys(_CATEGORIES, "category"))


def _share_categories(held: pd.DataFrame, new: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return both frames with the same categories, still in the order of their names."""
    wider = {}
    for name in _CATEGORIES:
        known, named = held[name].cat.categories, new[name].cat.categories
        more = named[known.get_indexer(named) < 0]
        if len(more):
            wider[name] = pd.CategoricalDtype(known.append(more).sort_values())
    held = held.astype(wider) if wider else held
    return held, new.astype({name: held[name].dtype for name in _CATEGORIES})


def restore_levels(frame: pd.DataFrame) -> pd.DataFrame:
    """Return some rows of a frame of labels with levels as they would have been read alone."""
    held = [name for name in _WHOLE_NUMBERS if name in frame]
    return frame.assign(**{name: _as_read(frame[name]) for name in held})


def _as_read(numbers: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return a column of levels as it would have been read: whole where none is missing."""
    return numbers if numbers.isna().any() else numbers.astype("int32")


def _join(texts: Any) -> Any:
    """Return a column whose texts lie in one piece; each addition makes another."""
    pieces: Any = pa.array(texts.array)
    whole = pieces.combine_chunks() if isinstance(pieces, pa.ChunkedArray) else pieces
    return pd.array(whole, dtype=texts.dtype)
