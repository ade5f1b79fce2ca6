"""Scores of all runs under many judgements of one pool at once."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput
from core.measures.base import ABOVE_0, Measure, Weights
from core.measures.cascade import RBP
from core.measures.cumulated_gain import DCG, DISCOUNTS, NDCG
from core.measures.gain import gain_levels
from core.measures.precision import AP, P
from core.orders.candidates import Candidates, Floats, Integers, Mask
from core.stopping.drawn_levels import Codes

CELLS = 4_000_000
"""How many cells of draws, runs and ranks are laid out at once."""

SCORED = "AP, P, RBP without a gain, DCG and nDCG"
"""The measures that are scored so."""


TIED = 1e-6
"""Scores less than this share of the largest one apart are tied: they are of single precision."""


@dataclass(frozen=True, eq=False)
class PoolScores:
    """Scores under several judgements of one pool.

    Parameters
    ----------
    value : array, shape (n_judgements, n_topics, n_systems)
        0 where the topic does not count.
    counts : array of bool, shape (n_judgements, n_topics)
        Whether a topic has something to find.
    """

    value: NDArray[np.float32]
    counts: Mask

    @cached_property
    def parts(self) -> Floats:
        """What each topic adds to each mean, shape (n_judgements, n_topics, n_systems)."""
        topics = np.maximum(self.counts.sum(axis=1), 1)[:, np.newaxis, np.newaxis]
        parts: Floats = self.value.astype(np.float64) / topics
        return parts

    @cached_property
    def means(self) -> Floats:
        """Mean over the topics that count, shape (n_judgements, n_systems); NaN without one."""
        means: Floats = self.parts.sum(axis=1)
        means[~self.counts.any(axis=1)] = np.nan
        return means


class Scorer(ABC):
    """A measure at work on one pool.

    Parameters
    ----------
    candidates : Candidates
        The pool; runs are scored as far down as they are in it.
    values : array, shape (n_levels,)
        The levels that codes from 1 stand for.
    """

    def __init__(self, candidates: Candidates, values: Floats) -> None:
        self.candidates, self.values = candidates, values
        self.depth = int(candidates.rank.max(initial=0))

    def score(self, code: Codes) -> PoolScores:
        """Return the scores under judgements, each a code of level by item, 0 not judged.

        Parameters
        ----------
        code : array of uint8, shape (n_judgements, n_items)
        """
        topics, systems = len(self.candidates.topics), len(self.candidates.systems)
        value = np.zeros((len(code), topics, systems), dtype=np.float32)
        counts = np.zeros((len(code), topics), dtype=np.bool_)
        block = max(1, CELLS // max(systems * self.depth, 1))
        for topic in range(topics):
            place, laid = self.candidates.of(topic), self._lay_out(topic)
            for start in range(0, len(code), block):
                judged = slice(start, start + block)
                own = np.pad(code[judged, place], ((0, 0), (0, 1)))
                scores, found = self.score_topic(own, laid)
                value[judged, topic] = np.where(found[:, np.newaxis], scores, 0)
                counts[judged, topic] = found
        return PoolScores(value, counts)

    def _lay_out(self, topic: int) -> Integers:
        """Return which item of the topic is at each run's ranks, the one past the last if none."""
        rank = self.candidates.rank[self.candidates.of(topic)]
        laid = np.full((rank.shape[1], self.depth), len(rank))
        item, system = np.nonzero(rank)
        laid[system, rank[item, system].astype(np.int64) - 1] = item
        return laid

    @abstractmethod
    def score_topic(self, code: Codes, laid: Integers) -> tuple[NDArray[Any], Mask]:
        """Return scores, shape (n_judgements, n_systems), and where the topic counts.

        Parameters
        ----------
        code : array of uint8, shape (n_judgements, n_items + 1)
            Codes of the topic's items; the last is 0, for ranks without an item.
        laid : array of int, shape (n_systems, depth)
            Which item is where.
        """


class _AveragePrecision(Scorer):
    def __init__(self, candidates: Candidates, values: Floats, measure: AP) -> None:
        super().__init__(candidates, values)
        self._lowest = _lowest_code(values, measure.rel)
        self._shown = min(measure.cutoff or self.depth, self.depth)

    def score_topic(self, code: Codes, laid: Integers) -> tuple[NDArray[Any], Mask]:
        is_relevant = (code >= self._lowest).astype(np.uint8)
        relevant = is_relevant.sum(axis=1, dtype=np.int64)
        at_rank = is_relevant[:, laid[:, : self._shown]]
        kind = np.uint8 if self._shown < 256 else np.uint16
        found: NDArray[Any] = np.cumsum(at_rank, axis=2, dtype=kind)
        found *= at_rank
        rank = np.arange(1, self._shown + 1, dtype=np.float32)
        total = found.astype(np.float32) @ (1 / rank)
        return total / np.maximum(relevant, 1)[:, np.newaxis], relevant > 0


class _Weighted(Scorer):
    """A measure that adds up a gain of the level times a weight of the rank."""

    def __init__(
        self, candidates: Candidates, values: Floats, gain: Floats, discount: Floats
    ) -> None:
        super().__init__(candidates, values)
        self.gain = np.concatenate([[0.0], gain]).astype(np.float32)
        self.discount = discount[: self.depth].astype(np.float32)

    def score_topic(self, code: Codes, laid: Integers) -> tuple[NDArray[Any], Mask]:
        shown = laid[:, : len(self.discount)]
        return self.gain[code][:, shown] @ self.discount, self.has_something(code)

    @abstractmethod
    def has_something(self, code: Codes) -> Mask:
        """Return under which judgements the topic counts, shape (n_judgements,)."""


class _Binary(_Weighted):
    """The same of a measure that only tells relevant from not relevant."""

    def __init__(
        self, candidates: Candidates, values: Floats, rel: float, discount: Floats
    ) -> None:
        super().__init__(candidates, values, (values >= rel).astype(np.float64), discount)
        self._lowest = _lowest_code(values, rel)

    def has_something(self, code: Codes) -> Mask:
        return np.asarray((code >= self._lowest).any(axis=1))


class _Precision(_Binary):
    """Precision: without a cut-off each ranking is divided by its own length."""

    def __init__(self, candidates: Candidates, values: Floats, measure: P) -> None:
        depth = int(candidates.rank.max(initial=0))
        self._cutoff = measure.cutoff
        super().__init__(
            candidates, values, measure.rel, np.ones(min(measure.cutoff or depth, depth))
        )

    def score_topic(self, code: Codes, laid: Integers) -> tuple[NDArray[Any], Mask]:
        total, counts = super().score_topic(code, laid)
        length = (laid < code.shape[1] - 1).sum(axis=1)
        return total / (self._cutoff or np.maximum(length, 1)), counts


class _Gain(_Weighted):
    """Discounted cumulated gain, as a share of the best where that is asked for."""

    def __init__(
        self, candidates: Candidates, values: Floats, measure: DCG | NDCG, weights: Weights | None
    ) -> None:
        depth = int(candidates.rank.max(initial=0))
        shown = min(measure.cutoff or depth, depth)
        gain = gain_levels(values, measure.gain, weights)
        self._discounts = DISCOUNTS[measure.discount]
        self._ideal_depth = measure.cutoff
        self._is_share = isinstance(measure, NDCG)
        super().__init__(candidates, values, gain, self._discounts(np.arange(1, shown + 1)))

    def score_topic(self, code: Codes, laid: Integers) -> tuple[NDArray[Any], Mask]:
        total, counts = super().score_topic(code, laid)
        if not self._is_share:
            return total, counts
        best = self._best(code)
        share = total / np.where(best > 0, best, 1)[:, np.newaxis]
        return share, counts & (best > 0)

    def has_something(self, code: Codes) -> Mask:
        return np.asarray((code >= _lowest_code(self.values, ABOVE_0)).any(axis=1))

    def _best(self, code: Codes) -> Floats:
        """Return the most that any ranking could have, shape (n_judgements,)."""
        most = min(self._ideal_depth or code.shape[1], code.shape[1])
        summed = np.concatenate([[0.0], np.cumsum(self._discounts(np.arange(1, most + 1)))])
        best, placed = np.zeros(len(code)), np.zeros(len(code), dtype=np.int64)
        for level in np.argsort(-self.gain[1:], kind="stable") + 1:
            after = placed + (code == level).sum(axis=1)
            gained = summed[np.minimum(after, most)] - summed[np.minimum(placed, most)]
            best, placed = best + self.gain[level] * gained, after
        return best


def find_threshold(measure: Measure) -> Floats | None:
    """Return the only level that a measure tells apart, shape (1,); None where it tells all."""
    if isinstance(measure, (AP, P, RBP)):
        return np.array([float(measure.rel)])
    return None


def make_scorer(
    candidates: Candidates, values: Floats, measure: Measure, weights: Weights | None = None
) -> Scorer:
    """Return what scores the runs of a pool by a measure.

    Parameters
    ----------
    candidates : Candidates
        The pool.
    values : array, shape (n_levels,)
        Its levels, ascending from 0.
    measure : Measure
        AP, P, RBP without a gain, DCG or nDCG.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.

    Raises
    ------
    BadInput
        Another measure, or a gain lacks a level.
    """
    depth = int(candidates.rank.max(initial=0))
    if isinstance(measure, AP):
        return _AveragePrecision(candidates, values, measure)
    if isinstance(measure, P):
        return _Precision(candidates, values, measure)
    if isinstance(measure, (DCG, NDCG)):
        return _Gain(candidates, values, measure, weights)
    if isinstance(measure, RBP) and measure.gain is None:
        before = np.arange(min(measure.cutoff or depth, depth))
        discount = (1 - measure.p) * np.power(measure.p, before)
        return _Binary(candidates, values, measure.rel, discount)
    raise BadInput(
        f"the rest of a pool is drawn for {SCORED}, not for {measure}; choose one of them"
    )


def can_be_drawn(measure: Measure) -> bool:
    """Return whether runs can be scored by a measure where the rest of a pool is drawn."""
    is_binary = isinstance(measure, RBP) and measure.gain is None
    return is_binary or isinstance(measure, (AP, P, DCG, NDCG))


def _lowest_code(values: Floats, rel: float) -> int:
    """Return the code of the lowest level that is at least this; one too high if there is none."""
    return 1 + int(np.searchsorted(values, rel))
