"""Limits of Kendall's τ between two orders of systems, and whether the orders differ at all.

The order of systems depends on the topics, and on the assessors whose labels made the judgements.
Both are drawn again here, with the scores as they are: what a study like this one would find.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.agreement.corrections import correct
from core.agreement.intervals import Floats, divide, draw_topics
from core.comparison.choices import ASSESSORS, BOTH, TOPICS
from core.comparison.permutation import tolerance
from core.comparison.score_matrix import ScoreMatrix

SAMPLES = 1_000
"""Draws of topics or assessors."""

FEWEST = {TOPICS: 2, ASSESSORS: 3, BOTH: 2}
"""With fewer of them there are no limits: those by two assessors would hold too little."""

Judges = Mapping[str, Sequence[str]]
"""Who judged each topic."""

Coefficient = Callable[[Floats, Floats], Floats]
"""From the means of samples, shape (samples, n_systems) twice, to how alike each two orders are."""


@dataclass(frozen=True, eq=False)
class SystemRanking:
    """The scores behind an order of systems.

    Parameters
    ----------
    scores : ScoreMatrix
        By topic and system.
    judges : mapping of topic to assessors
        Whose labels made the judgements of each topic; empty where nobody knows.
    """

    scores: ScoreMatrix
    judges: Judges = field(default_factory=dict)

    def aligned(self, systems: Sequence[str]) -> Floats:
        """Return the scores with their columns in this order of systems."""
        column = {system: at for at, system in enumerate(self.scores.systems)}
        return self.scores.values[:, [column[system] for system in systems]]


@dataclass(frozen=True)
class TauLimits:
    """95 % limits of τ, and what they rest on.

    Parameters
    ----------
    low, high : float
        In [-1, 1]; NaN with the ``reason``.
    units : int
        How many topics, assessors or systems were sampled.
    reason : str
        Why there are no limits, else ''.
    """

    low: float
    high: float
    units: int
    reason: str = ""


@dataclass(frozen=True)
class OrderTest:
    """Whether two orders differ by more than chance.

    Parameters
    ----------
    p : float
        How often chance alone makes τ so low where the true order is one; NaN with the ``reason``.
    shown_below : float
        A τ below this would have been shown to differ at α; above -1, NaN where none would.
    reason : str
        Why there is no test, else ''.
    """

    p: float
    shown_below: float
    reason: str = ""


def sample_tau(
    first: SystemRanking,
    second: SystemRanking,
    unit: str,
    rng: np.random.Generator,
    samples: int = SAMPLES,
    coefficient: Coefficient | None = None,
    compared: int | None = None,
) -> TauLimits:
    """Return the limits of τ by drawing topics, assessors or both again.

    The limits are for the τ that studies like this one have on average: with so many topics, or
    assessors, of the same kind. With more topics τ is nearer to that of the true means.

    Parameters
    ----------
    first, second : SystemRanking
        Of the same systems. Topics that both have are drawn together.
    unit : {'topic', 'assessor', 'both'}
        What is drawn. Assessors are drawn with the topics they judged.
    rng : Generator
        Where the draws come from.
    samples : int, default 1,000
        How many.
    coefficient : callable, optional
        Another coefficient from -1 to 1 than τ-b, such as those of ``sampled_top``.
    compared : int, optional
        How many systems it compares; all without.

    Returns
    -------
    TauLimits

    Notes
    -----
    Percentiles fail here, as τ of a drawn sample is pulled to the middle. The variance of the drawn
    τ tells how many independent pairs of systems would vary as much; the limits are those of
    Clopper and Pearson for so many. The variance is at least that of one pair which is as likely to
    turn as not.
    """
    topics = list(dict.fromkeys([*first.scores.topics, *second.scores.topics]))
    weights, units, reason = _draw(first, second, topics, unit, rng, samples)
    if reason:
        return TauLimits(np.nan, np.nan, units, reason)
    systems = first.scores.systems
    means = []
    for order in (first, second):
        own = weights[:, [topics.index(topic) for topic in order.scores.topics]]
        total = own.sum(axis=1, keepdims=True)
        means.append(divide(own @ order.aligned(systems), np.broadcast_to(total, (samples, 1))))
    chosen = coefficient or correlate
    drawn = chosen(*means)
    drawn = drawn[~np.isnan(drawn)]
    observed = observe(first, second, chosen)
    if np.isnan(observed) or len(drawn) < samples / 2:
        return TauLimits(np.nan, np.nan, units, _TIED)
    return TauLimits(*_limits(observed, drawn, units, compared or len(systems)), units)


def try_same_order(
    first: SystemRanking,
    second: SystemRanking,
    rng: np.random.Generator,
    alpha: float = 0.05,
    samples: int = SAMPLES,
) -> OrderTest:
    """Test whether two orders are less alike than chance makes them where the true order is one.

    Under the hypothesis the systems have the same means under both conditions: those of both
    together, each condition counting by how little chance there is in it, and drawn to where means
    like theirs lie most likely, as far as chance may have set them apart (`draw_together`), so that
    systems of one group come to lie together however far the groups are apart. Chance is drawn
    again from what is left: the topics'
    differences from each system's mean. The means may also be the same up to a scale, as by two
    measures: both are tried, and the larger p counts. The scale of a condition is how far its means
    lie apart beyond chance, so that much chance is not taken for a large scale.

    Parameters
    ----------
    first, second, rng, samples
        As for `sample_tau`; topics are what is sampled.
    alpha : float, default 0.05
        The level of significance.

    Returns
    -------
    OrderTest
        That orders are not shown to differ does not make them equal: ``shown_below`` says what
        could have been shown.
    """
    topics = list(dict.fromkeys([*first.scores.topics, *second.scores.topics]))
    weights = draw_topics(len(topics), samples, rng)
    observed, found = observe(first, second), []
    if np.isnan(observed):
        return OrderTest(np.nan, np.nan, _TIED)
    least = min(len(first.scores.topics), len(second.scores.topics))
    # Few topics vary less than those they stand for.
    few = (least + 4) / (least - 1)
    for is_scaled in (False, True):
        drawn = _draw_same_order((first, second), topics, weights, is_scaled)
        drawn = np.sort(drawn[~np.isnan(drawn)])
        p = (1 + np.count_nonzero(drawn <= observed + _ROUNDING)) / (1 + len(drawn))
        # p is below α as long as fewer draws than this have no larger τ.
        allowed = int(np.ceil(alpha / few * (1 + len(drawn)) - 1e-9)) - 1
        below = float(drawn[allowed - 1]) if 1 <= allowed <= len(drawn) else np.nan
        # No τ is below -1.
        found.append((p, below if below > -1 + _ROUNDING else np.nan))
    (p, below), (other, low) = found
    return OrderTest(float(min(1.0, few * max(p, other))), float(np.minimum(below, low)))


def try_orders_together(
    pairs: Sequence[tuple[SystemRanking, SystemRanking] | None], seed: int, alpha: float = 0.05
) -> list[OrderTest]:
    """Test several pairs of orders, with p corrected for all of them.

    Parameters
    ----------
    pairs : sequence of pairs of SystemRanking
        As `try_same_order` takes them; None, of which no test can be made.
    seed : int
        Where the draws start: for every pair the same.
    alpha : float, default 0.05
        The level of significance, of any of the pairs.

    Returns
    -------
    list of OrderTest
        ``p`` is corrected by Holm, NaN for None. A τ below ``shown_below`` would have been shown
        to differ whatever the other pairs are.
    """
    known = sum(one is not None for one in pairs)
    # So many draws that the least p is well below α when it is corrected.
    samples = max(SAMPLES, int(np.ceil(4 * known / alpha)))
    tests = [
        OrderTest(np.nan, np.nan)
        if pair is None
        else try_same_order(*pair, np.random.default_rng(seed), alpha / known, samples)
        for pair in pairs
    ]
    p = np.array([one.p for one in tests])
    is_known = ~np.isnan(p)
    p[is_known] = correct(p[is_known], "holm")
    return [replace(one, p=float(own)) for one, own in zip(tests, p, strict=True)]


def _draw_same_order(
    orders: tuple[SystemRanking, SystemRanking], topics: list[str], weights: Floats, is_scaled: bool
) -> Floats:
    """Return τ of each sample of topics where the true means are the same, shape (samples,)."""
    means, chance, noise, spread = [], [], [], []
    for order in orders:
        values = order.aligned(orders[0].scores.systems)
        values = values - values.mean(axis=1, keepdims=True)
        own = weights[:, [topics.index(topic) for topic in order.scores.topics]]
        number = len(values)
        mean = values.mean(axis=0)
        left = (values - mean) * np.sqrt(number / (number - 1))
        means.append(mean)
        chance.append(own @ left / np.maximum(own.sum(axis=1, keepdims=True), 1))
        noise.append(max(float((left**2).mean()) / number, _NO_CHANCE))
        spread.append(np.sqrt(max(float(mean.var()) - noise[-1], 0.0)) if is_scaled else 1.0)
    # Each condition tells of the common means by its scale and by how little chance there is in it.
    information = np.array([one / chances for one, chances in zip(spread, noise, strict=True)])
    share = information / (float(information @ spread) or 1.0)
    together = share[0] * means[0] + share[1] * means[1]
    left_over = (share[0] * chance[0] + share[1] * chance[1]).var(axis=0).mean()
    common = draw_together(together, float(left_over))
    first, second = (one * common + drawn for one, drawn in zip(spread, chance, strict=True))
    return correlate(first, second)


def draw_together(means: Floats, variance: float) -> Floats:
    """Return where each of several means most likely lies, given where all of them do.

    The distribution of the true means is whatever makes the observed ones most likely (the
    nonparametric maximum likelihood estimate, by EM on a grid); each is replaced by its expectation
    under that distribution.

    Parameters
    ----------
    means : array, shape (n,)
        As observed, with normal errors.
    variance : float
        Of the errors, the same for all.

    Returns
    -------
    array, shape (n,)
        Within the range of ``means`` and in their order; as they are where the variance is 0.

    References
    ----------
    Jiang and Zhang (2009), Annals of Statistics 37(4), doi:10.1214/08-AOS638.
    """
    grid = np.linspace(means.min(), means.max(), _GRID)
    if not variance > 0 or not grid[-1] > grid[0]:
        return means
    likely = np.exp(-((means[:, np.newaxis] - grid) ** 2) / (2 * variance))
    # Far from everything on the grid nothing is likely; the nearest point is what is left.
    likely = np.maximum(likely, np.finfo(np.float64).tiny)
    weights = np.full(_GRID, 1 / _GRID)
    for _ in range(_STEPS):
        shares = likely * weights
        shares /= shares.sum(axis=1, keepdims=True)
        weights = shares.mean(axis=0)
    expected: Floats = shares @ grid
    return expected


_NO_CHANCE = 1e-200
"""The variance of means that is taken for none: nothing overflows by it."""

_GRID, _STEPS = 120, 200
"""Points of the grid, and steps of EM."""


def observe(
    first: SystemRanking, second: SystemRanking, coefficient: Coefficient | None = None
) -> float:
    """Return τ-b, or another coefficient, of the means of two orders as they are."""
    systems = first.scores.systems
    means = (order.aligned(systems).mean(axis=0)[np.newaxis] for order in (first, second))
    return float((coefficient or correlate)(*means)[0])


def correlate(first: Floats, second: Floats) -> Floats:
    """Return Kendall's τ-b of the means of each sample, shape (samples,).

    Parameters
    ----------
    first, second : array, shape (samples, n_systems)
    """
    upper, lower = np.triu_indices(first.shape[1], k=1)
    signs = []
    for means in (first, second):
        apart = means[:, upper] - means[:, lower]
        level = tolerance(np.nan_to_num(means))
        signs.append((apart > level).astype(np.float32) - (apart < -level))
    agree = np.einsum("ij,ij->i", *signs).astype(np.float64)
    untied = [np.abs(sign).sum(axis=1).astype(np.float64) for sign in signs]
    tau: Floats = np.round(divide(agree, np.sqrt(untied[0] * untied[1])), 12)
    return tau


_ROUNDING = 1e-9
_TIED = "fewer than two systems, or all of them tied under one condition"
_NO_JUDGES = "who judged each topic is not known under both conditions"
_SAME_JUDGES = "the same assessors judged every topic: drawing them again changes no order"
_TOO_FEW = {
    TOPICS: "fewer than two topics",
    ASSESSORS: "fewer than three assessors",
    BOTH: "fewer than two topics or assessors",
}


def _draw(
    first: SystemRanking,
    second: SystemRanking,
    topics: list[str],
    unit: str,
    rng: np.random.Generator,
    samples: int,
) -> tuple[Floats, int, str]:
    """Return the weight of each topic in each sample, how many units there are, and a reason."""
    drawn = np.ones((samples, len(topics)))
    units = []
    if unit in (TOPICS, BOTH):
        units.append(len(topics))
        drawn = drawn * draw_topics(len(topics), samples, rng)
    if unit in (ASSESSORS, BOTH):
        shares, reason = _share_judges(first, second, topics)
        if reason:
            return drawn, 0, reason
        units.append(len(shares))
        drawn = drawn * (draw_topics(len(shares), samples, rng) @ shares)
    if min(units) < FEWEST[unit]:
        return drawn, min(units), _TOO_FEW[unit]
    return drawn, min(units), ""


def _share_judges(
    first: SystemRanking, second: SystemRanking, topics: list[str]
) -> tuple[Floats, str]:
    """Return each assessor's share in the judgements of each topic, shape (assessors, topics)."""
    judges = {
        topic: sorted({*first.judges.get(topic, ()), *second.judges.get(topic, ())})
        for topic in topics
    }
    if not all(judges.values()):
        return np.empty((0, 0)), _NO_JUDGES
    names = sorted({name for several in judges.values() for name in several})
    at = {name: position for position, name in enumerate(names)}
    shares = np.zeros((len(names), len(topics)))
    for column, topic in enumerate(topics):
        shares[[at[name] for name in judges[topic]], column] = 1 / len(judges[topic])
    if len(names) > 1 and not np.ptp(shares, axis=1).any():
        return shares, _SAME_JUDGES
    return shares, ""


def _limits(observed: float, drawn: Floats, units: int, systems: int) -> tuple[float, float]:
    from scipy.special import betaincinv

    pairs = systems * (systems - 1) / 2
    share = (1 + observed) / 2
    # Few units vary less than those they stand for.
    variance = max(drawn.var() / 4 * (units + 1) / (units - 1), 1 / pairs**2)
    # Where all pairs agree, as few of the drawn ones do, the drawn share tells how many there are.
    middle = (pairs * (1 + drawn.mean()) / 2 + 0.5) / (pairs + 1)
    independent = middle * (1 - middle) / variance
    agree, differ = independent * share, independent * (1 - share)
    low = betaincinv(agree, differ + 1, 0.025) if agree > 0 else 0.0
    high = betaincinv(agree + 1, differ, 0.975) if differ > 0 else 1.0
    return float(2 * low - 1), float(2 * high - 1)
