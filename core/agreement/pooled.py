"""One figure for the agreement of all assessors: the pairs' coefficients, pooled."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from core.agreement.base import CorrectedCoefficient, PairCoefficient
from core.agreement.confusion import ConfusionMatrices
from core.agreement.intervals import Floats, divide, draw_topics, percentile_interval
from core.agreement.pairs import NO_ITEMS, ONE_TOPIC
from core.agreement.pairwise import flatten, margins
from core.agreement.ratings import Codes
from core.agreement.topics import FEWEST_ITEMS

COLUMNS = ("coefficient", "pairs", "n", "value", "low", "high", "interval", "reason")
_CELLS_AT_ONCE = 250_000


def overall_agreement(
    matrices: ConfusionMatrices,
    coefficients: Sequence[PairCoefficient],
    *,
    samples: int = 1000,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Pool the coefficients of all pairs of assessors.

    The pooled value is the sum over pairs of the agreement reached, over the sum of the agreement
    possible: the mean of the pairs' values, each weighing its number of items (raw agreement),
    n(1 − p_e) (κ, π) or the size of the union (overlap). Each pair keeps its own chance
    agreement, a single pair keeps its value, and the names of the assessors do not matter. Pairs
    with fewer than 10 common items are left out as soon as some pair has more, since κ of a
    handful of items is biased towards 0.

    Parameters
    ----------
    matrices : ConfusionMatrices
        From ``confusion_matrices``.
    coefficients : sequence of PairCoefficient
        What to pool.
    samples : int
        Number of bootstrap samples of topics.
    rng : Generator
        Source of the samples.

    Returns
    -------
    DataFrame
        ``coefficient, pairs, n, value, low, high, interval, reason``, a row for each coefficient:
        how many pairs were pooled, their common items in all, and 95 % limits over samples of the
        topics. ``reason`` says why something is NaN.
    """
    chosen = with_enough(matrices)
    items = chosen.by_pair().counts
    used, topic = np.unique(chosen.topic, return_inverse=True)
    limits = np.full((2, len(coefficients)), np.nan)
    if len(used) > 1:
        draws = draw_topics(len(used), samples, rng)
        limits[:] = percentile_interval(resample_pooled(chosen, topic, coefficients, draws))
    rows = []
    for coefficient, value, low, high in zip(
        coefficients, pool(chosen, coefficients), *limits, strict=True
    ):
        why = ONE_TOPIC if np.isnan(low) else ""
        if np.isnan(value):
            why = coefficient.undefined if len(items) else NO_ITEMS
        numbers = (len(items), int(items.sum()), value, low, high)
        rows.append((str(coefficient), *numbers, "bootstrap", why))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def with_enough(matrices: ConfusionMatrices) -> ConfusionMatrices:
    """Return the pairs with ten common items or more; all pairs where none has."""
    starts = matrices.pair_starts()
    blocks = np.diff(starts, append=len(matrices.first))
    items = np.repeat(matrices.by_pair().counts.sum(axis=(1, 2)), blocks)
    enough = items >= FEWEST_ITEMS
    return matrices.select(enough) if enough.any() else matrices


def pool(matrices: ConfusionMatrices, coefficients: Sequence[PairCoefficient]) -> list[float]:
    """Return the pooled value of each coefficient; NaN where it is not defined."""
    counts, values = matrices.by_pair().counts, []
    for coefficient in coefficients:
        reached, possible = coefficient.parts(counts, matrices.levels)
        values.append(float(divide(reached.sum(), possible.sum())))
    return values


def resample_pooled(
    matrices: ConfusionMatrices,
    topic: Codes,
    coefficients: Sequence[PairCoefficient],
    draws: Floats,
) -> Floats:
    """Return the pooled values of samples of topics, shape (coefficients, samples).

    ``topic`` has the column of ``draws``, shape (samples, topics), for each block.
    """
    sums = np.zeros((len(coefficients), 2, len(draws)))
    for at, coefficient in enumerate(coefficients):
        for side, weights in enumerate(coefficient.counted(matrices.levels)):
            counted = flatten(matrices.counts) @ weights.ravel()
            sums[at, side] = draws @ np.bincount(topic, counted, draws.shape[1])
    corrected = [
        (part, coefficient)
        for part, coefficient in zip(sums, coefficients, strict=True)
        if isinstance(coefficient, CorrectedCoefficient)
    ]
    for rows, columns in _resample_margins(matrices, topic, draws) if corrected else ():
        for part, coefficient in corrected:
            part -= coefficient.by_chance(rows, columns, matrices.levels).sum(axis=1)
    return divide(sums[:, 0], sums[:, 1])


def _resample_margins(
    matrices: ConfusionMatrices, topic: Codes, draws: Floats
) -> Iterator[tuple[Floats, Floats]]:
    """Yield items by level of first and second assessor, shape (samples, some pairs, L) each.

    Chance agreement is all that needs every pair by itself, and it needs no more than this.
    """
    samples, topics = draws.shape
    starts = np.append(matrices.pair_starts(), len(topic))
    pair = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    size = len(matrices.levels)
    step = max(1, _CELLS_AT_ONCE // (samples * size))
    for at in range(0, len(starts) - 1, step):
        blocks = slice(starts[at], starts[min(at + step, len(starts) - 1)])
        pairs = min(step, len(starts) - 1 - at)
        both = []
        for margin in margins(matrices.counts[blocks]):
            dense = np.zeros((topics, pairs, size))
            dense[topic[blocks], pair[blocks] - at] = margin
            both.append((draws @ dense.reshape(topics, -1)).reshape(samples, pairs, size))
        yield both[0], both[1]
