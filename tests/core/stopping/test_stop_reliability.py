"""What the study of stops says is a table of shares, each within its limits, of all stops."""

import numpy as np

from core.agreement.intervals import wilson_interval
from core.stopping.stop_rule import STOPS, studied_reliability


def test_the_study_has_every_stop_once_and_wilsons_limits():
    table = studied_reliability()
    assert table["stops"].sum() == STOPS
    assert table["predicted"].is_monotonic_increasing
    came_true = (table["observed"] * table["stops"]).to_numpy()
    assert np.abs(came_true - came_true.round()).max() < 0.02
    limits = wilson_interval(came_true.round(), table["stops"].to_numpy(float))
    for column, expected in zip(("low", "high"), limits, strict=True):
        assert np.abs(table[column].to_numpy() - expected).max() < 0.002
