"""How low and how high every score can be, whatever the rest of the pool is judged to be."""

from dataclasses import dataclass

import numpy as np

from core.agreement.intervals import divide
from core.comparison.ties import CLOSE
from core.measures.base import Measure, Weights
from core.measures.cascade import RBP
from core.measures.precision import AP, P
from core.orders.candidates import Candidates, Floats, Integers, Mask
from core.stopping.drawn_levels import Codes, code_levels
from core.stopping.pool_scores import find_threshold, make_scorer

BOUNDED = (AP, P, RBP)
"""The measures whose bounds hold for every judgement of the rest; others have the two scenarios."""


@dataclass(frozen=True, eq=False)
class ScoreBounds:
    """Mean scores of the systems under extreme judgements of the rest of the pool.

    Parameters
    ----------
    systems : tuple of str
        Their ids.
    today, all_relevant : array, shape (n_systems,)
        Mean scores where nothing and where all of what is not judged has the highest level seen.
    low, high : array, shape (n_systems,)
        No judgement of the rest gives a mean below or above; NaN where that is not known.
    residual : array, shape (n_systems,)
        RBP: what would be added if everything without a judgement, in the pool or not, were
        relevant; NaN for other measures.
    pairs, decided : int
        How many pairs of systems there are, and of how many the order cannot turn any more.
    """

    systems: tuple[str, ...]
    today: Floats
    all_relevant: Floats
    low: Floats
    high: Floats
    residual: Floats
    pairs: int
    decided: int


def bound_scores(
    candidates: Candidates, level: Floats, measure: Measure, weights: Weights | None = None
) -> ScoreBounds:
    """Return how low and how high the mean score of every system can still be.

    Parameters
    ----------
    candidates : Candidates
        The pool.
    level : array, shape (n_items,)
        The level of each judged item; NaN not judged.
    measure, weights
        See `core.stopping.expected.expected_tau`.

    Returns
    -------
    ScoreBounds
        A topic without a relevant document may come to count, with any score that it can have:
        so it pulls a lower bound down and an upper one up.

    Notes
    -----
    AP of one topic is lowest where all that the run does not show and the last m of its documents
    without a judgement are relevant, and highest where only the first m of them are, for some m.
    Those of P and RBP are the sums of what is relevant and of what could be. A pair is decided
    where the lower bound of one is above the upper bound of the other; that is sufficient, and
    for P and RBP sharpened to what the two do not share.
    """
    values, code = code_levels(level, find_threshold(measure))
    scorer = make_scorer(candidates, values, measure, weights)
    filled = np.where(code == 0, len(values), code).astype(np.uint8)
    scored = scorer.score(np.stack([code, filled]))
    systems = len(candidates.systems)
    unknown = np.full(systems, np.nan)
    low, high, residual, decided = unknown, unknown, unknown, 0
    if isinstance(measure, BOUNDED):
        lowest, highest, turns = _bound_topics(candidates, code, measure)
        counts_now, can_count = scored.counts
        low = _least_mean(lowest, counts_now, can_count)
        high = -_least_mean(-highest, counts_now, can_count)
        settled = low[:, np.newaxis] > high[np.newaxis] + CLOSE
        if turns is not None and (can_count == counts_now).all() and can_count.any():
            settled |= turns[can_count].mean(axis=0) > CLOSE
        decided = int(settled.sum())
    if isinstance(measure, RBP):
        residual = _find_residual(candidates, code, measure, scored.counts[0])
    return ScoreBounds(
        candidates.systems,
        scored.means[0],
        scored.means[1],
        low,
        high,
        residual,
        systems * (systems - 1) // 2,
        decided,
    )


def _bound_topics(
    candidates: Candidates, code: Codes, measure: AP | P | RBP
) -> tuple[Floats, Floats, Floats | None]:
    """Return bounds by topic and system, and the least lead of one system over another.

    Returns
    -------
    low, high : array, shape (n_topics, n_systems)
    lead : array, shape (n_topics, n_systems, n_systems), or None
        The least that the first has more than the second, for P and RBP.
    """
    shape = len(candidates.topics), len(candidates.systems)
    low, high = np.zeros(shape), np.zeros(shape)
    lead = np.zeros((*shape, shape[1]))
    for topic in range(shape[0]):
        place = candidates.of(topic)
        rank = candidates.rank[place].astype(np.int64)
        is_relevant, is_open = code[place] == 2, code[place] == 0
        if isinstance(measure, AP):
            bounds = [_bound_precision(one, is_relevant, is_open, measure.cutoff) for one in rank.T]
            low[topic], high[topic] = np.transpose(bounds)
        else:
            weight = _weigh(rank, measure)
            low[topic] = weight[is_relevant].sum(axis=0)
            high[topic] = low[topic] + weight[is_open].sum(axis=0)
            lead[topic] = _find_lead(low[topic], weight[is_open])
    return low, high, None if isinstance(measure, AP) else lead


def _weigh(rank: Integers, measure: P | RBP) -> Floats:
    """Return what each item adds to each system's score if it is relevant; same shape."""
    cutoff = measure.cutoff or int(rank.max(initial=1))
    is_shown = (rank > 0) & (rank <= cutoff)
    if isinstance(measure, RBP):
        return np.where(is_shown, (1 - measure.p) * measure.p ** (rank - 1.0), 0.0)
    divisor = measure.cutoff or np.maximum((rank > 0).sum(axis=0), 1)
    return is_shown / divisor


def _find_lead(low: Floats, open_weight: Floats) -> Floats:
    """Return the least by which each system leads each other, shape (n_systems, n_systems)."""
    lost = np.zeros((len(low), len(low)))
    for system in range(len(low)):
        lost[system] = np.maximum(open_weight - open_weight[:, [system]], 0).sum(axis=0)
    return low[:, np.newaxis] - low[np.newaxis] - lost


def _bound_precision(
    rank: Integers, is_relevant: Mask, is_open: Mask, cutoff: int | None
) -> tuple[float, float]:
    """Return the least and the most AP of one run on one topic."""
    is_shown = (rank > 0) & (rank <= (cutoff or rank.max(initial=1)))
    depth = int(rank[is_shown].max(initial=0))
    known = np.zeros(depth)
    known[rank[is_shown & is_relevant] - 1] = 1
    places = np.sort(rank[is_shown & is_open]) - 1
    relevant, elsewhere = int(is_relevant.sum()), int((is_open & ~is_shown).sum())
    least = _try_each(known, places[::-1], relevant + elsewhere).min()
    return float(least), float(_try_each(known, places, relevant).max())


def _try_each(known: Floats, places: Integers, relevant: int) -> Floats:
    """Return AP where the first 0, 1, 2 … of these places are relevant, too."""
    more = np.arange(len(places) + 1)
    shown = np.repeat(known[np.newaxis], len(more), axis=0)
    shown[:, places] = more[:, np.newaxis] > np.arange(len(places))
    precision = np.cumsum(shown, axis=1) / np.arange(1, len(known) + 1)
    tried: Floats = (precision * shown).sum(axis=1) / np.maximum(relevant + more, 1)
    return tried


def _least_mean(lowest: Floats, counts: Mask, can_count: Mask) -> Floats:
    """Return the least mean of the topics that count and of any of those that may come to."""
    sure = lowest[counts]
    free = np.sort(lowest[can_count & ~counts], axis=0)
    joined = np.concatenate([sure, free])
    if not len(joined):
        return np.full(lowest.shape[1], np.nan)
    means = np.cumsum(joined, axis=0) / np.arange(1, len(joined) + 1)[:, np.newaxis]
    least: Floats = means[max(len(sure) - 1, 0) :].min(axis=0)
    return least


def _find_residual(candidates: Candidates, code: Codes, measure: RBP, counts: Mask) -> Floats:
    """Return the mean weight of the ranks without a judgement, shape (n_systems,)."""
    judged = np.zeros((len(candidates.topics), len(candidates.systems)))
    for topic in range(len(candidates.topics)):
        place = candidates.of(topic)
        weight = _weigh(candidates.rank[place].astype(np.int64), measure)
        judged[topic] = weight[code[place] > 0].sum(axis=0)
    return 1 - divide(judged[counts].sum(axis=0), np.array(float(counts.sum())))
