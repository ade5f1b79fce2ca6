"""How probable it is that an item is relevant, by its ranks and by what has been judged.

A logistic regression with effects of topics and of runs. Which items have been judged may depend
on ranks and on earlier labels: the likelihood of the labels given the ranks stays the same, so
that the order of judging need not be known, as long as the model is right.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from core.orders.candidates import Candidates, Floats, Integers
from core.stopping.described_items import SLOPES, DescribedItems

_ROUNDS = 15
"""How often the variances of the effects are estimated anew."""

_OF_CONSTANT, _OF_COLUMN = 0.05, 0.25
"""The prior precision of the constant and of each other column's effect."""

_START = 0.5
"""What the variance of every effect begins with."""

_LONGEST_STEP = 3.0
"""How far an effect moves at once, in log odds."""


_BOUNDS = 0.01, 20.0
"""Between what the variance of an effect lies."""


@dataclass(frozen=True)
class _Prior:
    """A variance as so many effects that have been seen with it."""

    effects: float
    variance: float

    def estimate(self, squares: Floats, left: Floats, effects: int, before: Floats) -> Floats:
        """Return a variance by MacKay's fixed point, which is far quicker than EM.

        Parameters
        ----------
        squares, left : array
            The squares of the effects and what is not known of them (posterior variances), each
            summed over so many effects.
        effects : int
            How many.
        before : array
            The variance so far.
        """
        told = np.maximum(effects - left / before, 0.0)
        estimated = (squares + self.effects * self.variance) / (told + self.effects)
        bounded: Floats = np.clip(estimated, *_BOUNDS)
        return bounded


_SLOPE, _RUN_IN_TOPIC, _RUN = _Prior(2, 0.5), _Prior(6, 4.0), _Prior(4, 3.0)


@dataclass(frozen=True, eq=False)
class _Spread:
    """The variances of the effects: of the slopes in topics, of runs in topics, of runs."""

    slopes: Floats
    run_in_topic: Floats
    run: Floats


@dataclass(frozen=True, eq=False)
class _Rows:
    """The judged items of one topic: their columns, and whether each is relevant."""

    common: Floats
    own: Floats
    relevant: Floats


@dataclass(frozen=True, eq=False)
class _Curvature:
    """What Newton's method knows of one topic: its own effects, given the common ones.

    ``root`` is the lower Cholesky root of the precision of the topic's own effects; ``coupling``
    is how they follow the common ones, and ``pull`` the gradient, both solved by it.
    """

    root: Floats
    coupling: Floats
    pull: Floats


Curvatures: TypeAlias = list[_Curvature]


@dataclass(frozen=True, eq=False)
class RelevanceModel:
    """A fitted model: the normal approximation of all its effects.

    Parameters
    ----------
    common : array, shape (n_common,)
        Effects in all topics: of the columns of ranks, then of the runs.
    own : array, shape (n_topics, n_own)
        Effects in each topic: of the constant and the fused rank, then of the runs.
    root : array, shape (n_common, n_common)
        The lower Cholesky root of the precision of the common effects.
    curvatures : list
        What is known of each topic's own effects, given the common ones.
    """

    common: Floats
    own: Floats
    root: Floats
    curvatures: Curvatures

    def draw_effects(self, draws: int, rng: np.random.Generator) -> tuple[Floats, list[Floats]]:
        """Draw all effects together.

        Returns
        -------
        common : array, shape (n_common, draws)
        own : list of array, shape (n_own, draws)
            Of each topic.
        """
        moved = _solve(self.root, rng.standard_normal((len(self.root), draws)), transposed=True)
        own = []
        for effects, at in zip(self.own, self.curvatures, strict=True):
            free = rng.standard_normal((len(effects), draws)) - at.coupling @ moved
            own.append(effects[:, np.newaxis] + _solve(at.root, free, transposed=True))
        return self.common[:, np.newaxis] + moved, own


def fit_relevance(
    candidates: Candidates, described: DescribedItems, relevant: Floats
) -> RelevanceModel:
    """Fit the model of relevance to what has been judged.

    Parameters
    ----------
    candidates : Candidates
        The pool.
    described : DescribedItems
        Its items' columns.
    relevant : array, shape (n_items,)
        1 relevant, 0 not relevant, NaN not judged.

    Returns
    -------
    RelevanceModel
        Without a label, what the prior says.

    Notes
    -----
    log odds = columns of ranks · β + Σ over runs of what each says · (its effect + its effect in
    this topic) + effects of the topic (constant and fused rank). Effects are normal. The fit is the
    Gaussian variational approximation: Newton's method with the expected share of relevant items
    in place of the one at the mode, so that rare relevant items do not bias it; variances by
    MacKay's fixed point, each with a weak prior. The expected logistic function of log odds with
    mean η and variance v is taken as that of η / √(1 + πv/8).

    References
    ----------
    Ormerod & Wand (2012), JCGS 21(1), doi:10.1198/jcgs.2011.09118; MacKay (1992), Neural
    Computation 4(3) and 4(5), doi:10.1162/neco.1992.4.3.415 and 10.1162/neco.1992.4.5.720.
    """
    rows = _split(candidates, described, relevant)
    ranks, runs = described.ranks.shape[1], described.runs.shape[1]
    spread = _Spread(np.full(SLOPES, _START), np.array(_START), np.array(_START))
    known = relevant[~np.isnan(relevant)]
    share = (known.sum() + 0.01) / (len(known) + 0.02)
    common = np.zeros(ranks + runs)
    common[0] = np.log(share / (1 - share))
    own = np.zeros((len(rows), SLOPES + runs))
    doubt = [np.zeros(len(one.relevant)) for one in rows]
    for turn in range(_ROUNDS):
        for _ in range(2 if turn else 5):
            common, own, root, curvatures = _step(rows, common, own, doubt, spread, ranks)
        spread, doubt = _reconsider(rows, common, own, root, curvatures, spread)
    return RelevanceModel(common, own, root, curvatures)


def columns_of(described: DescribedItems, items: Integers | slice) -> tuple[Floats, Floats]:
    """Return the columns of items that common effects weigh, and those of a topic's own."""
    ranks, runs = described.ranks[items], described.runs[items]
    return np.hstack([ranks, runs]), np.hstack([ranks[:, :SLOPES], runs])


def _split(candidates: Candidates, described: DescribedItems, relevant: Floats) -> list[_Rows]:
    rows = []
    for topic in range(len(candidates.topics)):
        place = candidates.of(topic)
        judged = place.start + np.flatnonzero(~np.isnan(relevant[place]))
        rows.append(_Rows(*columns_of(described, judged), relevant[judged]))
    return rows


def _step(
    rows: list[_Rows],
    common: Floats,
    own: Floats,
    doubt: list[Floats],
    spread: _Spread,
    ranks: int,
) -> tuple[Floats, Floats, Floats, Curvatures]:
    """Move all effects once by Newton's method; topics are eliminated one by one."""
    from scipy.special import expit

    runs = len(common) - ranks
    of_common = np.concatenate(
        [[_OF_CONSTANT], np.full(ranks - 1, _OF_COLUMN), np.full(runs, 1 / spread.run)]
    )
    of_own = np.concatenate([1 / spread.slopes, np.full(runs, 1 / spread.run_in_topic)])
    precision, gradient = np.diag(of_common), -of_common * common
    curvatures = []
    for one, effects, variance in zip(rows, own, doubt, strict=True):
        shrunk = 1 / np.sqrt(1 + np.pi / 8 * variance)
        expected = expit((one.common @ common + one.own @ effects) * shrunk)
        weight = (expected * (1 - expected) * shrunk)[:, np.newaxis]
        missed = one.relevant - expected
        root = np.linalg.cholesky((one.own * weight).T @ one.own + np.diag(of_own))
        coupling = _solve(root, (one.own * weight).T @ one.common)
        pull = _solve(root, one.own.T @ missed - of_own * effects)
        precision += (one.common * weight).T @ one.common - coupling.T @ coupling
        gradient += one.common.T @ missed - coupling.T @ pull
        curvatures.append(_Curvature(root, coupling, pull))
    root = np.linalg.cholesky(precision)
    move = _solve(root, _solve(root, gradient), transposed=True)
    length = min(1.0, _LONGEST_STEP / max(float(np.abs(move).max()), 1e-12))
    moved = [_solve(at.root, at.pull - at.coupling @ move, transposed=True) for at in curvatures]
    return common + length * move, own + length * np.array(moved), root, curvatures


def _reconsider(
    rows: list[_Rows],
    common: Floats,
    own: Floats,
    root: Floats,
    curvatures: Curvatures,
    before: _Spread,
) -> tuple[_Spread, list[Floats]]:
    """Return the variances of the effects, and that of each judged item's log odds."""
    inverse = _solve(root, np.eye(len(root)))
    left, doubt = np.zeros(own.shape[1]), []
    for one, at in zip(rows, curvatures, strict=True):
        of_own = _solve(at.root, np.eye(len(at.root)))
        by_common = inverse @ (at.coupling.T @ of_own)
        left += (of_own**2).sum(axis=0) + (by_common**2).sum(axis=0)
        free = of_own @ one.own.T
        bound = inverse @ (one.common.T - at.coupling.T @ free)
        doubt.append((free**2).sum(axis=0) + (bound**2).sum(axis=0))
    topics, runs = own.shape[0], own.shape[1] - SLOPES
    squares, of_runs = (own**2).sum(axis=0), (common[-runs:] ** 2).sum()
    spread = _Spread(
        _SLOPE.estimate(squares[:SLOPES], left[:SLOPES], topics, before.slopes),
        _RUN_IN_TOPIC.estimate(
            squares[SLOPES:].sum(), left[SLOPES:].sum(), topics * runs, before.run_in_topic
        ),
        _RUN.estimate(of_runs, (inverse[:, -runs:] ** 2).sum(), runs, before.run),
    )
    return spread, doubt


def _solve(root: Floats, right: Floats, *, transposed: bool = False) -> Floats:
    from scipy.linalg import solve_triangular

    solved: Floats = solve_triangular(
        root, right, lower=True, trans="T" if transposed else "N", check_finite=False
    )
    return solved
