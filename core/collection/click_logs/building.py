"""A log put together from its parts: numbered, packed, and what is malformed refused or counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.collection.click_logs.packing import Integers, Mask, number_blocks, pack_pages
from core.collection.click_logs.sessions import (
    AGAIN,
    FAULTS,
    MalformedSessions,
    SessionChunk,
    find_empty,
    find_repeated,
)
from core.collection.file_format import Parsed
from core.collection.files.source import Source
from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

MOST_NAMED = 20
"""Line numbers that are kept of each thing that is malformed."""

SUMMARY = ["sessions", "pages", "clicks", "queries", "items", "depth"]
APART = ["fault", "sessions", "lines"]


class LogBuilder:
    """Takes the parts of one file in their order.

    Parameters
    ----------
    source : Source
        The file, for messages.
    is_lenient : bool
        Leave malformed sessions out and count them, in place of refusing the file.
    """

    def __init__(self, source: Source, *, is_lenient: bool) -> None:
        self._source, self._is_lenient = source, is_lenient
        self._queries: dict[str, int] = {}
        self._documents: dict[str, int] = {}
        self._items = ItemNumbers()
        self._seen = SeenNames()
        self._blocks: list[dict[str, Any]] = []
        self._apart: defaultdict[str, list[int]] = defaultdict(list)
        self._counts = {"sessions": 0, "pages": 0, "clicks": 0, "depth": 0}

    def add(self, part: SessionChunk) -> None:
        """Take the sessions of a part that are as they should be.

        Raises
        ------
        BadInput
            One is malformed, and the file is to be refused then.
        """
        faults = [
            *part.faults,
            find_repeated(part.line, part.session, part.document),
            find_empty(part.line, part.session, part.document),
            self._find_again(part),
        ]
        if any(len(fault.line) for fault in faults):
            part = self._set_apart(part, faults)
        if len(part.line):
            self._take(part)

    def finish(self) -> Parsed:
        """Return everything that was taken: frames "clicks", "click_blocks" and so on.

        Raises
        ------
        BadInput
            Nothing was left of the file.
        """
        import pandas as pd

        if not self._blocks:
            first = min((at[0] for at in self._apart.values()), default=1)
            reason = "no session is left: all are malformed" if self._apart else "holds no page"
            raise BadInput(reason, file=self._source.name, line=first)
        queries = pd.DataFrame({"text": pd.array([*self._queries], dtype="str")})
        items = self._items.list_items([*self._documents])
        counted = [self._counts | {"queries": len(queries), "items": len(items)}]
        apart = [(what, len(at), at[:MOST_NAMED]) for what, at in sorted(self._apart.items())]
        frames = {
            "clicks": pd.DataFrame(counted, columns=SUMMARY),
            "click_queries": queries,
            "click_items": items,
            "click_blocks": number_blocks(self._blocks),
            "click_apart": pd.DataFrame(apart, columns=APART).astype({"fault": "str"}),
        }
        return Parsed(frames)

    def _find_again(self, part: SessionChunk) -> MalformedSessions:
        again = np.flatnonzero(self._seen.add(part.sessions))
        return MalformedSessions(AGAIN, part.session_line[again], again)

    def _set_apart(self, part: SessionChunk, faults: Sequence[MalformedSessions]) -> SessionChunk:
        """Return a part without its malformed sessions, each counted under its first fault."""
        line = np.concatenate([fault.line for fault in faults])
        session = np.concatenate([fault.session for fault in faults])
        kinds = [FAULTS.index(fault.what) for fault in faults]
        kind = np.repeat(kinds, [len(fault.line) for fault in faults])
        order = np.lexsort((kind, line))
        line, session, kind = line[order], session[order], kind[order]
        if not self._is_lenient:
            self._refuse(part.sessions[session[0]], FAULTS[kind[0]], int(line[0]))
        _, first = np.unique(session, return_index=True)
        for at in np.sort(first):
            self._apart[FAULTS[kind[at]]].append(int(line[at]))
        malformed = np.zeros(len(part.sessions), dtype=bool)
        malformed[session] = True
        return keep_sessions(part, ~malformed)

    def _refuse(self, session: str, what: str, line: int) -> None:
        raise BadInput(
            f"session '{session}': {what}. Correct the file, or choose to have malformed sessions "
            "left out and counted",
            file=self._source.name,
            line=line,
        )

    def _take(self, part: SessionChunk) -> None:
        shown = part.document >= 0
        query = number_texts(self._queries, part.queries, part.query)
        document = number_texts(self._documents, part.documents, part.document[shown])
        owner = np.broadcast_to(query[:, np.newaxis], shown.shape)[shown]
        item = np.full(shown.shape, -1, dtype=np.int32)
        item[shown] = self._items.number(owner, document)
        depth = int(np.flatnonzero(shown.any(axis=0))[-1]) + 1
        session, begins = _count_up(part.session)
        self._blocks += pack_pages(
            session + self._counts["sessions"], item[:, :depth], part.clicked[:, :depth]
        )
        self._counts["sessions"] += begins
        self._counts["pages"] += len(part.line)
        self._counts["clicks"] += int(part.clicked.sum())
        self._counts["depth"] = max(self._counts["depth"], depth)


def _count_up(session: Integers) -> tuple[Integers, int]:
    """Return sessions numbered from 0 without gaps, and how many there are."""
    steps = np.concatenate([[0], session[1:] != session[:-1]])
    return np.cumsum(steps), int(steps.sum()) + 1


def keep_sessions(part: SessionChunk, kept: Mask) -> SessionChunk:
    """Return a part with some of its sessions, shape (n_sessions,), and without its faults."""
    pages = kept[part.session]
    return SessionChunk(
        part.sessions,
        part.queries,
        part.documents,
        part.session_line,
        part.line[pages],
        part.session[pages],
        part.query[pages],
        part.document[pages],
        part.clicked[pages],
        (),
    )


def number_texts(known: dict[str, int], texts: Sequence[str], codes: Integers) -> Integers:
    """Return a log's numbers in place of a part's; new texts get the next as they come."""
    import pandas as pd

    places, used = pd.factorize(codes)
    numbers = [known.setdefault(texts[code], len(known)) for code in used.tolist()]
    return np.array(numbers, dtype=np.int64)[places]


class ItemNumbers:
    """Numbers for pairs of query and document, in the order in which they come.

    Both are kept in 16 bytes a pair: logs have millions.
    """

    def __init__(self) -> None:
        self._keys = np.empty(0, dtype=np.int64)
        self._codes = np.empty(0, dtype=np.int32)

    def number(self, query: Integers, document: Integers) -> NDArray[np.int32]:
        """Return the number of each pair, shape (n,)."""
        import pandas as pd

        codes, keys = pd.factorize((query.astype(np.int64) << 32) | document)
        place = np.searchsorted(self._keys, keys)
        held = np.zeros(len(keys), dtype=bool)
        inside = place < len(self._keys)
        held[inside] = self._keys[place[inside]] == keys[inside]
        numbers = np.empty(len(keys), dtype=np.int32)
        numbers[held] = self._codes[place[held]]
        if not held.all():
            new = np.flatnonzero(~held)
            numbers[new] = len(self._codes) + np.arange(len(new))
            self._add(keys[new], numbers[new])
        return numbers[codes]

    def _add(self, keys: NDArray[np.int64], codes: NDArray[np.int32]) -> None:
        keys = np.concatenate([self._keys, keys])
        order = np.argsort(keys, kind="stable")
        self._keys, self._codes = keys[order], np.concatenate([self._codes, codes])[order]

    def list_items(self, documents: Sequence[str]) -> pd.DataFrame:
        """Return the query and the document_id of each number."""
        import pandas as pd

        keys = np.empty_like(self._keys)
        keys[self._codes] = self._keys
        names = pd.array(documents, dtype="str")
        return pd.DataFrame(
            {
                "query": (keys >> 32).astype(np.int32),
                "document_id": names.take((keys & 0xFFFFFFFF).astype(np.int64)),
            }
        )


class SeenNames:
    """Names that were seen, by 64-bit hashes: a log has too many sessions to keep all names.

    Of ten million names two have the same hash once in 370,000 logs.
    """

    def __init__(self) -> None:
        self._runs: list[NDArray[np.uint64]] = []

    def add(self, names: Sequence[str]) -> Mask:
        """Return which of some names were seen before, in this list or in an earlier one."""
        import pandas as pd

        hashes = pd.util.hash_array(np.array(names, dtype=object), categorize=False)
        before = pd.Series(hashes).duplicated().to_numpy(dtype=bool, copy=True)
        for run in self._runs:
            place = np.minimum(np.searchsorted(run, hashes), len(run) - 1)
            before |= run[place] == hashes
        self._runs.append(np.sort(hashes))
        # Of each length about one, so that few are looked through.
        while len(self._runs) > 1 and len(self._runs[-1]) * 2 > len(self._runs[-2]):
            merged = np.concatenate([self._runs.pop(), self._runs.pop()])
            self._runs.append(np.sort(merged, kind="stable"))
        return before


def describe_apart(apart: pd.DataFrame) -> list[str]:
    """Return in words what was left out, each fault with its first lines."""
    sentences = []
    for row in apart.to_dict("records"):
        lines = ", ".join(f"{at:,}" for at in row["lines"])
        more = ", …" if row["sessions"] > len(row["lines"]) else ""
        noun = "session is" if row["sessions"] == 1 else "sessions are"
        word = "line" if row["sessions"] == 1 else "lines"
        sentences.append(
            f"{row['sessions']:,} {noun} left out: {row['fault']} ({word} {lines}{more})"
        )
    return sentences
