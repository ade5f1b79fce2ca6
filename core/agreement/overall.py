"""Agreement of all assessors at once, by any coefficient, over all items or part by part."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.agreement.base import Coefficient, PairCoefficient, PanelCoefficient
from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.intervals import Floats, draw_topics, percentile_interval
from core.agreement.multi_rater_counts import LevelCounts, PanelSums, level_counts
from core.agreement.pairs import ONE_TOPIC
from core.agreement.pooled import COLUMNS, overall_agreement
from core.agreement.ratings import Ratings
from core.errors import BadInput

NO_TWO_LABELS = "no item has labels of two assessors"
_CELLS_AT_ONCE = 2_000_000


def panel_agreement(
    counts: LevelCounts,
    coefficients: Sequence[PanelCoefficient],
    *,
    samples: int = 1000,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Tabulate the coefficients of any number of assessors.

    Parameters
    ----------
    counts : LevelCounts
        From ``level_counts``.
    coefficients : sequence of PanelCoefficient
        What to compute.
    samples : int
        Number of bootstrap samples of topics.
    rng : Generator
        Source of the samples.

    Returns
    -------
    DataFrame
        ``coefficient, n, value, low, high, interval, reason``, a row for each coefficient: ``n``
        counts the items with two labels or more; 95 % limits over samples of the topics.
        ``reason`` says why something is NaN.
    """
    sums = counts.by_topic()
    total, limits = sums.total(), _bootstrap_limits(sums, coefficients, samples, rng)
    items = int((counts.counts.sum(axis=1) > 1).sum())
    rows = []
    for coefficient, (low, high) in zip(coefficients, limits, strict=True):
        value = float(coefficient.value(total))
        why = ONE_TOPIC if np.isnan(low) else ""
        if np.isnan(value):
            why = coefficient.undefined if items else NO_TWO_LABELS
        rows.append((str(coefficient), items, value, low, high, "bootstrap", why))
    return pd.DataFrame(rows, columns=[name for name in COLUMNS if name != "pairs"])


def measure_agreement(
    ratings: Ratings,
    coefficients: Sequence[Coefficient],
    *,
    matrices: ConfusionMatrices | None = None,
    samples: int = 1000,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Tabulate any coefficients over all assessors, in the order asked for.

    Those of two assessors are pooled over pairs (``overall_agreement``), the others look at all
    labels of an item (``panel_agreement``).

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    coefficients : sequence of Coefficient
        What to compute.
    matrices : ConfusionMatrices, optional
        Those of the ratings, where they were counted before.
    samples, rng
        As for ``overall_agreement``.

    Returns
    -------
    DataFrame
        ``coefficient, pairs, n, value, low, high, interval, reason``. ``n`` counts common items,
        once for each pair for coefficients of two assessors; ``pairs`` is missing for the others.

    Raises
    ------
    TooLittleData
        Fewer than two assessors have labels.
    """
    counted = matrices or confusion_matrices(ratings)
    pair = [one for one in coefficients if isinstance(one, PairCoefficient)]
    panel = [one for one in coefficients if isinstance(one, PanelCoefficient)]
    pooled = overall_agreement(counted, pair, samples=samples, rng=rng)
    others = panel_agreement(level_counts(ratings), panel, samples=samples, rng=rng)
    table = pd.concat([pooled, others.reindex(columns=list(COLUMNS))]).set_index("coefficient")
    table = table.loc[[str(one) for one in coefficients]].reset_index()
    return table.astype({"pairs": "Int64"})


def agreement_by_part(
    ratings: Ratings,
    part: "pd.Series[str]",
    coefficients: Sequence[Coefficient],
    *,
    samples: int = 1000,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Tabulate the agreement within each part of the items: engines, verticals, types of topics.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    part : Series, length n_items
        What part each item belongs to, in the order of ``ratings.items``; for engines simply
        ``ratings.items['engine']``. Items without a value are left out.
    coefficients, samples, rng
        As for ``measure_agreement``.

    Returns
    -------
    DataFrame
        ``part`` and the columns of ``measure_agreement``, parts in sorted order.

    Raises
    ------
    BadInput
        ``part`` has another length than there are items.
    TooLittleData
        Fewer than two assessors have labels.
    """
    if len(part) != len(ratings.items):
        raise BadInput(f"{len(part)} values were given for the parts of {len(ratings.items)} items")
    codes, names = pd.factorize(part, sort=True)
    tables = []
    for code, name in enumerate(names):
        chosen = ratings.select(codes == code)
        table = measure_agreement(chosen, coefficients, samples=samples, rng=rng)
        table.insert(0, "part", name)
        tables.append(table)
    return (
        pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=["part", *COLUMNS])
    )


def _bootstrap_limits(
    sums: PanelSums,
    coefficients: Sequence[PanelCoefficient],
    samples: int,
    rng: np.random.Generator,
) -> Floats:
    """Return limits by coefficient, shape (coefficients, 2); NaN below two topics."""
    topics = len(sums.flat)
    values = np.full((len(coefficients), samples), np.nan)
    if sums.paired.any(axis=(1, 2)).sum() > 1:
        draws = draw_topics(topics, samples, rng)
        step = max(1, _CELLS_AT_ONCE // sums.flat.shape[1])
        for at in range(0, samples, step):
            resampled = sums.resample(draws[at : at + step])
            for row, coefficient in zip(values, coefficients, strict=True):
                row[at : at + step] = coefficient.value(resampled)
    return np.stack(percentile_interval(values), axis=-1)
