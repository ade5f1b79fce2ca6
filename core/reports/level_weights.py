"""The weights of levels and of pairs of levels, estimated from some labels."""

import pandas as pd

from core.agreement.ratings import Ratings
from core.disagreement.combined import CombinedRatings, combined_weights
from core.disagreement.user_disagreement import estimate_top_probability, relevance_weights
from core.reports.user_model import UserModel


def weigh_levels(ratings: Ratings, model: UserModel) -> pd.DataFrame:
    """Return the columns of `estimate_top_probability`, and the weights of `add_weights`."""
    return add_weights(estimate_top_probability(ratings, model.top, model.weighting), model)


def add_weights(table: pd.DataFrame, model: UserModel) -> pd.DataFrame:
    """Return chances with ``weight``: the chance that enough users find a level's item top.

    ``weight_low, weight_high`` are its limits: a weight rises with p, so they are the weights of
    p's limits, NaN where p has none.
    """
    of_limits = {"weight": "p", "weight_low": "low", "weight_high": "high"}
    return table.assign(**{name: _weigh(table, p, model) for name, p in of_limits.items()})


def _weigh(table: pd.DataFrame, p: str, model: UserModel) -> "pd.Series[float]":
    """Return the weight of each level if the chances are those of a column."""
    weights = relevance_weights(
        dict(zip(table["level"], table[p], strict=True)),
        model.top,
        users=model.users,
        at_least=model.at_least,
        keep_lowest=model.keep_lowest,
    )
    return table["level"].map(weights)


def weigh_pairs(combined: CombinedRatings, top: tuple[int, int], model: UserModel) -> pd.DataFrame:
    """Return the columns of `combined_weights`: pairs of a snippet level and a page level.

    ``top`` has the top level of snippets and that of pages.
    """
    return combined_weights(
        combined,
        users=model.users,
        at_least=model.at_least,
        top=top,
        weighting=model.weighting,
        keep_lowest=model.keep_lowest,
    )
