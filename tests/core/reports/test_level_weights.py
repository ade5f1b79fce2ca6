"""Weights of levels, with what their limits follow from."""

import numpy as np
import pandas as pd
import pytest

from core.reports.level_weights import add_weights
from core.reports.user_model import UserModel

WEIGHTS = ["weight", "weight_low", "weight_high"]


def test_the_limits_of_a_weight_are_the_weights_of_the_limits_of_p():
    table = pd.DataFrame(
        {
            "level": [0, 1, 2, 3],
            "p": [0.02, 0.3, 0.5, 0.9],
            "low": [0.01, 0.2, np.nan, 0.8],
            "high": [0.03, 0.4, np.nan, 0.95],
        }
    )
    found = add_weights(table, UserModel(3, users=3, at_least=1)).set_index("level")
    assert found.loc[0, WEIGHTS].tolist() == [0, 0, 0]
    assert found.loc[1, WEIGHTS].tolist() == pytest.approx([0.51, 1 - 0.8**2, 1 - 0.6**2])
    assert found.loc[2, WEIGHTS].isna().tolist() == [False, True, True]
    two = add_weights(table, UserModel(3, users=3, at_least=2)).set_index("level")
    assert two.loc[1, WEIGHTS].tolist() == pytest.approx([0.3**2, 0.2**2, 0.4**2])
    ordered = two.loc[[0, 1, 3], WEIGHTS]
    assert (ordered["weight_low"] <= ordered["weight"]).all()
    assert (ordered["weight"] <= ordered["weight_high"]).all()
