"""Predicting levels from clicks: areas by hand, by chance, and beside rank."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from core.clicks.click_log import ClickLog
from core.clicks.label_prediction import RANK, predict_levels
from core.errors import BadInput, TooLittleData


def make(queries: int, seed: int = 0):
    """Return a log of one page a query, six results each; levels; a signal of them."""
    rng = np.random.default_rng(seed)
    item = np.arange(queries * 6, dtype=np.int32).reshape(queries, 6)
    numbers = np.arange(queries)
    none = np.zeros(item.shape, dtype=bool)
    log = ClickLog(
        tuple(map(str, numbers)), tuple(map(str, range(item.size))), numbers, numbers, item, none
    )
    levels = rng.integers(0, 2, item.size).astype(float)
    return log, levels, levels + rng.normal(0, 1, item.size)


def test_areas_are_those_of_mann_and_whitney():
    log, levels, signal = make(30)
    found = predict_levels(log, levels, {"signal": signal}).set_index("predictor")
    areas = []
    for one in log.item:
        own, known = signal[one], levels[one]
        if 0 < known.sum() < 6:
            u = mannwhitneyu(own[known == 1], own[known == 0]).statistic
            areas.append(u / (known.sum() * (6 - known.sum())))
    assert found.loc["signal", "value"] == pytest.approx(np.mean(areas))
    assert found.loc["signal", "units"] == len(areas)


def test_a_signal_adds_to_rank_and_noise_does_not():
    log, levels, signal = make(400)
    noise = np.random.default_rng(5).normal(size=len(levels))
    found = predict_levels(log, levels, {"signal": signal, "noise": noise}).set_index("predictor")
    assert found.index[0] == RANK
    assert found.loc["rank and signal", "difference_low"] > 0.1
    assert found.loc["noise", "low"] < 0.5 < found.loc["noise", "high"] + 0.03
    assert np.isnan(found.loc[RANK, "difference_low"])
    assert found.loc[RANK, "reason"]
    assert (found["low"] < found["value"]).all()
    assert (found["value"] < found["high"]).all()


def test_where_nothing_differs_from_rank_limits_allow_for_what_so_many_topics_hide():
    log, levels, _ = make(30)
    found = predict_levels(log, levels, {"none": np.zeros(len(levels))}).set_index("predictor")
    row = found.loc["rank and none"]
    assert (row["difference"], row["reason"]) == (0, "")
    hidden = row["difference_high"]
    assert row["difference_low"] == -hidden
    assert (1 - hidden) ** row["units"] == pytest.approx(0.05)
    assert found.loc["none", "value"] == 0.5
    assert found.loc["none", "low"] < 0.5 < found.loc["none", "high"]


def test_what_was_never_shown_or_judged_is_left_out():
    log, levels, signal = make(30)
    levels[:6] = np.nan
    hidden = log.item.copy()
    hidden[1, 2:] = -1
    shown = ClickLog(
        log.queries, log.items, log.session, log.query, hidden, log.clicked & (hidden >= 0)
    )
    found = predict_levels(shown, levels, {"signal": signal})
    assert found["units"].max() <= 29


def test_what_cannot_be_told_is_refused():
    log, levels, signal = make(3)
    with pytest.raises(BadInput, match="at least two folds"):
        predict_levels(log, levels, {}, folds=1)
    with pytest.raises(TooLittleData, match="0 queries have results of different levels"):
        predict_levels(log, np.zeros(len(levels)), {"signal": signal})
    one = np.where(log.query_of == 0, levels, 0.0)
    with pytest.raises(TooLittleData, match="1 query has results of different levels"):
        predict_levels(log, one, {"signal": signal})
