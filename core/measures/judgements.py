"""Judgements in numbers: the judged (topic, document) pairs as sorted keys."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.errors import BadInput, TooLittleData
from core.measures.ranked import Integers, Levels, Ranked


@dataclass(frozen=True, eq=False)
class Judgements:
    """The judged pairs of topic and document.

    Parameters
    ----------
    topics, documents : Index
        Their position here is their code.
    keys : array of int, shape (n_pairs,)
        ``topic * len(documents) + document``, ascending.
    levels : array of int or float, shape (n_pairs,)
        The highest level of each pair.
    """

    topics: "pd.Index[Any]"
    documents: "pd.Index[Any]"
    keys: Integers
    levels: Levels

    def find(self, topic: Integers, documents: "pd.Series[Any]") -> Integers:
        """Return where each pair of topic code and document id is in ``keys``, or -1."""
        document = find_codes(self.documents, documents)
        key = topic * len(self.documents) + document
        place = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return np.where((document >= 0) & (self.keys[place] == key), place, -1)

    def ideal(self) -> Ranked:
        """Return each topic's judged documents by descending level."""
        topic = self.keys // len(self.documents)
        order = np.lexsort((-self.levels, topic))
        cells = Ranked(len(self.topics), topic[order], topic[order], self.levels[order])
        return Ranked(cells.rows, cells.row, cells.place(), cells.level)


def code_judgements(qrels: pd.DataFrame) -> Judgements:
    """Return the judgements in numbers, the highest level where several iterations judge.

    Raises
    ------
    TooLittleData
        There is no judgement at or above level 0.
    BadInput
        A document is twice in one topic and iteration, or a level is no number.
    """
    qrels = qrels[~(qrels["level"] < 0)]
    if qrels.empty:
        raise TooLittleData("nothing is judged yet, so no ranking can be measured")
    _check(qrels)
    topics = pd.Index(qrels["topic_id"].unique())
    documents = pd.Index(qrels["document_id"].unique())
    key = find_codes(topics, qrels["topic_id"]) * len(documents)
    key = key + find_codes(documents, qrels["document_id"])
    level = qrels["level"].to_numpy(dtype=np.float64)
    order = np.lexsort((-level, key))
    keys, first_of_key = np.unique(key[order], return_index=True)
    best: Levels = level[order][first_of_key]
    if (best == np.floor(best)).all():
        best = best.astype(np.int32)
    return Judgements(topics, documents, keys, best)


def find_codes(known: "pd.Index[Any]", column: "pd.Series[Any]") -> Integers:
    """Return the position of each value among the known ones, -1 for any other."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return known.get_indexer(column.cat.categories)[column.cat.codes]
    return known.get_indexer(pd.Index(column))


def _check(qrels: pd.DataFrame) -> None:
    """Refuse what would make a level ambiguous or undefined."""
    if (twice := qrels.duplicated(["topic_id", "iteration", "document_id"])).any():
        first = qrels[twice].iloc[0]
        raise BadInput(
            f"document {first['document_id']} is judged twice for topic {first['topic_id']}, "
            f"iteration {first['iteration']}; keep one line",
        )
    if not np.isfinite(qrels["level"].to_numpy(dtype=np.float64, na_value=np.nan)).all():
        raise BadInput("a judgement without a number; leave the line out instead", field="level")
