"""Agreement of every two assessors, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.base import PairCoefficient
from core.agreement.choices import ANALYTIC
from core.agreement.confusion import ConfusionMatrices, Matrices, PairMatrices
from core.agreement.intervals import (
    Floats,
    draw_topics,
    percentile_interval,
    topic_freedom,
    topic_interval,
)
from core.agreement.ratings import Codes
from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

NO_ITEMS = "no common items"
ONE_TOPIC = "all common items belong to one topic; an interval over topics needs two"
ONE_DEFINES = "one topic alone defines the value: no interval over topics"
_CELLS_AT_ONCE = 2_000_000


def agreement_by_pair(
    matrices: ConfusionMatrices,
    coefficients: Sequence[PairCoefficient],
    *,
    interval: str = "jackknife",
    samples: int = 1000,
    rng: np.random.Generator | None = None,
    every_pair: bool = True,
) -> pd.DataFrame:
    """Tabulate the coefficients of every two assessors over all topics.

    Parameters
    ----------
    matrices : ConfusionMatrices
        From ``confusion_matrices``.
    coefficients : sequence of PairCoefficient
        What to compute.
    interval : {'jackknife', 'bootstrap', 'analytic', 'fleiss1969'}
        The first two take the pair's topics for what is sampled: `jackknife_interval`, which
        covers what it says, and percentiles of a bootstrap, which covers less with few topics.
        The others take items for it, as if all topics were alike: each coefficient's own formula
        (Cohen 1968 for κ, Gwet 2008 for π, Wilson for shares of items), or the same with Fleiss,
        Cohen and Everitt's for κ. Where topics differ these cover much less than 95 %.
    samples : int
        Number of bootstrap samples.
    rng : Generator, optional
        Needed for the bootstrap only.
    every_pair : bool
        Whether pairs without common items have rows, too.

    Returns
    -------
    DataFrame
        ``first, second, n, coefficient, value, low, high, interval, unit, units, reason``; one
        row for each pair and coefficient. ``n`` counts common items; ``interval`` names the
        method, ``unit`` what it takes for sampled and ``units`` how many of them there are;
        ``reason`` says why something in the row is NaN, and is empty otherwise.

    Raises
    ------
    BadInput
        The interval is unknown, or a bootstrap is asked for without a generator.
    """
    pairs = matrices.by_pair()
    if every_pair:
        pairs = pairs.with_every_pair()
    names = name_pairs(matrices.assessors, pairs.first, pairs.second)
    rows = tabulate(names, pairs.counts, matrices.levels, coefficients, interval)
    if interval in ANALYTIC:
        return rows
    if interval == "jackknife":
        limits = _jackknife_limits(matrices, coefficients)
    elif interval == "bootstrap" and rng is not None:
        limits = _bootstrap_limits(matrices, coefficients, samples, rng)
    else:
        raise BadInput(
            f"'{interval}' is not an interval; known are jackknife, {', '.join(ANALYTIC)} and, "
            "with a random generator, bootstrap"
        )
    topics = np.diff(matrices.pair_starts(), append=len(matrices.first))
    return _over_topics(rows, pairs, limits, topics).assign(interval=interval)


def say_why(value: float, low: float, units: int, undefined: str) -> str:
    """Return why a value or its limits are NaN; '' where they are not."""
    if np.isnan(value):
        return undefined
    if np.isnan(low):
        return ONE_TOPIC if units < 2 else ONE_DEFINES
    return ""


def name_pairs(assessors: Sequence[str], first: Codes, second: Codes) -> dict[str, pd.Index[str]]:
    """Return the columns ``first`` and ``second`` of assessor ids."""
    import pandas as pd

    ids = pd.Index(list(assessors), dtype="str")
    return {"first": ids.take(first), "second": ids.take(second)}


def tabulate(
    names: dict[str, pd.Index[str]],
    counts: Matrices,
    levels: Sequence[int],
    coefficients: Sequence[PairCoefficient],
    formula: str = "",
) -> pd.DataFrame:
    """Return value, analytic interval and reason for each matrix and coefficient.

    Rows go matrix by matrix and, within one, in the order of the coefficients; ``names`` has a
    value for each matrix. ``formula`` names the interval for the coefficients that have it.
    """
    import pandas as pd

    items = counts.sum(axis=(1, 2)).astype(np.int64)
    tables = []
    for coefficient in coefficients:
        value = coefficient.value(counts, levels)
        low, high = coefficient.interval(counts, levels, formula)
        why = np.where(items == 0, NO_ITEMS, coefficient.undefined)
        columns = {
            **names,
            "n": items,
            "coefficient": str(coefficient),
            "value": value,
            "low": low,
            "high": high,
            "interval": coefficient.choose_formula(formula),
            "unit": "item",
            "units": items,
            "reason": np.where(np.isnan(value), why, ""),
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables).sort_index(kind="stable").reset_index(drop=True)


def _over_topics(
    rows: pd.DataFrame, pairs: PairMatrices, limits: Floats, topics: Codes
) -> pd.DataFrame:
    """Replace the limits by those of the pairs with common items, and say what is missing."""
    has_items = pairs.counts.sum(axis=(1, 2)) > 0
    spread = np.full((len(pairs.counts), *limits.shape[1:]), np.nan)
    spread[has_items] = limits
    units = np.zeros(len(has_items), dtype=np.int64)
    units[has_items] = topics
    units = np.repeat(units, limits.shape[1])
    low, high = spread.reshape(-1, 2).T
    why = np.where(units < 2, ONE_TOPIC, ONE_DEFINES)
    why = np.where(np.isnan(low) & (rows["reason"] == ""), why, rows["reason"])
    return rows.assign(low=low, high=high, unit="topic", units=units, reason=why)


def _jackknife_limits(
    matrices: ConfusionMatrices, coefficients: Sequence[PairCoefficient]
) -> Floats:
    """Return limits as `_bootstrap_limits` does."""
    starts, whole = matrices.pair_starts(), matrices.by_pair().counts
    _, left = matrices.without_topics()
    freedom, limits = topic_freedom(matrices.counts.sum(axis=(1, 2)), starts), []
    for coefficient in coefficients:
        value, without = (coefficient.value(one, matrices.levels) for one in (whole, left))
        least, bound = coefficient.least, coefficient.least_on(matrices.levels)
        limits.append(topic_interval(value, without, starts, least, freedom, bound))
    return np.moveaxis(np.reshape(limits, (len(coefficients), 2, len(starts))), 2, 0)


def _bootstrap_limits(
    matrices: ConfusionMatrices,
    coefficients: Sequence[PairCoefficient],
    samples: int,
    rng: np.random.Generator,
) -> Floats:
    """Return limits by pair with common items and coefficient, shape (pairs, coefficients, 2).

    Each pair's own topics are resampled; pairs with equally many topics share their draws.
    """
    starts = matrices.pair_starts()
    sizes = np.diff(starts, append=len(matrices.first))
    cells = matrices.counts.shape[1] ** 2
    limits = np.full((len(starts), len(coefficients), 2), np.nan)
    for topics in np.unique(sizes[sizes > 1]):
        draws = draw_topics(int(topics), samples, rng)
        pairs = np.flatnonzero(sizes == topics)
        step = max(1, _CELLS_AT_ONCE // (samples * cells))
        for part in (pairs[at : at + step] for at in range(0, len(pairs), step)):
            blocks = matrices.counts[starts[part, np.newaxis] + np.arange(topics)]
            sums = draws @ blocks.reshape(len(part), topics, cells)
            resampled = sums.reshape(len(part), samples, *blocks.shape[2:])
            for at, coefficient in enumerate(coefficients):
                values = coefficient.value(resampled, matrices.levels)
                limits[part, at] = np.stack(percentile_interval(values), axis=-1)
    return limits
