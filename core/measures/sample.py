"""Samples of pools: what was pooled, what of it was judged, and with what probability."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadInput
from core.measures.coded_judgements import CodedJudgements, find_codes
from core.measures.ranked import Floats, Integers, Mask, Ranked

if TYPE_CHECKING:
    import pandas as pd

NOT_SAMPLED = -1
"""The level of what is in the pool and was not drawn, as in trec_eval's qrels."""


@dataclass(frozen=True, eq=False)
class Pool:
    """The pooled documents of each topic, judged or not.

    Parameters
    ----------
    found : CodedJudgements
        Where a document of a run is in the pool; its levels play no part.
    cells : Ranked
        One row per topic: its pooled documents by id, with the level of those that were drawn and
        ``NOT_SAMPLED`` for others.
    stratum : array of int, shape (n_pooled,)
        The stratum of each document, numbered over all topics, ascending with the topic.
    given : array of float, shape (n_pooled,)
        The probability that the qrels say a document was drawn with; NaN where they say none.
    has_design : array of bool, shape (n_pooled,)
        Of which documents the qrels say the stratum or the probability; all, where they have
        neither column.
    """

    found: CodedJudgements
    cells: Ranked
    stratum: Integers
    given: Floats
    has_design: Mask

    @cached_property
    def strata(self) -> int:
        """How many strata there are, over all topics."""
        return int(self.stratum.max(initial=-1)) + 1

    @cached_property
    def is_sampled(self) -> Mask:
        """Which documents were drawn, shape (n_pooled,)."""
        drawn: Mask = self.cells.level >= 0
        return drawn

    @cached_property
    def is_listed(self) -> Mask:
        """Of which topics the qrels list the whole pool, shape (n_topics,).

        They do where they list something that was not drawn, or where everything was certain to
        be drawn. They do not where they leave both stratum and probability empty.
        """
        left = self.cells.total((~self.is_sampled).astype(np.float64)) > 0
        doubtful = self.cells.total((self.given < 1).astype(np.float64)) > 0
        sampled = self.cells.total(self.has_design.astype(np.float64)) > 0
        return left | (sampled & ~doubtful)

    @cached_property
    def weight(self) -> Floats:
        """How many pooled documents of its stratum each drawn one stands for, (n_pooled,).

        Documents of the stratum divided by those drawn; NaN where none was drawn.
        """
        size = np.bincount(self.stratum, minlength=self.strata)
        drawn = np.bincount(self.stratum[self.is_sampled], minlength=self.strata)
        with np.errstate(divide="ignore"):
            ratio = size / drawn
        return np.where(drawn > 0, ratio, np.nan)[self.stratum]

    @cached_property
    def probability(self) -> Floats:
        """With what probability each was drawn, shape (n_pooled,); NaN where nobody knows.

        Where the qrels do not say, it is the share of the stratum that was drawn.
        """
        share = np.where(self.is_listed[self.cells.row], 1 / self.weight, np.nan)
        return np.where(np.isnan(self.given), share, self.given)


@dataclass(frozen=True, eq=False)
class Sample:
    """A sample of pools, and the pooled documents that rankings show.

    Parameters
    ----------
    pool : Pool
        What was pooled.
    shown : Ranked
        One row per ranking: its pooled documents, their levels as in the pool.
    position : array of int, shape (n_shown,)
        Where each is in the pool.
    """

    pool: Pool
    shown: Ranked
    position: Integers

    def up_to(self, cutoff: int | None) -> Sample:
        """Return only what is shown up to a rank; all of it without one."""
        if cutoff is None:
            return self
        keep = self.shown.rank <= cutoff
        return Sample(self.pool, self.shown.where(keep), self.position[keep])

    @property
    def weight(self) -> Floats:
        """How many pooled documents each shown one stands for, shape (n_shown,)."""
        return self.pool.weight[self.position]

    def relevant(self, rel: float) -> Floats:
        """Return how many documents of each pool are relevant by the sample, shape (n_topics,).

        Each drawn one counts as many as it stands for in its stratum.
        """
        pool = self.pool
        found = pool.cells.level >= rel
        return pool.cells.total(np.where(found, pool.weight, 0.0))

    def expect_above(self, rel: float, least: float, most: float) -> Floats:
        """Return how many relevant documents are expected above each shown one, (n_shown,).

        Over the strata, the pooled documents above times the share of the drawn ones among them
        that are relevant; the share is (relevant + ``least``) / (drawn + ``most``), which counts
        for something where none was drawn.
        """
        level, stratum = self.shown.level, self.pool.stratum[self.position]
        # Strata are numbered on from topic to topic: each topic's own begin with 0 here.
        first = np.full(self.pool.cells.rows, self.pool.strata)
        np.minimum.at(first, self.pool.cells.row, self.pool.stratum)
        own = stratum - first[self.pool.cells.row[self.position]]
        expected = np.zeros(len(level))
        for number in range(int(own.max(initial=-1)) + 1):
            inside = own == number
            pooled = self.count_above(inside)
            drawn = self.count_above(inside & (level >= 0))
            relevant = self.count_above(inside & (level >= rel))
            expected += pooled * (relevant + least) / (drawn + most)
        return expected

    def count_above(self, counted: Mask) -> Integers:
        """Return how many cells before each in its row are counted, shape (n_shown,)."""
        running = np.append(0, np.cumsum(counted))
        above: Integers = running[:-1] - running[self.shown.start()][self.shown.row]
        return above


def has_sample(qrels: pd.DataFrame) -> bool:
    """Return whether qrels say how they were sampled, or what was pooled and not judged."""
    has_columns = not {"stratum", "probability"}.isdisjoint(qrels.columns)
    return "engine" not in qrels and (has_columns or bool((qrels["level"] < 0).any()))


def code_pool(qrels: pd.DataFrame, topics: pd.Index[Any]) -> Pool:
    """Return the pools of these topics in numbers.

    Parameters
    ----------
    qrels : DataFrame
        ``topic_id, document_id, level`` and, where known, ``stratum`` and ``probability``. A level
        below 0 is of a document that was pooled and not drawn. Without strata, documents of one
        probability are one stratum, and without these all of a pool are one. A topic that has
        neither on any row is judged, but not as a sample.
    topics : Index
        The topics that have a judgement.

    Raises
    ------
    BadInput
        A probability is not above 0 and at most 1.
    """
    import pandas as pd

    qrels = qrels[find_codes(topics, qrels["topic_id"]) >= 0]
    given = _read_probabilities(qrels)
    documents = pd.Index(qrels["document_id"].unique())
    topic = find_codes(topics, qrels["topic_id"]).astype(np.int64)
    key = topic * len(documents) + find_codes(documents, qrels["document_id"])
    level = np.maximum(qrels["level"].to_numpy(dtype=np.float64), NOT_SAMPLED)
    order = np.lexsort((-level, key))
    keys, first = np.unique(key[order], return_index=True)
    kept = order[first]
    engines: pd.Index[Any] = pd.Index([])
    found = CodedJudgements(topics, documents, engines, keys, level[kept], None)
    row = keys // max(len(documents), 1)
    start = np.searchsorted(row, np.arange(len(topics)))
    cells = Ranked(len(topics), row, np.arange(len(row)) - start[row] + 1, level[kept])
    strata = _number_strata(qrels, row, kept)
    return Pool(found, cells, strata, given[kept], _have_design(qrels)[kept])


def _have_design(qrels: pd.DataFrame) -> Mask:
    """Return which rows say a stratum or a probability; all, where there is neither column."""
    columns = [name for name in ("stratum", "probability") if name in qrels]
    if not columns:
        return np.ones(len(qrels), dtype=np.bool_)
    found: Mask = qrels[columns].notna().any(axis=1).to_numpy()
    return found


def _read_probabilities(qrels: pd.DataFrame) -> Floats:
    if "probability" not in qrels:
        return np.full(len(qrels), np.nan)
    given = qrels["probability"].to_numpy(dtype=np.float64, na_value=np.nan)
    if not (np.isnan(given) | (given > 0) & (given <= 1)).all():
        raise BadInput("a probability to be drawn is above 0 and at most 1", field="probability")
    return given


def _number_strata(qrels: pd.DataFrame, row: Integers, kept: Integers) -> Integers:
    """Return the number of each document's stratum, shape (n_pooled,)."""
    import pandas as pd

    names = qrels.get("stratum", qrels.get("probability"))
    if names is None:
        return row
    codes, known = pd.factorize(names, sort=True, use_na_sentinel=False)
    number: Integers = np.unique(row * len(known) + codes[kept], return_inverse=True)[1]
    return number
