"""Click logs as tables: a row for each document that was shown."""

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from core.collection.click_logs.building import LogBuilder
from core.collection.click_logs.cells import TsvFields, split_cells
from core.collection.click_logs.clicks import ClickOptions
from core.collection.click_logs.packing import Integers, Mask
from core.collection.click_logs.sessions import (
    BAD_NUMBER,
    EMPTY,
    RANKS,
    SessionChunk,
    SessionLines,
    cut_sessions,
    refuse_deep,
    refuse_empty,
)
from core.collection.file_format import Parsed, file_format
from core.collection.files.columns import FileColumn, match_columns
from core.collection.files.likeness import Likeness, like_table
from core.collection.files.numbers import parse_number
from core.collection.files.source import Source
from core.errors import BadInput

_SESSION = FileColumn("session", ("session_id", "sessionid"), required=True)
_TIME = FileColumn("time", ("timestamp",))
_QUERY = FileColumn("query", ("topic", "topic_id", "query_id", "qid"), required=True)
_RANK = FileColumn("rank", ("position",), required=True)
_DOCUMENT = FileColumn("document_id", ("document", "doc", "docid", "doc_id", "url"), required=True)
_CLICKED = FileColumn("clicked", ("clicks", "click"), required=True)
_COLUMNS = (_SESSION, _TIME, _QUERY, _RANK, _DOCUMENT, _CLICKED)

_WORDS = {"true": 1.0, "false": 0.0}
_like_log = like_table(_COLUMNS)


def _detect(sample: Source) -> Likeness:
    """Know a header with all columns, and tabs."""
    found = _like_log(sample)
    return found if "\t" in sample.text.lstrip("\n").partition("\n")[0] else Likeness(0.0)


@file_format(
    kind="clicks",
    name="TSV",
    layout="TSV with a header, a row for each document shown: `session`, `query` (or `topic`), "
    "`rank`, `document`, `clicked` (0, 1 or a number of clicks) and perhaps `time`; a page begins "
    "where session, query or time is another or the rank does not rise",
    example="session\ttime\tquery\trank\tdocument\tclicked\n"
    "s\t0\tcats\t1\td1\t0\ns\t0\tcats\t2\td2\t1\n",
    sniff=lambda source, _options: source.sample().text.lstrip()[:1] not in ("{", "["),
    detect=_detect,
    is_fallback=True,
    columns=_COLUMNS,
)
def read_click_table(source: Source, options: ClickOptions) -> Parsed:
    """Read TSV with a header; columns that are not known are left aside."""
    lines, header = _read_header(source)
    place = {
        column.name: header.index(actual)
        for column, actual in match_columns(source, header, _COLUMNS, options.columns)
    }
    at = place[_SESSION.name]
    builder = LogBuilder(source, is_lenient=options.lenient)
    for block, line in cut_sessions(source, lambda row: _cell(row, at), skip=lines):
        cells = split_cells(block, line)
        if len(cells.line):
            builder.add(_read_part(source, cells, len(header), place))
    return builder.finish()


def _read_header(source: Source) -> tuple[int, list[str]]:
    """Return how many lines the header ends after, and the names in it."""
    for number, text in islice(source.sample().lines(), 1_000):
        if text.strip():
            return number, [name.strip() for name in text.split("\t")]
    raise BadInput("the file is empty", file=source.name)


def _cell(row: bytes, at: int) -> bytes:
    cells = row.split(b"\t", at + 1)
    return cells[at].strip() if len(cells) > at else row  # refused when it is read


def _read_part(source: Source, cells: TsvFields, width: int, place: dict[str, int]) -> SessionChunk:
    if (odd := cells.count != width).any():
        at = odd.argmax()
        reason = f"has {cells.count[at]:,} cells; expected {width:,}, as the header has"
        raise BadInput(reason, file=source.name, line=int(cells.line[at]))
    column = {name: cells.first + at for name, at in place.items()}
    line = cells.line
    lines = SessionLines(line, *cells.number(column[_SESSION.name]))
    refuse_empty(source, line, lines.code, lines.names, "session")
    query, queries = cells.number(column[_QUERY.name])
    refuse_empty(source, line, query, queries, "query")
    document, documents = cells.number(column[_DOCUMENT.name])
    time = np.zeros(len(line)) if _TIME.name not in column else cells.times(column[_TIME.name])
    rank = _read_numbers(cells, column[_RANK.name])
    clicks = _read_numbers(cells, column[_CLICKED.name])
    bad = np.isnan(time) | np.isnan(rank) | np.isnan(clicks)
    begin = _find_pages(lines.session, query, time, rank)
    page = np.cumsum(begin) - 1
    first = np.flatnonzero(begin)
    listed = np.diff(np.append(first, len(line)))
    refuse_deep(source, line[first], listed)
    within = np.arange(len(line)) - first[page]
    shown = np.full((len(first), int(listed.max())), -1, dtype=np.int32)
    shown[page, within] = document
    clicked = np.zeros(shown.shape, dtype=bool)
    clicked[page, within] = clicks > 0
    uneven = ~bad & (rank != within + 1)
    blank = np.array([not one for one in documents])[document]
    faults = (
        lines.find(BAD_NUMBER, bad),
        lines.find_backwards(time),
        lines.find(RANKS, uneven),
        lines.find(EMPTY, blank),
    )
    return lines.make_chunk(first, (query[first], queries), (shown, documents), clicked, faults)


def _read_numbers(cells: TsvFields, places: Integers) -> NDArray[np.float64]:
    """Return whole numbers from 0; NaN for anything else."""
    codes, texts = cells.number(places)
    values = np.array([_WORDS.get(text.lower(), parse_number(text)) for text in texts])
    return np.where((values >= 0) & (values == np.floor(values)), values, np.nan)[codes]


def _find_pages(
    session: Integers,
    query: NDArray[np.int32],
    time: NDArray[np.float64],
    rank: NDArray[np.float64],
) -> Mask:
    """Return which rows begin a page."""
    begin = np.ones(len(session), dtype=bool)
    same = [one[1:] == one[:-1] for one in (session, query, time)]
    begin[1:] = ~(np.logical_and.reduce(same) & (rank[1:] > rank[:-1]))
    return begin
