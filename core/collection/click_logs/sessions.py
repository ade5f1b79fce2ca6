"""Whole sessions of a log in numbers, and what is wrong with some of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.collection.click_logs.packing import Integers, Mask
from core.collection.files.source import Source
from core.errors import BadInput

BAD_NUMBER = "a time, rank or number of clicks is no number"
NO_PAGE = "a click before any page of its session"
NOT_SHOWN = "a click on what no page of its session has shown"
BACKWARDS = "a time before that of the line above"
REPEATED = "a document stands twice in a list"
EMPTY = "a list shows nothing, or has an empty place"
RANKS = "the ranks of a page do not run from 1 without a gap"
AGAIN = "the session's lines go on after those of another"

FAULTS = (BAD_NUMBER, NO_PAGE, NOT_SHOWN, BACKWARDS, REPEATED, EMPTY, RANKS, AGAIN)
"""What makes a session malformed, in the order in which one line's are told."""

DEEPEST = 200
"""Documents in one list: every page takes as much room as the longest."""

_MOST_OF_SESSION = 2**25
"""Bytes of one session's lines, which are looked at together."""


@dataclass(frozen=True, eq=False)
class MalformedSessions:
    """Lines of malformed sessions: shape (n,) each; ``what`` is one of FAULTS."""

    what: str
    line: Integers
    session: Integers


@dataclass(frozen=True, eq=False)
class SessionChunk:
    """Whole sessions that follow each other in a file.

    Parameters
    ----------
    sessions, queries, documents : sequence of str
        What the numbers below stand for, in this part; sessions in the order of the file.
    session_line : array, shape (n_sessions,)
        The first line of each.
    line, session, query : array, shape (n_pages,)
        Of each page: its line, and its session and query.
    document : array of int32, shape (n_pages, depth)
        What it showed; -1 where the list is shorter.
    clicked : array of bool, shape (n_pages, depth)
        Whether that was clicked.
    faults : tuple of MalformedSessions
        What was found in reading.
    """

    sessions: Sequence[str]
    queries: Sequence[str]
    documents: Sequence[str]
    session_line: Integers
    line: Integers
    session: Integers
    query: Integers
    document: NDArray[np.int32]
    clicked: Mask
    faults: tuple[MalformedSessions, ...]


@dataclass(frozen=True, eq=False)
class SessionLines:
    """Lines, or pages, of whole sessions that follow each other in a file.

    Parameters
    ----------
    line, code : array, shape (n,)
        Where each stands, and what it calls its session: a number of ``names``.
    names : sequence of str
        What the numbers stand for.
    """

    line: Integers
    code: Integers
    names: Sequence[str]

    @cached_property
    def begins(self) -> Mask:
        """Whether a session begins there: shape (n,)."""
        return np.append(True, self.code[1:] != self.code[:-1])[: len(self.code)]

    @cached_property
    def session(self) -> Integers:
        """Which session each is of, in the order of the file: shape (n,)."""
        return np.cumsum(self.begins) - 1

    def find(self, what: str, where: Integers | Mask) -> MalformedSessions:
        """Return what is wrong at some of them."""
        return MalformedSessions(what, self.line[where], self.session[where])

    def find_backwards(self, time: NDArray[np.float64]) -> MalformedSessions:
        """Return the lines whose time is before that of the line above, in the same session."""
        early = np.zeros(len(self.line), dtype=bool)
        early[1:] = (self.session[1:] == self.session[:-1]) & (time[1:] < time[:-1])
        return self.find(BACKWARDS, early)

    def make_chunk(
        self,
        page: Integers,
        query: tuple[Integers, Sequence[str]],
        document: tuple[NDArray[np.int32], Sequence[str]],
        clicked: Mask,
        faults: Sequence[MalformedSessions],
    ) -> SessionChunk:
        """Return the sessions, of which ``page`` says where pages begin; see `SessionChunk`.

        Queries and documents are numbers, with what these stand for.
        """
        names = [self.names[code] for code in self.code[self.begins].tolist()]
        pages = self.line[page], self.session[page], query[0], document[0]
        first = self.line[self.begins]
        return SessionChunk(names, query[1], document[1], first, *pages, clicked, tuple(faults))


def cut_sessions(
    source: Source, session_of: Callable[[bytes], bytes], skip: int = 0
) -> Iterator[tuple[bytes, int]]:
    """Yield blocks of lines, cut between sessions, each with the number of its first line.

    Parameters
    ----------
    session_of : callable
        Returns what names the session of a line.
    skip : int
        Lines at the beginning that belong to none.

    Raises
    ------
    BadInput
        A session has too many lines, or as `Source.blocks`.
    """
    rest, line = b"", 1
    for block in source.blocks():
        text = rest + block
        for _ in range(skip):
            text = text.partition(b"\n")[2]
        line, skip = line + skip, 0
        end = _find_last(text, session_of)
        if len(text) - end > _MOST_OF_SESSION:
            most = f"{_MOST_OF_SESSION // 2**20} MiB"
            raise BadInput(
                f"a session has more than {most} of lines; does this column name sessions?",
                file=source.name,
                line=line + text.count(b"\n", 0, end),
            )
        rest = text[end:]
        if end:
            yield text[:end], line
            line += text.count(b"\n", 0, end)
    if rest:
        yield rest, line


def _find_last(text: bytes, session_of: Callable[[bytes], bytes]) -> int:
    """Return where the lines of the last session begin."""
    start, last = len(text), None
    while start:
        before = text.rfind(b"\n", 0, start - 1) + 1
        row = text[before : start - 1]
        if row.strip():
            named = session_of(row)
            if last is not None and named != last:
                return start
            last = named
        start = before
    return 0


def find_repeated(
    line: Integers, session: Integers, document: NDArray[np.int32]
) -> MalformedSessions:
    """Return the pages that show a document twice."""
    ordered = np.sort(document, axis=1)
    twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any(axis=1)
    return MalformedSessions(REPEATED, line[twice], session[twice])


def find_empty(line: Integers, session: Integers, document: NDArray[np.int32]) -> MalformedSessions:
    """Return the pages that show nothing."""
    empty = ~(document >= 0).any(axis=1)
    return MalformedSessions(EMPTY, line[empty], session[empty])


def refuse_empty(
    source: Source, line: Integers, codes: Integers, names: Sequence[str], what: str
) -> None:
    """Raise BadInput for the first line that does not say what it has to."""
    if "" in names and (empty := codes == list(names).index("")).any():
        raise BadInput(f"has no {what}", file=source.name, line=int(line[empty.argmax()]))


def refuse_deep(source: Source, line: Integers, listed: Integers) -> None:
    """Raise BadInput for the first list that is too long."""
    if (deep := listed > DEEPEST).any():
        reason = f"a list has at most {DEEPEST} documents, and this one {listed[deep.argmax()]:,}"
        raise BadInput(reason, file=source.name, line=int(line[deep.argmax()]))
