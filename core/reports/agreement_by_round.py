"""Agreement within each round of judging."""

from collections.abc import Sequence

import pandas as pd

from core.agreement.base import Coefficient
from core.agreement.overall import measure_agreement
from core.agreement.pooled import COLUMNS
from core.agreement.ranked_items import rank_items
from core.agreement.ratings import ratings_from_labels
from core.collection.labels.counted_labels import counted_labels
from core.errors import TooLittleData


def agreement_by_round(
    labels: pd.DataFrame,
    facet: str,
    coefficients: Sequence[Coefficient],
    levels: Sequence[int],
    runs: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Tabulate the agreement of the labels of each round, apart from those of all others.

    Parameters
    ----------
    labels : DataFrame
        With ``round_id``, empty for labels of none; without that column there is no row.
    facet : str
        'snippet' or 'page'.
    coefficients : sequence of Coefficient
        What to compute.
    levels : sequence of int
        All levels of the scale.
    runs : DataFrame, optional
        For coefficients in which items count by their best rank.

    Returns
    -------
    DataFrame
        ``part`` (the round) and the columns of ``measure_agreement``, in the order in which the
        rounds appear. Where a round has too little data, ``reason`` says so and ``value`` is NaN.
    """
    tables = []
    if "round_id" in labels:
        counted = counted_labels(labels, facet)
        rounds = counted["round_id"].astype("str")
        for name in dict.fromkeys(rounds[rounds != ""]):
            table = _measure(counted[rounds == name], facet, coefficients, levels, runs)
            table.insert(0, "part", name)
            tables.append(table)
    if not tables:
        return pd.DataFrame(columns=["part", *COLUMNS])
    return pd.concat(tables, ignore_index=True)


def _measure(
    labels: pd.DataFrame,
    facet: str,
    coefficients: Sequence[Coefficient],
    levels: Sequence[int],
    runs: pd.DataFrame | None,
) -> pd.DataFrame:
    ratings = ratings_from_labels(labels, facet, levels)
    try:
        return measure_agreement(
            ratings if runs is None else rank_items(ratings, runs), coefficients
        )
    except TooLittleData as error:
        rows = [
            {"coefficient": str(one), "n": 0, "interval": "jackknife", "unit": "topic", "units": 0,
             "reason": str(error)}
            for one in coefficients
        ]  # fmt: skip
        empty = pd.DataFrame(rows).reindex(columns=list(COLUMNS))
        numbers = dict.fromkeys(("value", "low", "high"), "float64")
        return empty.astype({"pairs": "Int64", **numbers})
