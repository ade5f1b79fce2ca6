"""Rankings compiled once for all measures: every run against one set of judgements."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.errors import BadInput, TooLittleData
from core.measures.ranked import Integers, Levels, Ranked

UNJUDGED, ABSENT = -1, -2


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
    unknown_topics : tuple of str
        Topics of the runs without any judgement; they are left out.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    retrieved: Ranked
    length: Integers
    ideal: Ranked
    unknown_topics: tuple[str, ...]

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

    def missing(self) -> pd.DataFrame:
        """Return the topics a system has no line for: ``system, topic_id``; they score 0."""
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


def compile_rankings(runs: pd.DataFrame, qrels: pd.DataFrame, depth: int | None = None) -> Rankings:
    """Bring runs and judgements together, once, for all measures.

    Parameters
    ----------
    runs : DataFrame
        ``system, topic_id, document_id, rank``; ranks run 1, 2, 3 … in each system and topic.
    qrels : DataFrame
        ``topic_id, iteration, document_id, level``. A document judged in several iterations
        (subtopics) has its highest level. A level below 0 is no judgement, as for trec_eval.
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
        twice in a ranking, or twice in one topic and iteration of the judgements.
    """
    qrels = qrels[~(qrels["level"] < 0)]
    if qrels.empty:
        raise TooLittleData("nothing is judged yet, so no ranking can be measured")
    if runs.empty:
        raise BadInput("there is no run to measure; import one first")
    topics = pd.Index(qrels["topic_id"].unique())
    documents = pd.Index(qrels["document_id"].unique())
    keys, levels = _best_levels(qrels, topics, documents)
    system, systems = pd.factorize(runs["system"])
    topic = _codes(topics, runs["topic_id"])
    known = topic >= 0
    if not known.any():
        raise BadInput("no topic of the runs is judged; do the runs belong to these qrels?")
    rows, rank = len(systems) * len(topics), runs["rank"].to_numpy(np.int64)[known]
    row = (system * len(topics) + topic)[known]
    length = _check_ranks(row, rank, rows)
    document = _codes(documents, runs["document_id"])[known]
    wanted = (document >= 0) & (rank <= (rank.max() if depth is None else depth))
    key = topic[known][wanted] * len(documents) + document[wanted]
    return Rankings(
        tuple(map(str, systems)),
        tuple(map(str, topics)),
        _match(rows, row[wanted], rank[wanted], key, keys, levels),
        length if depth is None else np.minimum(length, depth),
        _ideal(keys // len(documents), levels, len(topics)),
        tuple(map(str, runs["topic_id"][~known].unique())),
    )


def _match(
    rows: int, row: Integers, rank: Integers, key: Integers, keys: Integers, levels: Levels
) -> Ranked:
    """Return the retrieved documents whose key is among the judged ones."""
    place = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
    hit = np.flatnonzero(keys[place] == key)
    hit = hit[np.lexsort((rank[hit], row[hit]))]
    row, rank, place = row[hit], rank[hit], place[hit]
    if len(np.unique(row * len(keys) + place)) < len(row):
        raise BadInput("a run names a document twice in one topic; keep one line of each")
    return Ranked(rows, row, rank, levels[place])


def _strings(names: tuple[str, ...]) -> pd.api.extensions.ExtensionArray:
    return pd.array(list(names), dtype="str")


def _codes(known: "pd.Index[Any]", column: "pd.Series[Any]") -> Integers:
    """Return the position of each value among the known ones, -1 for any other."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return known.get_indexer(column.cat.categories)[column.cat.codes]
    return known.get_indexer(pd.Index(column))


def _best_levels(
    qrels: pd.DataFrame, topics: "pd.Index[Any]", documents: "pd.Index[Any]"
) -> tuple[Integers, Levels]:
    """Return the ascending keys (topic, document) of the judgements and their highest levels."""
    if (twice := qrels.duplicated(["topic_id", "iteration", "document_id"])).any():
        first = qrels[twice].iloc[0]
        raise BadInput(
            f"document {first['document_id']} is judged twice for topic {first['topic_id']}, "
            f"iteration {first['iteration']}; keep one line",
        )
    level = qrels["level"].to_numpy(dtype=np.float64, na_value=np.nan)
    if not np.isfinite(level).all():
        raise BadInput("a judgement without a number; leave the line out instead", field="level")
    key = _codes(topics, qrels["topic_id"]) * len(documents)
    key = key + _codes(documents, qrels["document_id"])
    order = np.lexsort((-level, key))
    keys, first_of_key = np.unique(key[order], return_index=True)
    best = level[order][first_of_key]
    return keys, best.astype(np.int32) if (best == np.floor(best)).all() else best


def _check_ranks(row: Integers, rank: Integers, rows: int) -> Integers:
    """Return the length of each ranking; refuse ranks that do not run from 1."""
    length = np.bincount(row, minlength=rows)
    total = np.bincount(row, weights=rank, minlength=rows)
    if rank.min() < 1 or (total != length * (length + 1) / 2).any():
        raise BadInput("the ranks of a run do not go 1, 2, 3 … in every topic", field="rank")
    return length


def _ideal(topic: Integers, level: Levels, topics: int) -> Ranked:
    """Return each topic's judged documents by descending level."""
    order = np.lexsort((-level, topic))
    unranked = Ranked(topics, topic[order], topic[order], level[order])
    return Ranked(topics, unranked.row, unranked.place(), unranked.level)
