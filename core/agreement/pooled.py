"""One figure for the agreement of all assessors: the pairs' coefficients, pooled."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from core.agreement.coefficients import Coefficient
from core.agreement.confusion import ConfusionMatrices, Matrices
from core.agreement.intervals import Floats, divide, draw_topics, percentile_interval
from core.agreement.pairs import NO_ITEMS, ONE_TOPIC
from core.agreement.ratings import Codes
from core.agreement.topics import FEWEST_ITEMS

_CELLS_AT_ONCE = 2_000_000


def overall_agreement(
    matrices: ConfusionMatrices,
    coefficients: Sequence[Coefficient],
    *,
    samples: int = 1000,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Pool the coefficients of all pairs of assessors.

    The pooled value is the sum over pairs of the agreement reached, over the sum of the agreement
    possible: the mean of the pairs' values, each weighing its number of items (raw agreement) or
    n(1 − p_e) (κ). Each pair keeps its own chance agreement, a single pair keeps its value, and
    the names of the assessors do not matter. Pairs with fewer than 10 common items are left out
    as soon as some pair has more, since κ of a handful of items is biased towards 0.

    Parameters
    ----------
    matrices : ConfusionMatrices
        From ``confusion_matrices``.
    coefficients : sequence of Coefficient
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
    chosen = _with_enough(matrices)
    numbers = chosen.by_pair().counts
    limits = _bootstrap_limits(chosen, coefficients, samples, rng)
    rows = []
    for coefficient, (low, high) in zip(coefficients, limits, strict=True):
        reached, possible = coefficient.parts(numbers, chosen.levels)
        value = float(divide(reached.sum(), possible.sum()))
        why = ONE_TOPIC if np.isnan(low) else ""
        if np.isnan(value):
            why = coefficient.undefined if len(numbers) else NO_ITEMS
        rows.append((str(coefficient), len(numbers), int(numbers.sum()), value, low, high, why))
    columns = ["coefficient", "pairs", "n", "value", "low", "high", "reason"]
    table = pd.DataFrame(rows, columns=columns)
    table.insert(6, "interval", "bootstrap")
    return table


def _with_enough(matrices: ConfusionMatrices) -> ConfusionMatrices:
    """Return the pairs with ten common items or more; all pairs where none has."""
    starts = matrices.pair_starts()
    blocks = np.diff(starts, append=len(matrices.first))
    items = np.repeat(matrices.by_pair().counts.sum(axis=(1, 2)), blocks)
    enough = items >= FEWEST_ITEMS
    return matrices.select(enough) if enough.any() else matrices


def _bootstrap_limits(
    matrices: ConfusionMatrices,
    coefficients: Sequence[Coefficient],
    samples: int,
    rng: np.random.Generator,
) -> Floats:
    """Return the limits by coefficient, shape (coefficients, 2); NaN below two topics."""
    topics, topic = np.unique(matrices.topic, return_inverse=True)
    if len(topics) < 2:
        return np.full((len(coefficients), 2), np.nan)
    draws = draw_topics(len(topics), samples, rng)
    sums = np.zeros((len(coefficients), 2, samples))
    for dense in _dense_parts(matrices, topic, samples):
        resampled = np.tensordot(draws, dense, axes=1)
        for at, coefficient in enumerate(coefficients):
            sums[at] += [part.sum(axis=1) for part in coefficient.parts(resampled, matrices.levels)]
    return np.stack(percentile_interval(divide(sums[:, 0], sums[:, 1])), axis=-1)


def _dense_parts(matrices: ConfusionMatrices, topic: Codes, samples: int) -> Iterator[Matrices]:
    """Yield matrices of shape (topics, some pairs, L, L), zeros where a pair shares nothing."""
    starts = np.append(matrices.pair_starts(), len(topic))
    pair = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    shape = matrices.counts.shape[1:]
    step = max(1, _CELLS_AT_ONCE // (samples * matrices.counts[0].size))
    for at in range(0, len(starts) - 1, step):
        blocks = slice(starts[at], starts[min(at + step, len(starts) - 1)])
        dense = np.zeros((topic.max() + 1, min(step, len(starts) - 1 - at), *shape))
        dense[topic[blocks], pair[blocks] - at] = matrices.counts[blocks]
        yield dense
