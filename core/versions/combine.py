"""Ways to combine the labels of one item into one level."""

from collections.abc import Callable, Mapping

import pandas as pd

from core.errors import BadInput

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


def _majority(labels: pd.DataFrame, items: Items, weights: Weights) -> pd.Series:
    """Take the most frequent level; of several equally frequent ones the lowest."""
    votes = labels.groupby([*items, "level"]).size().rename("votes").reset_index()
    votes = votes.sort_values(["votes", "level"], ascending=[False, True], kind="stable")
    return votes.groupby(items)["level"].first()


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

PREFERENCE = "preference"
"""The order that preferences between two documents make: a version of no labels on one."""

PAIR = "combined"
"""The mean weight of pairs of a snippet level and a page level: a version of both facets."""

Combination = Callable[[pd.DataFrame, Items, Weights], pd.Series]

COMBINATIONS: dict[str, Combination] = {
    "sum": _sum,
    "mean": lambda labels, items, weights: labels.groupby(items)["level"].mean(),
    "median": lambda labels, items, weights: labels.groupby(items)["level"].median(),
    "majority": _majority,
    "minimum": lambda labels, items, weights: labels.groupby(items)["level"].min(),
    "maximum": lambda labels, items, weights: labels.groupby(items)["level"].max(),
    "first": lambda labels, items, weights: labels.groupby(items)["level"].first(),
    ADJUDICATED: _adjudicated,
    "udm": _udm,
}
"""By name: labels in the order they were given, the columns of an item, weights -> its level."""
