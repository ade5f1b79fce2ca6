"""Agreement of all assessors at once, by any coefficient, over all items or part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.base import Coefficient, PairCoefficient, PanelCoefficient
from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.multi_rater_counts import LevelCounts, PanelSums, level_counts
from core.agreement.pairs import say_why
from core.agreement.pooled import COLUMNS, limit, overall_agreement
from core.agreement.ratings import Ratings
from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

NO_TWO_LABELS = "no item has labels of two assessors"
NO_RANK = "no run tells how the items rank; give runs"
NONE_SHOWN = "no run shows an item with labels of two assessors"


def panel_agreement(counts: LevelCounts, coefficients: Sequence[PanelCoefficient]) -> pd.DataFrame:
    """Tabulate the coefficients of any number of assessors.

    Parameters
    ----------
    counts : LevelCounts
        From ``level_counts``.
    coefficients : sequence of PanelCoefficient
        What to compute.

    Returns
    -------
    DataFrame
        ``coefficient, n, value, low, high, interval, unit, units, reason``, a row for each
        coefficient: ``n`` counts the items with two labels or more (by rank, those that a run
        shows); 95 % limits by
        `jackknife_interval`, in which the topics with such items are what is sampled. ``reason``
        says why something is NaN.
    """
    import pandas as pd

    plain, rows = counts.by_topic(), []
    labelled = counts.counts.sum(axis=1) > 1
    unknown = np.full(len(labelled), np.nan)
    for coefficient in coefficients:
        weight = coefficient.weigh(unknown if counts.rank is None else counts.rank)
        sums = plain if weight is None else counts.by_topic(weight)
        items = int((labelled if weight is None else labelled & (weight > 0)).sum())
        missing = coefficient.undefined if items else NO_TWO_LABELS
        if weight is not None and not items and labelled.any():
            missing = NO_RANK if counts.rank is None else NONE_SHOWN
        total, several = sums.total(), sums.paired.any(axis=(1, 2))
        left = PanelSums(sums.levels, total.flat - sums.flat[several])
        topics, value = int(several.sum()), float(coefficient.value(total))
        sizes = sums.paired[several].sum(axis=(1, 2))
        low, high = limit(value, coefficient.value(left), coefficient, sizes, sums.levels)
        why = say_why(value, low, topics, missing)
        numbers = (items, value, low, high)
        rows.append((str(coefficient), *numbers, "jackknife", "topic", topics, why))
    return pd.DataFrame(rows, columns=[name for name in COLUMNS if name != "pairs"])


def measure_agreement(
    ratings: Ratings,
    coefficients: Sequence[Coefficient],
    *,
    matrices: ConfusionMatrices | None = None,
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

    Returns
    -------
    DataFrame
        As ``overall_agreement`` and ``panel_agreement`` return it. ``n`` counts common items,
        once for each pair for coefficients of two assessors; ``pairs`` is missing for the others.

    Raises
    ------
    TooLittleData
        Fewer than two assessors have labels.
    """
    import pandas as pd

    counted = matrices or confusion_matrices(ratings)
    pair = [one for one in coefficients if isinstance(one, PairCoefficient)]
    panel = [one for one in coefficients if isinstance(one, PanelCoefficient)]
    pooled = overall_agreement(counted, pair)
    others = panel_agreement(level_counts(ratings), panel)
    table = pd.concat([pooled, others.reindex(columns=list(COLUMNS))]).set_index("coefficient")
    table = table.loc[[str(one) for one in coefficients]].reset_index()
    return table.astype({"pairs": "Int64"})


def agreement_by_part(
    ratings: Ratings,
    part: pd.Series[str],
    coefficients: Sequence[Coefficient],
) -> pd.DataFrame:
    """Tabulate the agreement within each part of the items: engines, verticals, types of topics.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    part : Series, length n_items
        What part each item belongs to, in the order of ``ratings.items``; for engines simply
        ``ratings.items['engine']``. Items without a value are left out.
    coefficients
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
    import pandas as pd

    if len(part) != len(ratings.items):
        raise BadInput(f"{len(part)} values were given for the parts of {len(ratings.items)} items")
    codes, names = pd.factorize(part, sort=True)
    tables = []
    for code, name in enumerate(names):
        chosen = ratings.select(codes == code)
        table = measure_agreement(chosen, coefficients)
        table.insert(0, "part", name)
        tables.append(table)
    return (
        pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=["part", *COLUMNS])
    )
