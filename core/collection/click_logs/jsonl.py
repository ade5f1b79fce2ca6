"""Click logs as JSON, an object a page: read, and written so that it can be read again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.collection.click_logs.building import LogBuilder
from core.collection.click_logs.cells import parse_times
from core.collection.click_logs.clicks import ClickOptions
from core.collection.click_logs.packing import Mask, unpack_pages
from core.collection.click_logs.sessions import (
    BACKWARDS,
    BAD_NUMBER,
    EMPTY,
    NOT_SHOWN,
    SessionChunk,
    SessionLines,
    cut_sessions,
    refuse_deep,
)
from core.collection.file_format import Parsed, file_format, starts_with
from core.collection.files.columns import FileColumn
from core.collection.files.json_values import check_json_text
from core.collection.files.likeness import like_objects
from core.collection.files.source import Source
from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

_SESSION = FileColumn("session", ("session_id", "sessionid"), required=True)
_TIME = FileColumn("time", ("timestamp",))
_QUERY = FileColumn("query", ("topic", "topic_id", "query_id", "qid"), required=True)
_SHOWN = FileColumn("shown", ("documents", "results", "list"), required=True)
_CLICKS = FileColumn("clicks", ("clicked",), required=True)
_COLUMNS = (_SESSION, _TIME, _QUERY, _SHOWN, _CLICKS)


@file_format(
    kind="clicks",
    name="JSONL",
    layout="a JSON object a page: `session`, `query` (or `topic`), `shown` (a list of documents), "
    "`clicks` (a list of documents, of ranks as numbers, or of either as `[click, time]`) and "
    "perhaps `time`",
    example='{"session": "s", "time": 0, "query": "cats", "shown": ["d1", "d2"], "clicks": [2]}\n',
    sniff=lambda source, options: starts_with("{")(source.sample(), options),
    detect=like_objects(_COLUMNS),
)
def read_click_objects(source: Source, options: ClickOptions) -> Parsed:
    """Read one JSON object a page; a number is a rank, unless the documents are numbers."""
    builder = LogBuilder(source, is_lenient=options.lenient)
    for block, line in cut_sessions(source, _session_of):
        reading = _Reading(source)
        for number, row in enumerate(block.decode().split("\n"), start=line):
            if row.strip():
                reading.add(number, row)
        if reading.lines:
            builder.add(reading.finish())
    return builder.finish()


def _session_of(row: bytes) -> bytes:
    try:
        page = json.loads(row)
        return _text(page[_SESSION.find_in([*page])]).encode()
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError):
        return row  # refused when it is read


def _text(value: Any) -> str:
    """Return an id as text; raises TypeError where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError
    return str(value).strip()


class _Reading:
    """The pages of some whole sessions, one by one."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._keys: dict[tuple[str, ...], list[str]] = {}
        self._documents: dict[str, int] = {}
        self.lines: list[int] = []
        self._sessions: list[str] = []
        self._times: list[Any] = []
        self._queries: list[str] = []
        self._shown: list[list[int]] = []
        self._clicks: list[tuple[int, int, Any]] = []

    def add(self, line: int, row: str) -> None:
        """Take one page; raises BadInput where it is none."""
        try:
            page = json.loads(row)
        except (ValueError, RecursionError) as error:
            raise self._refuse(line, "is not JSON") from error
        if not isinstance(page, dict):
            raise self._refuse(line, "is no JSON object")
        session, time, query, shown, clicks = self._pick(page)
        if not isinstance(shown, list) or not isinstance(clicks, list):
            raise self._refuse(line, "a page has a list 'shown' and a list 'clicks'")
        names = [self._name(line, one, "document") for one in shown]
        known = self._documents
        self._shown.append([known.setdefault(name, len(known)) for name in names])
        are_numbers = any(not isinstance(one, str) for one in shown)
        for click in clicks:
            what, at = click if isinstance(click, list) and len(click) == 2 else (click, None)
            rank = self._find(line, what, names, are_numbers)
            self._clicks.append((len(self.lines), rank, at))
        self._sessions.append(self._name(line, session, _SESSION.name))
        self._queries.append(self._name(line, query, _QUERY.name))
        if not self._sessions[-1] or not self._queries[-1]:
            empty = _QUERY if self._sessions[-1] else _SESSION
            raise self._refuse(line, f"has no {empty.name}")
        self._times.append(time)
        self.lines.append(line)

    def _pick(self, page: dict[str, Any]) -> list[Any]:
        """Return what an object has of each column; None of what it has not."""
        keys = tuple(page)
        if keys not in self._keys:
            self._keys[keys] = [column.find_in(keys) for column in _COLUMNS]
        return [page.get(name) if name else None for name in self._keys[keys]]

    def _name(self, line: int, value: Any, what: str) -> str:
        try:
            text = _text(value)
        except TypeError as error:
            raise self._refuse(line, f"a {what} is a text or a number") from error
        if not text.isascii() or "\0" in text:
            check_json_text(text, what, self._source.name, line)
        return text

    def _find(self, line: int, what: Any, names: list[str], are_numbers: bool) -> int:
        """Return where on a page was clicked, from 0; -1 where it has no such place."""
        name = self._name(line, what, "click")
        if isinstance(what, str) or are_numbers:
            return names.index(name) if name in names else -1
        return int(what) - 1 if what in range(1, len(names) + 1) else -1

    def _refuse(self, line: int, reason: str) -> BadInput:
        return BadInput(reason, file=self._source.name, line=line)

    def finish(self) -> SessionChunk:
        """Return everything that was taken."""
        import pandas as pd

        line = np.array(self.lines)
        name, sessions = pd.factorize(np.array(self._sessions, dtype=object))
        lines = SessionLines(line, name, list(sessions))
        query, queries = pd.factorize(np.array(self._queries, dtype=object))
        listed = np.array([len(one) for one in self._shown])
        refuse_deep(self._source, line, listed)
        document = np.full((len(line), max(int(listed.max()), 1)), -1, dtype=np.int32)
        is_place = np.arange(document.shape[1]) < listed[:, np.newaxis]
        document[is_place] = [*chain.from_iterable(self._shown)]
        empty = self._documents.get("", -2)
        time, timeless = _read_times(self._times)
        clicked, stray, early, odd = self._read_clicks(document.shape, time)
        found = (
            (BAD_NUMBER, timeless | odd),
            (BACKWARDS, early),
            (NOT_SHOWN, stray),
            (EMPTY, (document == empty).any(axis=1)),
        )
        faults = [*(lines.find(*one) for one in found), lines.find_backwards(time)]
        named, shown = (query, list(queries)), (document, [*self._documents])
        return lines.make_chunk(np.arange(len(line)), named, shown, clicked, faults)

    def _read_clicks(
        self, shape: tuple[int, ...], time: NDArray[np.float64]
    ) -> tuple[Mask, Mask, Mask, Mask]:
        """Return what was clicked, and which pages have a click of each fault."""
        clicked = np.zeros(shape, dtype=bool)
        stray, early, odd = (np.zeros(shape[0], dtype=bool) for _ in range(3))
        if self._clicks:
            pages, ranks, times = zip(*self._clicks, strict=True)
            page, rank = np.array(pages), np.array(ranks)
            own, is_odd = _read_times(times)
            clicked[page[rank >= 0], rank[rank >= 0]] = True
            stray[page[rank < 0]] = True
            odd[page[is_odd]] = True
            early[page[own < time[page]]] = True
        return clicked, stray, early, odd


def _read_times(given: Sequence[Any]) -> tuple[NDArray[np.float64], Mask]:
    """Return times, NaN where none is given, and which of them cannot be read."""
    import pandas as pd

    there = np.array([one is not None for one in given])
    times = np.full(len(given), np.nan)
    if there.any():
        texts = [_time_text(one) for one in given if one is not None]
        times[there] = parse_times(pd.Series(texts, dtype="str"))
    return times, there & np.isnan(times)


def _time_text(value: Any) -> str:
    """Return what a time says as text, empty where it cannot be one."""
    text = str(value)
    return "" if isinstance(value, bool) or not text.isascii() else text


def write_click_log(
    queries: pd.Series[str], items: pd.DataFrame, blocks: Iterable[Mapping[Any, Any]]
) -> bytes:
    """Return a log as JSONL; sessions are numbers, and no time was kept.

    Parameters
    ----------
    queries : Series
        The queries in the order of their numbers.
    items : DataFrame
        query and document_id in the order of their numbers.
    blocks : iterable of mappings
        Packed pages, as `unpack_pages` takes them.
    """
    texts = [json.dumps(one, ensure_ascii=False) for one in queries]
    names = [json.dumps(one, ensure_ascii=False) for one in items["document_id"]]
    query_of = items["query"].tolist()
    lines = []
    for row in blocks:
        session, item, clicked = unpack_pages(row)
        for one, shown, hit in zip(session.tolist(), item, clicked, strict=True):
            listed = shown[shown >= 0].tolist()
            ranks = (np.flatnonzero(hit) + 1).tolist()
            lines.append(
                f'{{"session": {one}, "query": {texts[query_of[listed[0]]]}, '
                f'"shown": [{", ".join(names[at] for at in listed)}], "clicks": {ranks}}}\n'
            )
    return "".join(lines).encode()
