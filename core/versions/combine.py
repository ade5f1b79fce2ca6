"""Ways to combine the labels of one item into one level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

Weights = Mapping[int, float]
Items = list[str]


def _sum(labels: pd.DataFrame, items: Items, weights: Weights) -> pd.Series:
    """Add up the levels; every item must have as many labels as the others."""
    levels = labels.groupby(items)["level"]
    numbers = levels.size()
    if numbers.nunique() > 1:
        usual = int(numbers.mode().iloc[-1])
        raise BadInput(
            f"{int((numbers != usual).sum())} of {len(numbers)} items do not have {usual} labels "
            "like the rest, so their sums are not comparable; limit the number of labels, choose "
            "slots, or combine in another way",
            field="combine",
        )
    return levels.sum()


def most_frequent(labels: pd.DataFrame, items: Items) -> pd.DataFrame:
    """Return the ``lowest`` and the ``highest`` of each item's most frequent levels.

    Parameters
    ----------
    labels : DataFrame
        With ``level`` and the columns of an item.
    items : list of str
        The columns of an item: the index of what is returned.
    """
    import pandas as pd

    votes = labels.groupby([*items, "level"]).size().rename("votes").reset_index()
    most = votes.groupby(items)["votes"].transform("max")
    winners = votes[votes["votes"] == most].groupby(items)["level"]
    return pd.DataFrame({"lowest": winners.min(), "highest": winners.max()})


def _majority_untied(labels: pd.DataFrame, items: Items, weights: Weights) -> pd.Series:
    """Take the most frequent level; NaN where several are equally frequent."""
    found = most_frequent(labels, items)
    return found["lowest"].where(found["lowest"] == found["highest"])


def _udm(labels: pd.DataFrame, items: Items, weights: Weights) -> pd.Series:
    """Take the mean weight of the observed levels (Demeester et al. 2014)."""
    weight = labels["level"].map(dict(weights))
    if weight.isna().any():
        missing = sorted(labels["level"][weight.isna()].unique())
        shown = ", ".join(f"{level:g}" for level in missing)
        raise BadInput(f"the weights list no level {shown}", field="weights")
    return labels.assign(level=weight).groupby(items)["level"].mean()


def _adjudicated(labels: pd.DataFrame, items: Items, weights: Weights) -> pd.Series:
    """Take the common level, or the adjudicated one; NaN where neither is there."""
    given = labels.groupby(items)
    lowest, highest = given["level"].min(), given["level"].max()
    return lowest.where(lowest == highest, given["adjudicated"].first())


ADJUDICATED = "adjudicated"
"""The combination that needs a column of this name: the adjudicated level of a label's item."""

MAJORITIES = MAJORITY, MAJORITY_HIGHEST, MAJORITY_UNTIED = (
    "majority",
    "majority-highest",
    "majority-untied",
)
"""The most frequent level, by what becomes of items with several equally frequent ones."""

PREFERENCE = "preference"
"""The order that preferences between two documents make: a version of no labels on one."""

PAIR = "combined"
"""The mean weight of pairs of a snippet level and a page level: a version of both facets."""

Combination: TypeAlias = "Callable[[pd.DataFrame, Items, Weights], pd.Series]"

COMBINATIONS: dict[str, Combination] = {
    "sum": _sum,
    "mean": lambda labels, items, weights: labels.groupby(items)["level"].mean(),
    "median": lambda labels, items, weights: labels.groupby(items)["level"].median(),
    MAJORITY: lambda labels, items, weights: most_frequent(labels, items)["lowest"],
    MAJORITY_HIGHEST: lambda labels, items, weights: most_frequent(labels, items)["highest"],
    MAJORITY_UNTIED: _majority_untied,
    "minimum": lambda labels, items, weights: labels.groupby(items)["level"].min(),
    "maximum": lambda labels, items, weights: labels.groupby(items)["level"].max(),
    "first": lambda labels, items, weights: labels.groupby(items)["level"].first(),
    ADJUDICATED: _adjudicated,
    "udm": _udm,
}
"""By name: labels in the order they were given, the columns of an item, weights -> its level."""
