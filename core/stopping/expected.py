"""How far today's ranking of the runs is from that of the fully judged pool."""

from dataclasses import dataclass

import numpy as np

from core.agreement.intervals import divide
from core.errors import BadInput
from core.measures.base import Measure, Weights
from core.orders.candidates import Candidates, Floats, Mask
from core.stopping.drawn_levels import DRAWS, code_levels, draw_levels
from core.stopping.pool_scores import TIED, PoolScores, find_threshold, make_scorer

LIMITS = 0.01, 0.99
"""Between which of the draws the interval lies: 1 % are left out on either side, as limits that
leave out 2.5 % hold the true τ in fewer than 95 % of stops; see `tests/calibration`."""


@dataclass(frozen=True, eq=False)
class FullPools:
    """Today's scores, and those under what judging the rest of the pool could bring.

    Parameters
    ----------
    systems, topics : tuple of str
        Their ids.
    judged, items : int
        How many items of the pool are judged, and how many there are.
    today : array, shape (n_systems,)
        Mean scores now, what is not judged counting as not relevant; NaN where nothing relevant is
        judged.
    drawn : PoolScores
        Scores under each drawn full pool.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    judged: int
    items: int
    today: Floats
    drawn: PoolScores


@dataclass(frozen=True, eq=False)
class ExpectedTau:
    """Kendall's τ-b between today's ranking and that of the full pool, as far as it can be told.

    Parameters
    ----------
    tau, low, high : float
        The mean over the drawn full pools, and its 95 % limits, in [-1, 1]; NaN where there is a
        reason.
    best : str
        The system that is best today; empty where there is none.
    best_stays : float
        In how many of the draws it is best under the full pool, in [0, 1]; NaN with a reason.
    taus : array, shape (n_draws,)
        τ-b under each draw.
    reason : str
        Why there is nothing to tell; empty where there is.
    alike : int, default 1
        How many systems are best today, that one among them.
    """

    tau: float
    low: float
    high: float
    best: str
    best_stays: float
    taus: Floats
    reason: str = ""
    alike: int = 1


def expected_tau(
    candidates: Candidates,
    level: Floats,
    measure: Measure,
    *,
    rng: np.random.Generator,
    draws: int = DRAWS,
    weights: Weights | None = None,
) -> ExpectedTau:
    """Predict τ between today's ranking of the runs and that of the fully judged pool.

    Parameters
    ----------
    candidates : Candidates
        The pool, with the rank at which each run has each item.
    level : array, shape (n_items,)
        The level of each judged item (0 and 1 where only relevance is known); NaN not judged.
    measure : Measure
        AP, P, RBP without a gain, DCG or nDCG.
    rng : Generator
        What draws.
    draws : int
        How often the rest of the pool is drawn.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.

    Returns
    -------
    ExpectedTau
        NaN with a reason where nothing relevant is judged or all runs have the same score.

    Raises
    ------
    BadInput
        Another measure, fewer than two runs, or too many different levels.

    Notes
    -----
    What is not judged counts as not relevant today, and is drawn from `fit_relevance` for the full
    pool. The interval is of this pool, these runs and topics: it covers what the rest of the pool
    holds, judged by the same people, and neither other topics nor documents that no run has.
    """
    return tell_tau(draw_full_pools(candidates, level, measure, rng, draws, weights))


def draw_full_pools(
    candidates: Candidates,
    level: Floats,
    measure: Measure,
    rng: np.random.Generator,
    draws: int = DRAWS,
    weights: Weights | None = None,
) -> FullPools:
    """Draw the rest of a pool again and again, and score all runs under each.

    Parameters, errors: see `expected_tau`.
    """
    if len(candidates.systems) < 2:
        raise BadInput("a ranking needs two runs; import another")
    values, code = code_levels(level, find_threshold(measure))
    scorer = make_scorer(candidates, values, measure, weights)
    drawn = draw_levels(candidates, values, code, draws, rng)
    return FullPools(
        candidates.systems,
        candidates.topics,
        int(np.count_nonzero(code)),
        len(candidates),
        scorer.score(code[np.newaxis]).means[0],
        scorer.score(drawn.code),
    )


def tell_tau(pools: FullPools) -> ExpectedTau:
    """Return how far today's ranking is from that of the full pool, by drawn full pools."""
    if reason := _find_obstacle(pools.today):
        nothing = float("nan")
        return ExpectedTau(nothing, nothing, nothing, "", nothing, np.empty(0), reason)
    means = np.nan_to_num(pools.drawn.means)
    taus = tau_with_each(pools.today, means)
    low, high = np.quantile(taus, LIMITS)
    is_best = _is_best(pools.today)
    best = int(is_best.argmax())
    stays = _is_best(means)[:, best]
    return ExpectedTau(
        float(taus.mean()),
        float(low),
        float(high),
        pools.systems[best],
        float(stays.mean()),
        taus,
        alike=int(is_best.sum()),
    )


def _find_obstacle(today: Floats) -> str:
    if np.isnan(today).any():
        return "nothing relevant is judged yet, so that there is no ranking"
    if _is_best(today).all():
        return "all runs have the same score, so that there is no ranking"
    return ""


def tau_with_each(first: Floats, others: Floats) -> Floats:
    """Kendall's τ-b of one scoring of systems with each of many.

    Parameters
    ----------
    first : array, shape (n_systems,)
    others : array, shape (n_scorings, n_systems)

    Returns
    -------
    array, shape (n_scorings,)
        In [-1, 1]; 0 with a scoring in which all systems are tied.
    """
    one, other = pair_signs(first[np.newaxis]), pair_signs(others)
    norms = np.abs(one).sum() * np.abs(other).sum(axis=1)
    taus: Floats = (other @ one[0]) / np.sqrt(np.maximum(norms, 1))
    return taus


def pair_signs(scores: Floats) -> Floats:
    """Return which of each pair of systems is better.

    Parameters
    ----------
    scores : array, shape (n_scorings, n_systems)

    Returns
    -------
    array, shape (n_scorings, n_pairs)
        1 for the first, -1 for the second, 0 where they are tied, but for rounding.
    """
    first, second = np.triu_indices(scores.shape[1], 1)
    apart = scores[:, first] - scores[:, second]
    least = TIED * np.abs(scores).max(axis=1, keepdims=True, initial=0)
    return np.where(np.abs(apart) < least, 0.0, np.sign(apart))


def _is_best(scores: Floats) -> Mask:
    """Return which systems have the highest score, shape as the scores."""
    highest = scores.max(axis=-1, keepdims=True)
    best: Mask = scores >= highest - TIED * np.abs(highest)
    return best


def share_uncertainty(pools: FullPools) -> Floats:
    """Return the part of each topic in what is not known of the ranking.

    Parameters
    ----------
    pools : FullPools
        Today's scores, and those under drawn full pools.

    Returns
    -------
    array, shape (n_topics,)
        They add up to 1; one may be a little below 0. NaN where the order of no pair of systems
        is in doubt.

    Notes
    -----
    The difference of two systems' means is a sum over topics; a topic's part is the covariance,
    over the draws, of its own difference with that of the means. Pairs are added up by how much
    their order is in doubt: p (1 − p), with p the share of the draws in which the first is better.
    """
    parts = pools.drawn.parts
    centred = parts - parts.mean(axis=0)
    summed = centred.sum(axis=1)
    means = pools.drawn.parts.sum(axis=1)
    first, second = np.triu_indices(means.shape[1], 1)
    better = (pair_signs(means) > 0).mean(axis=0)
    doubt = better * (1 - better)
    apart = summed[:, first] - summed[:, second]
    moved = [
        float((doubt * ((one[:, first] - one[:, second]) * apart).mean(axis=0)).sum())
        for one in np.moveaxis(centred, 1, 0)
    ]
    return divide(np.array(moved), np.array(float((doubt * (apart**2).mean(axis=0)).sum())))
