"""What pages about agreement answer."""

import numpy as np
import pandas as pd
import pytest

from core.analysis.agreement.answers import answer_agreement, answer_preferences, answer_weights
from core.analysis.base.user_model import UserModel

LEVELS = {0: "No", 1: "Maybe", 2: "Sure"}


def overall(**changes: object) -> "pd.Series[object]":
    known = {"value": 0.4, "low": 0.3, "high": 0.5, "units": 7, "n": 1200, "reason": ""}
    return pd.Series({**known, **changes})


def pairs(*rows: tuple[str, str, int, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["first", "second", "n", "linear"])


FOUND = pairs(
    ("a", "b", 30, 0.1), ("a", "c*", 20, 0.9), ("b", "c*", 9, -0.5), ("b", "d", 40, np.nan)
)


@pytest.mark.parametrize(
    ("row", "found", "answer"),
    [
        (
            overall(),
            FOUND,
            "Linear weighted κ is **0.400** [0.300, 0.500] over 7 topics and 1,200 common items. "
            r"Of 2 pairs, the lowest has 0.100 (a and b), the highest 0.900 (a and c\*).",
        ),
        (
            overall(),
            FOUND.head(1),
            "Linear weighted κ is **0.400** [0.300, 0.500] over 7 topics and 1,200 common items.",
        ),
        (
            overall(low=np.nan, high=np.nan, units=1, reason="one topic"),
            FOUND.head(1),
            "Linear weighted κ is **0.400** (no interval: one topic) over 1 topic and 1,200 common "
            "items.",
        ),
        (
            overall(value=np.nan, reason="one level only"),
            FOUND,
            "Linear weighted κ is not defined: one level only.",
        ),
    ],
)
def test_agreement_is_told_with_its_limits_and_its_ends(row, found, answer):
    assert answer_agreement(row, found) == answer


def weights(*values: float, few: bool = False) -> pd.DataFrame:
    return pd.DataFrame(
        {"level": [0, 1, 2], "name": list(LEVELS.values()), "weight": values, "few": few}
    )


def test_the_level_below_the_top_is_told_with_its_weight():
    said = answer_weights(weights(0, 0.25, 1), UserModel(2), "page", LEVELS)
    assert said == (
        "A page that one assessor calls **Maybe** would be called **Sure** by at least 1 of 3 "
        "users with probability **0.250**, that assessor being one of them."
    )
    assert "(few cases: a rough indication)" in answer_weights(
        weights(0, 0.25, 1, few=True), UserModel(2), "page", LEVELS
    )


def test_weights_that_are_not_known_have_no_answer():
    assert answer_weights(weights(0, np.nan, 1), UserModel(2), "page", LEVELS) == ""
    assert answer_weights(weights(0.1, 0.2, 1), UserModel(1), "page", LEVELS) == ""


def outcomes(*p: float) -> pd.DataFrame:
    rows = [("a", "b_", 2, 9, p[0])] + [("a", "c", 1, 1, other) for other in p[1:]]
    return pd.DataFrame(rows, columns=["first", "second", "won", "lost", "p"])


def test_of_preferences_the_clearest_is_named():
    begun = "(exact sign test, p < 0.05, not corrected for the number of pairs)"
    assert answer_preferences(outcomes(0.01, 1.0), "systems") == (
        f"Of 2 pairs of systems, **1** has a clear winner {begun}; the clearest: **b\\_** over a, "
        "9 to 2."
    )
    assert answer_preferences(outcomes(0.2), "documents") == (
        f"Of 1 pair of documents, **0** have a clear winner {begun}."
    )
