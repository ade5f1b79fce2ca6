"""Agreement of every two assessors, with intervals."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.agreement.base import PairCoefficient
from core.agreement.confusion import ConfusionMatrices, Matrices, PairMatrices
from core.agreement.intervals import Floats, draw_topics, percentile_interval
from core.agreement.ratings import Codes
from core.errors import BadInput

NO_ITEMS = "no common items"
ONE_TOPIC = "all common items belong to one topic; resampling topics needs two"
ANALYTIC = ("analytic", "fleiss1969")
_CELLS_AT_ONCE = 2_000_000


def agreement_by_pair(
    matrices: ConfusionMatrices,
    coefficients: Sequence[PairCoefficient],
    *,
    interval: str = "analytic",
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
    interval : {'analytic', 'fleiss1969', 'bootstrap'}
        Each coefficient's own formula (Cohen 1968 for κ, Gwet 2008 for π, Wilson for shares of
        items); the same with Fleiss, Cohen and Everitt's for κ; or percentiles over bootstrap
        samples of the pair's topics.
    samples : int
        Number of bootstrap samples.
    rng : Generator, optional
        Needed for the bootstrap only.
    every_pair : bool
        Whether pairs without common items have rows, too.

    Returns
    -------
    DataFrame
        ``first, second, n, coefficient, value, low, high, interval, reason``; one row for each
        pair and coefficient. ``n`` counts common items; ``interval`` names the formula;
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
    if interval == "bootstrap" and rng is not None:
        return _with_bootstrap(rows, pairs, _bootstrap_limits(matrices, coefficients, samples, rng))
    raise BadInput(
        f"'{interval}' is not an interval; known are {', '.join(ANALYTIC)} and, with a random "
        "generator, bootstrap"
    )


def name_pairs(assessors: Sequence[str], first: Codes, second: Codes) -> dict[str, "pd.Index[str]"]:
    """Return the columns ``first`` and ``second`` of assessor ids."""
    ids = pd.Index(list(assessors), dtype="str")
    return {"first": ids.take(first), "second": ids.take(second)}


def tabulate(
    names: "dict[str, pd.Index[str]]",
    counts: Matrices,
    levels: Sequence[int],
    coefficients: Sequence[PairCoefficient],
    formula: str = "",
) -> pd.DataFrame:
    """Return value, analytic interval and reason for each matrix and coefficient.

    Rows go matrix by matrix and, within one, in the order of the coefficients; ``names`` has a
    value for each matrix. ``formula`` names the interval for the coefficients that have it.
    """
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
            "reason": np.where(np.isnan(value), why, ""),
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables).sort_index(kind="stable").reset_index(drop=True)


def _with_bootstrap(rows: pd.DataFrame, pairs: PairMatrices, limits: Floats) -> pd.DataFrame:
    """Replace the limits by those of the pairs with common items, and say what is missing."""
    has_items = pairs.counts.sum(axis=(1, 2)) > 0
    spread = np.full((len(pairs.counts), *limits.shape[1:]), np.nan)
    spread[has_items] = limits
    low, high = spread.reshape(-1, 2).T
    why = np.where(np.isnan(low) & (rows["reason"] == ""), ONE_TOPIC, rows["reason"])
    return rows.assign(low=low, high=high, interval="bootstrap", reason=why)


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
