"""Click logs as Yandex gives them away, and after it CLARA: a line a page, and a line a click.

To which page a click belongs: the latest of its session that shows the document.
"""

import numpy as np
from numpy.typing import NDArray

from core.collection.click_logs.building import LogBuilder
from core.collection.click_logs.cells import TsvFields, split_cells
from core.collection.click_logs.clicks import ClickOptions
from core.collection.click_logs.packing import Integers, Mask
from core.collection.click_logs.sessions import (
    BAD_NUMBER,
    EMPTY,
    NO_PAGE,
    NOT_SHOWN,
    SessionChunk,
    SessionLines,
    cut_sessions,
    refuse_deep,
    refuse_empty,
)
from core.collection.file_format import Parsed, file_format
from core.collection.files.likeness import UNLIKE, Likeness, first_rows
from core.collection.files.source import Source
from core.errors import BadInput

BEFORE, NOWHERE = -2, -1
"""A click before any page of its session, and one on what none of them has shown."""


_QUERY, _CLICK = ord("Q"), ord("C")
_BEFORE_LIST = 5
"""session, time, Q, query, region."""

_OF_CLICK = 4
"""session, time, C, document."""


def _detect(sample: Source) -> Likeness:
    """Know lines whose third word is Q or C, separated by tabs."""
    rows = first_rows(sample)
    share = sum(map(_is_line, rows)) / len(rows)
    return Likeness(share) if _is_line(rows[0]) else UNLIKE


def _is_line(row: list[str]) -> bool:
    least = {"Q": _BEFORE_LIST, "C": _OF_CLICK}
    return len(row) > 3 and len(row) >= least.get(row[2], len(row) + 1)


@file_format(
    kind="clicks",
    name="Yandex",
    layout="tabs between `session time Q query region document…`, a page and what it showed, and "
    "`session time C document`, a click; a session's lines stand together",
    example="1\t0\tQ\tcats\t0\td1\td2\n1\t7\tC\td2\n2\t3\tQ\tcats\t0\td2\td1\n",
    sniff=lambda source, _options: _is_line(first_rows(source.sample(), 1)[0]),
    detect=_detect,
)
def read_yandex_log(source: Source, options: ClickOptions) -> Parsed:
    """Read a log; the region is left aside."""
    builder = LogBuilder(source, is_lenient=options.lenient)
    for block, line in cut_sessions(source, _session_of):
        cells = split_cells(block, line)
        if len(cells.line):
            builder.add(_read_part(source, cells))
    return builder.finish()


def _session_of(row: bytes) -> bytes:
    return row.partition(b"\t")[0].strip()


def _read_part(source: Source, cells: TsvFields) -> SessionChunk:
    is_page = _read_kinds(source, cells)
    line, time = cells.line, cells.times(cells.first + 1)
    lines = SessionLines(line, *cells.number(cells.first))
    refuse_empty(source, line, lines.code, lines.names, "session")
    session = lines.session
    page, click = np.flatnonzero(is_page), np.flatnonzero(~is_page)
    query = cells.number(cells.first[page] + 3)
    refuse_empty(source, line[page], *query, "query")
    shown, wanted, documents = _read_documents(source, cells, page, click)
    document, has_gap = _lay_out(shown, _count_listed(cells, page), documents)
    clicked, place = credit_clicks(
        document, session[page], np.searchsorted(page, click), wanted, session[click]
    )
    faults = (
        lines.find(BAD_NUMBER, np.isnan(time)),
        lines.find_backwards(time),
        lines.find(EMPTY, page[has_gap]),
        lines.find(NO_PAGE, click[place == BEFORE]),
        lines.find(NOT_SHOWN, click[place == NOWHERE]),
    )
    return lines.make_chunk(page, query, (document, documents), clicked, faults)


def _read_kinds(source: Source, cells: TsvFields) -> Mask:
    """Return which lines are pages and not clicks, shape (n_lines,)."""
    short = cells.count < _OF_CLICK
    third = cells.first[~short] + 2
    letter = np.zeros(len(short), dtype=np.uint8)
    letter[~short] = cells.letters(third)
    is_page: Mask = letter == _QUERY
    wrong = ~(is_page & (cells.count >= _BEFORE_LIST)) & (letter != _CLICK)
    if wrong.any():
        reason = (
            "is neither a page (session, time, Q, query, region, documents) nor a click (session, "
            "time, C, document), with tabs between"
        )
        raise BadInput(reason, file=source.name, line=int(cells.line[wrong.argmax()]))
    return is_page


def _count_listed(cells: TsvFields, page: Integers) -> Integers:
    """Return how many cells each page's list has; tabs at the end of a line are no places."""
    count = cells.count[page]
    last = cells.first[page] + count - 1
    while (empty := (count > _BEFORE_LIST) & (cells.length[last] == 0)).any():
        count, last = count - empty, last - empty
    return count - _BEFORE_LIST


def _read_documents(
    source: Source, cells: TsvFields, page: Integers, click: Integers
) -> tuple[NDArray[np.int32], NDArray[np.int32], list[str]]:
    """Return what pages showed, one after another, what was clicked, and the names of both."""
    listed = _count_listed(cells, page)
    refuse_deep(source, cells.line[page], listed)
    begin = np.repeat(cells.first[page] + _BEFORE_LIST, listed)
    within = np.arange(len(begin)) - np.repeat(np.cumsum(listed) - listed, listed)
    places = np.concatenate([begin + within, cells.first[click] + 3])
    codes, documents = cells.number(places)
    return codes[: len(begin)], codes[len(begin) :], documents


def _lay_out(
    shown: NDArray[np.int32], listed: Integers, documents: list[str]
) -> tuple[NDArray[np.int32], Mask]:
    """Return a row for each page, and which pages have an empty place."""
    document = np.full((len(listed), int(listed.max(initial=1))), -1, dtype=np.int32)
    is_place = np.arange(document.shape[1]) < listed[:, np.newaxis]
    document[is_place] = shown
    blank = np.array([not name for name in documents] or [False])
    has_gap: Mask = (is_place & blank[document]).any(axis=1)
    return document, has_gap


def credit_clicks(
    document: NDArray[np.int32],
    session: Integers,
    before: Integers,
    wanted: NDArray[np.int32],
    session_of_click: Integers,
) -> tuple[Mask, Integers]:
    """Return what was clicked on each page.

    Parameters
    ----------
    document : array, shape (n_pages, depth)
        What each page showed; -1 where the list is shorter.
    session : array, shape (n_pages,)
        The session of each page; those of one follow each other.
    before, wanted, session_of_click : array, shape (n_clicks,)
        How many pages stand before a click, on which document it is, and its session.

    Returns
    -------
    clicked : array of bool, shape (n_pages, depth)
    page : array, shape (n_clicks,)
        The page that each click belongs to; BEFORE or NOWHERE where there is none.
    """
    latest = before - 1
    own = latest >= 0
    own[own] = session[latest[own]] == session_of_click[own]
    page = np.where(own, NOWHERE, BEFORE)
    rows = np.flatnonzero(own)
    found = (document[latest[rows]] == wanted[rows, np.newaxis]).any(axis=1)
    page[rows[found]] = latest[rows[found]]
    rest = rows[~found]
    if len(rest):
        page[rest] = _look_back(document, session, latest[rest], wanted[rest])
    clicked = np.zeros(document.shape, dtype=bool)
    credited = np.flatnonzero(page >= 0)
    hit = document[page[credited]] == wanted[credited, np.newaxis]
    at, rank = np.nonzero(hit)
    clicked[page[credited][at], rank] = True
    return clicked, page


def _look_back(
    document: NDArray[np.int32], session: Integers, latest: Integers, wanted: NDArray[np.int32]
) -> Integers:
    """Return the latest page from ``latest`` back that shows each document; NOWHERE if none."""
    first = np.searchsorted(session, session[latest])
    has_click = np.zeros(int(session.max()) + 1, dtype=bool)
    has_click[session[latest]] = True
    pages = np.flatnonzero(has_click[session])
    at, rank = np.nonzero(document[pages] >= 0)
    count = np.int64(len(document))
    keys = np.sort(document[pages[at], rank] * count + pages[at])
    place = np.searchsorted(keys, wanted * count + latest, side="right") - 1
    found = place >= 0
    page = np.where(found, keys[np.maximum(place, 0)] - wanted * count, NOWHERE)
    # A smaller key is of another document, or of a page before the session's first.
    return np.where(found & (page >= first), page, NOWHERE)
