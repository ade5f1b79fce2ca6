"""Verdicts on the model, by differences written down by hand."""

import pandas as pd
import pytest

from core.disagreement.model_fit import assess_fit, select_predictions
from tests.each import each


def shares(*differences: float, users: int = 3) -> pd.DataFrame:
    """Return shares of levels 0, 1 … that are so far below a prediction of one half."""
    return pd.DataFrame(
        {
            "level": range(len(differences)),
            "users": users,
            "at_least": 1,
            "observed": [0.5 - difference for difference in differences],
            "predicted": 0.5,
        }
    )


@each(
    ("differences", "items", "verdict"),
    [
        ((0.03, -0.02), 50, "well"),
        ((0.03, -0.05), 50, "roughly"),
        ((0.1, -0.1), 50, "not"),
        ((0.0, 0.0), 49, "too few items"),
    ],
)
def test_the_mean_difference_and_the_items_decide(differences, items, verdict):
    fit = assess_fit(shares(*differences), 2, items)
    assert fit.verdict == verdict
    assert fit.difference == pytest.approx(sum(map(abs, differences)) / 2)


def test_the_worst_is_named():
    fit = assess_fit(shares(0.01, -0.04), 2, 100)
    assert fit.worst == pytest.approx(
        {"level": 1, "users": 3, "at_least": 1, "observed": 0.54, "predicted": 0.5}
    )


def test_two_users_test_nothing():
    assert assess_fit(shares(0.1, users=2), 2, 100) is None


def test_the_top_and_all_users_are_no_predictions():
    table = shares(0.1, 0.1, 0.1)
    table.loc[0, "at_least"] = 3
    assert select_predictions(table, 2)["level"].tolist() == [1]
