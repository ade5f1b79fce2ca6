"""What pages about agreement answer."""

import numpy as np
import pandas as pd

from core.analysis.agreement.answers import answer_weights
from core.reports.user_model import UserModel

LEVELS = {0: "No", 1: "Maybe", 2: "Sure"}


def weights(*values: float, **changes: object) -> pd.DataFrame:
    table = pd.DataFrame({"level": [0, 1, 2], "name": list(LEVELS.values()), "weight": values})
    known = {"weight_low": 0.1, "weight_high": 0.4, "few": False, "reason": ""}
    return table.assign(**{**known, **changes})


def test_the_level_below_the_top_is_told_with_its_weight():
    said = answer_weights(weights(0, 0.25, 1), UserModel(2), "page", LEVELS)
    assert said == (
        "A page that one assessor calls **Maybe** would be called **Sure** by at least 1 of 3 "
        "users with probability **0.250** (95 % interval over topics [0.100, 0.400]), that "
        "assessor being one of them."
    )


def test_a_weight_of_few_cases_or_without_limits_says_so():
    said = answer_weights(weights(0, 0.25, 1, few=True), UserModel(2), "page", LEVELS)
    assert "[0.100, 0.400]; few cases: a rough indication), that" in said
    alone = weights(0, 0.25, 1, weight_low=np.nan, weight_high=np.nan, reason="one topic")
    said = answer_weights(alone, UserModel(2), "page", LEVELS)
    assert "**0.250** (no interval: one topic), that" in said


def test_weights_that_are_not_known_have_no_answer():
    assert answer_weights(weights(0, np.nan, 1), UserModel(2), "page", LEVELS) == ""
    assert answer_weights(weights(0.1, 0.2, 1), UserModel(1), "page", LEVELS) == ""
