"""Click logs as JSON: an object a page."""

import json
from typing import Any

import numpy as np
import pandas as pd

from core.collection.click_logs.building import LogBuilder
from core.collection.click_logs.cells import parse_times
from core.collection.click_logs.sessions import (
    BACKWARDS,
    BAD_NUMBER,
    EMPTY,
    NOT_SHOWN,
    Fault,
    Part,
    cut_sessions,
    find_backwards,
    number_runs,
    refuse_deep,
)
from core.collection.clicks import ClickOptions
from core.collection.columns import Column
from core.collection.file_format import Parsed, file_format, starts_with
from core.collection.likeness import like_objects
from core.collection.source import Source
from core.errors import BadInput

_SESSION = Column("session", ("session_id", "sessionid"), required=True)
_TIME = Column("time", ("timestamp",))
_QUERY = Column("query", ("topic", "topic_id", "query_id", "qid"), required=True)
_SHOWN = Column("shown", ("documents", "results", "list"), required=True)
_CLICKS = Column("clicks", ("clicked",), required=True)
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
        return _text(_pick(json.loads(row), _SESSION)).encode()
    except (ValueError, TypeError, RecursionError, AttributeError):
        return row  # refused when it is read


def _pick(page: dict[str, Any], column: Column) -> Any:
    name = column.find_in([*page])
    return page[name] if name else None


def _text(value: Any) -> str:
    """Return an id as text; raises TypeError where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError
    text = str(value).strip()
    text.encode()
    return text


class _Reading:
    """The pages of some whole sessions, one by one."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.lines: list[int] = []
        self._sessions: list[str] = []
        self._times: list[Any] = []
        self._queries: list[str] = []
        self._shown: list[list[str]] = []
        self._clicks: list[list[tuple[Any, Any]]] = []
        self._names: list[list[Any]] = []

    def add(self, line: int, row: str) -> None:
        """Take one page; raises BadInput where it is none."""
        try:
            page = json.loads(row)
        except (ValueError, RecursionError) as error:
            raise self._refuse(line, "is not JSON") from error
        if not isinstance(page, dict):
            raise self._refuse(line, "is no JSON object")
        shown, clicks = _pick(page, _SHOWN), _pick(page, _CLICKS)
        if not isinstance(shown, list) or not isinstance(clicks, list):
            raise self._refuse(line, "a page has a list 'shown' and a list 'clicks'")
        self._shown.append([self._name(line, one, "document") for one in shown])
        self._names.append(shown)
        self._clicks.append([self._split(line, one) for one in clicks])
        for column, held in ((_SESSION, self._sessions), (_QUERY, self._queries)):
            held.append(self._name(line, _pick(page, column), column.name))
            if not held[-1]:
                raise self._refuse(line, f"has no {column.name}")
        self._times.append(_pick(page, _TIME))
        self.lines.append(line)

    def _name(self, line: int, value: Any, what: str) -> str:
        try:
            return _text(value)
        except (TypeError, UnicodeEncodeError) as error:
            raise self._refuse(line, f"a {what} is a text or a number") from error

    def _split(self, line: int, click: Any) -> tuple[Any, Any]:
        what, time = click if isinstance(click, list) and len(click) == 2 else (click, None)
        self._name(line, what, "click")
        return what, time

    def _refuse(self, line: int, reason: str) -> BadInput:
        return BadInput(reason, file=self._source.name, line=line)

    def finish(self) -> Part:
        """Return everything that was taken."""
        line = np.array(self.lines)
        name, sessions = pd.factorize(np.array(self._sessions, dtype=object))
        query, queries = pd.factorize(np.array(self._queries, dtype=object))
        session, begins = number_runs(name)
        listed = np.array([len(one) for one in self._shown])
        refuse_deep(self._source, line, listed)
        time, is_bad = _read_times(self._times)
        clicked = np.zeros((len(line), max(int(listed.max()), 1)), dtype=bool)
        stray, early, timeless = (np.zeros(len(line), dtype=bool) for _ in range(3))
        for page, clicks in enumerate(self._clicks):
            if clicks:
                self._click(page, clicks, clicked[page], stray)
                own, no_time = _read_times([at for _, at in clicks])
                early[page] = bool((own < time[page]).any())
                timeless[page] = no_time.any()
        document, documents = _lay_out(self._shown, clicked.shape)
        is_bad |= timeless
        blank = np.array([not all(one) for one in self._shown])
        found = (
            (BAD_NUMBER, is_bad), (BACKWARDS, early), (NOT_SHOWN, stray), (EMPTY, blank),
        )  # fmt: skip
        faults = [Fault(what, line[where], session[where]) for what, where in found]
        return Part(
            [sessions[code] for code in name[begins].tolist()],
            list(queries),
            documents,
            line[begins],
            line,
            session,
            query,
            document,
            clicked,
            (*faults, find_backwards(line, session, time)),
        )

    def _click(self, page: int, clicks: list[Any], clicked: Any, stray: Any) -> None:
        """Note where on a page was clicked."""
        places = {name: at for at, name in reversed([*enumerate(self._shown[page])])}
        are_numbers = any(isinstance(one, int | float) for one in self._names[page])
        for what, _ in clicks:
            if isinstance(what, str) or are_numbers:
                at = places.get(_text(what), -1)
            else:
                at = int(what) - 1 if what in range(1, len(clicked) + 1) else -1
            if 0 <= at < len(self._shown[page]):
                clicked[at] = True
            else:
                stray[page] = True


def _read_times(given: list[Any]) -> tuple[Any, Any]:
    """Return times, NaN where none is given, and which of them cannot be read."""
    there = np.array([one is not None for one in given])
    times = np.full(len(given), np.nan)
    if there.any():
        texts = ["" if isinstance(one, bool) else str(one) for one in given if one is not None]
        times[there] = parse_times(pd.Series(texts, dtype="str"))
    return times, there & np.isnan(times)


def _lay_out(shown: list[list[str]], shape: tuple[int, ...]) -> tuple[Any, list[str]]:
    known: dict[str, int] = {}
    document = np.full(shape, -1, dtype=np.int32)
    for page, names in enumerate(shown):
        document[page, : len(names)] = [known.setdefault(name, len(known)) for name in names]
    return document, [*known]
