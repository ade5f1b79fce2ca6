"""Rankings compiled once for all measures: every run against one set of judgements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from core.errors import BadInput
from core.measures.coded_judgements import CodedJudgements, code_judgements, find_codes
from core.measures.intents import Intents
from core.measures.ranked import Floats, Integers, Levels, Ranked
from core.measures.sample import Sample, code_pool, has_sample

if TYPE_CHECKING:
    import pandas as pd

    from core.versions.judgements import Judgements


UNJUDGED, ABSENT = -1, -2

_DENSE = 20
"""Up to how many places a cell the pairs that are shown are marked in a table of all."""

SLICE = 400_000
"""How many lines of runs are coded at a time, to keep memory low."""


@dataclass(frozen=True, eq=False)
class Rankings:
    """All runs against one set of judgements, ready to be measured.

    Parameters
    ----------
    systems, topics : tuple of str
        The systems, and every topic that has a judgement. Ranking number
        ``system * len(topics) + topic`` is that system's answer to that topic; it is empty where
        the run has no line for the topic.
    retrieved : Ranked
        One row per ranking: its judged documents.
    length : array of int, shape (n_rankings,)
        How many documents each ranking holds, judged or not.
    ideal : Ranked
        One row per topic: all its judged documents, highest level first.
    intents : Intents
        The relevant documents by intent (iteration of the qrels).
    unknown_topics : tuple of str
        Topics of the runs without any judgement; they are left out.
    gmax : float
        The highest level of the scale, for measures that ask for it (ERR, RBP with a gain).
    is_gmax_taken : bool, default False
        Whether nobody said so, and the highest level that occurs was taken.
    reading : Reading, optional
        How many words there are to read down to each of the documents retrieved.
    sample : Sample, optional
        What was pooled, where the judgements are of a sample of it.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    retrieved: Ranked
    length: Integers
    ideal: Ranked
    intents: Intents
    unknown_topics: tuple[str, ...]
    gmax: float
    is_gmax_taken: bool = False
    reading: Reading | None = None
    sample: Sample | None = None

    @property
    def system(self) -> Integers:
        """The number of each ranking's system, shape (n_rankings,)."""
        return np.repeat(np.arange(len(self.systems)), len(self.topics))

    @property
    def topic(self) -> Integers:
        """The number of each ranking's topic, shape (n_rankings,)."""
        return np.tile(np.arange(len(self.topics)), len(self.systems))

    def system_names(self, ranking: Integers) -> pd.api.extensions.ExtensionArray:
        """Return the system of each of these rankings, as strings."""
        return _strings(self.systems).take(self.system[ranking])

    def topic_names(self, ranking: Integers) -> pd.api.extensions.ExtensionArray:
        """Return the topic of each of these rankings, as strings."""
        return _strings(self.topics).take(self.topic[ranking])

    def relevant(self, level: float) -> Integers:
        """Return the number of documents judged at or above a level, shape (n_topics,)."""
        return self.ideal.at_least(level).count()

    @cached_property
    def condensed(self) -> Rankings:
        """The same rankings without the documents that have no judgement: each moves up.

        Only what is retrieved and its length are condensed; documents by intent, words to read and
        samples are left out.
        """
        shown, ideal = self.retrieved, self.ideal
        retrieved = Ranked(shown.rows, shown.row, shown.ordinal(), shown.level)
        return replace(
            self,
            retrieved=retrieved,
            length=retrieved.count(),
            intents=Intents.as_one(retrieved, ideal),
            reading=None,
            sample=None,
        )

    def missing(self) -> pd.DataFrame:
        """Return the topics a system has no line for: ``system, topic_id``; they score 0."""
        import pandas as pd

        empty = np.flatnonzero(self.length == 0)
        return pd.DataFrame(
            {"system": self.system_names(empty), "topic_id": self.topic_names(empty)}
        )

    def levels(self, depth: int) -> Levels:
        """Return the level at every rank, shape (n_rankings, depth).

        A document without a judgement is ``UNJUDGED``, a rank without a document ``ABSENT``.
        """
        laid = np.where(np.arange(depth) < self.length[:, None], UNJUDGED, ABSENT)
        cells = self.retrieved.up_to(depth)
        laid = laid.astype(np.result_type(np.int32, cells.level.dtype))
        laid[cells.row, cells.rank - 1] = cells.level
        return laid


def compile_rankings(
    runs: pd.DataFrame,
    judgements: Judgements,
    depth: int | None = None,
) -> Rankings:
    """Bring runs and judgements together, once, for all measures.

    Parameters
    ----------
    runs : DataFrame
        ``system, topic_id, document_id, rank``; ranks run 1, 2, 3 … in each system and topic. A
        column ``words`` may say how long each document is, for TBG; NaN where that is not known.
    judgements : Judgements
        ``topic_id, iteration, document_id, level``, and their scale. A document judged in several
        iterations (subtopics) has its highest level, but for measures by intent. A level below 0
        is no judgement, as for trec_eval: it was pooled and not drawn. Columns ``stratum`` and
        ``probability`` may say how a sample was drawn; see `core.measures.sample`. With a column
        ``engine``, a row that names one holds only for the system of that name, where it goes
        before the row for all (engine empty): a snippet is judged in the words of the engine that
        shows it. The ideal ranking holds each document at its highest level of any engine.
    depth : int, optional
        Ranks beyond it are not read.

    Returns
    -------
    Rankings
        For every system × topic with judgements.

    Raises
    ------
    TooLittleData
        There is no judgement yet.
    BadInput
        There is no run; no topic of the runs is judged; ranks do not run from 1; a document is
        twice in a ranking, or twice in one topic, iteration and engine of the judgements; a length
        is no number of words; a probability to be drawn is none.
    """
    import pandas as pd

    qrels = judgements.frame
    coded = code_judgements(qrels)
    if runs.empty:
        raise BadInput("there is no run to measure; import one first")
    systems = pd.Index(runs["system"].unique())
    parts = [
        _read_part(runs.iloc[start : start + SLICE], systems, coded)
        for start in range(0, len(runs), SLICE)
    ]
    length = _check_length(parts)
    unknown = tuple(dict.fromkeys(topic for part in parts for topic in part.unknown))
    _refuse_twice(parts, len(coded.topics), len(coded.keys))
    row, rank, position = _order_cells(parts, depth)
    retrieved = Ranked(len(length), row, rank, coded.levels[position])
    ideal = coded.ideal()
    return Rankings(
        tuple(map(str, systems)),
        tuple(map(str, coded.topics)),
        retrieved,
        length if depth is None else np.minimum(length, depth),
        ideal,
        coded.tell_intents(retrieved, position, ideal),
        unknown,
        judgements.gmax,
        judgements.is_gmax_taken,
        _read_words(runs, systems, coded, retrieved) if "words" in runs else None,
        _read_sample(runs, systems, coded, qrels, depth) if has_sample(qrels) else None,
    )


@dataclass(frozen=True, eq=False)
class _RunLines:
    """Some lines of the runs: how many and their squared ranks, by row; each judged cell."""

    lines: Integers
    squares: Integers
    row: Integers
    rank: Integers
    position: Integers
    unknown: tuple[str, ...]


def _read_part(lines: pd.DataFrame, systems: pd.Index[Any], coded: CodedJudgements) -> _RunLines:
    topics = coded.topics
    topic = find_codes(topics, lines["topic_id"])
    known, unknown = topic >= 0, lines["topic_id"].head(0)
    if not known.all():
        lines, unknown, topic = lines[known], lines["topic_id"][~known], topic[known]
    rank = lines["rank"].to_numpy(np.int64)
    if (rank < 1).any():
        raise BadInput("ranks count from 1", field="rank")
    row = find_codes(systems, lines["system"]).astype(np.int64) * len(topics) + topic
    judged, position = coded.find(topic, lines)
    rows = len(systems) * len(topics)
    squares = np.bincount(row, weights=rank**2, minlength=rows)
    return _RunLines(
        np.bincount(row, minlength=rows),
        squares.astype(np.int64),
        row[judged].astype(np.int32),
        rank[judged].astype(np.int32),
        position.astype(np.int32),
        tuple(map(str, unknown.unique())),
    )


def _read_words(
    runs: pd.DataFrame, systems: pd.Index[Any], coded: CodedJudgements, retrieved: Ranked
) -> Reading:
    topic = find_codes(coded.topics, runs["topic_id"])
    row = find_codes(systems, runs["system"]).astype(np.int64) * len(coded.topics) + topic
    known = topic >= 0
    words = runs["words"].to_numpy(np.float64, na_value=np.nan)[known]
    if not (np.isnan(words) | (words >= 0) & np.isfinite(words)).all():
        raise BadInput("a document's length is a number of words from 0", field="words")
    return add_up_words(retrieved, row[known], runs["rank"].to_numpy(np.int64)[known], words)


def _read_sample(
    runs: pd.DataFrame,
    systems: pd.Index[Any],
    coded: CodedJudgements,
    qrels: pd.DataFrame,
    depth: int | None,
) -> Sample:
    pool = code_pool(qrels, coded.topics)
    parts = [
        _read_part(runs.iloc[start : start + SLICE], systems, pool.found)
        for start in range(0, len(runs), SLICE)
    ]
    row, rank, position = _order_cells(parts, depth)
    rows = len(systems) * len(coded.topics)
    return Sample(pool, Ranked(rows, row, rank, pool.cells.level[position]), position)


def _check_length(parts: list[_RunLines]) -> Integers:
    """Return the length of each ranking; refuse ranks that do not run from 1."""
    length: Integers = np.sum([part.lines for part in parts], axis=0)
    if not length.any():
        raise BadInput("no topic of the runs is judged; do the runs belong to these qrels?")
    squares = np.sum([part.squares for part in parts], axis=0)
    if (squares != length * (length + 1) * (2 * length + 1) // 6).any():
        raise BadInput("the ranks of a run do not go 1, 2, 3 … in every topic", field="rank")
    return length


def _order_cells(parts: list[_RunLines], depth: int | None) -> tuple[Integers, Integers, Integers]:
    """Return row, rank and position of the judged cells up to a depth, in order of row and rank.

    This is where most memory is needed, so the parts are used up.
    """
    cells = [(part.row, part.rank, part.position) for part in parts]
    parts.clear()
    row, rank, position = (np.concatenate(values) for values in zip(*cells, strict=True))
    del cells
    if depth is not None:
        row, rank, position = (values[rank <= depth] for values in (row, rank, position))
    key = _pair(row, rank)
    if (key[1:] < key[:-1]).any():  # imported runs are in order already
        order = np.argsort(key, kind="stable")
        row, rank, position = row[order], rank[order], position[order]
    return row, rank, position


def _refuse_twice(parts: list[_RunLines], topics: int, judged: int) -> None:
    """Refuse a system that shows a judged pair of topic and document more than once.

    Every such pair has a place for each system; where runs fill few of them, sorting is cheaper.
    """
    systems = 1 + max(int(part.row.max(initial=0)) for part in parts) // topics
    cells, places = sum(len(part.row) for part in parts), systems * judged
    keys = (part.row // topics * np.int64(judged) + part.position for part in parts)
    if places <= _DENSE * cells:
        taken = np.zeros(places, dtype=np.bool_)
        for key in keys:
            taken[key] = True
        different = int(np.count_nonzero(taken))
    else:
        different = len(np.unique(np.concatenate(list(keys))))
    if different < cells:
        raise BadInput("a run names a document twice in one topic; keep one line of each")


def _pair(row: Integers, other: Integers) -> Integers:
    """Return one number for each pair, in the same order; in place, to save memory."""
    key = row.astype(np.int64)
    key *= int(other.max(initial=0)) + 1
    key += other
    return key


def _strings(names: tuple[str, ...]) -> pd.api.extensions.ExtensionArray:
    import pandas as pd

    return pd.array(list(names), dtype="str")


@dataclass(frozen=True, eq=False)
class Reading:
    """Words of the documents in rankings; every array has one value for each retrieved cell.

    Parameters
    ----------
    own : array of float
        The words of the document; NaN where its length is not known.
    above : array of float
        The words of all documents above it whose length is known, judged or not.
    unknown : array of int
        How many documents above it have no known length.
    """

    own: Floats
    above: Floats
    unknown: Integers


def add_up_words(retrieved: Ranked, row: Integers, rank: ArrayLike, words: ArrayLike) -> Reading:
    """Return what there is to read down to each retrieved cell.

    Parameters
    ----------
    retrieved : Ranked
        The judged documents.
    row, rank : array of int, shape (n_lines,)
        Where every document stands, judged or not; ranks run 1, 2, 3 … in each row.
    words : array of float, shape (n_lines,)
        Its length, at least 0; NaN where it is not known.
    """
    ranks, lengths = np.asarray(rank, dtype=np.int64), np.asarray(words, dtype=np.float64)
    order = np.lexsort((ranks, row))
    sorted_row, sorted_words = row[order], lengths[order]
    missing = np.isnan(sorted_words)
    first = np.searchsorted(sorted_row, retrieved.row)
    place = first + retrieved.rank - 1
    known, unknown = (
        np.append(0, np.cumsum(values)) for values in (np.where(missing, 0, sorted_words), missing)
    )
    return Reading(
        sorted_words[place],
        np.asarray(known[place] - known[first], dtype=np.float64),
        np.asarray(unknown[place] - unknown[first], dtype=np.int64),
    )
