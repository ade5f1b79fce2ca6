"""Preferences beside levels and weights."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import t

from core.agreement.intervals import share_interval
from core.errors import BadInput, TooLittleData
from core.preference.levels import (
    ALWAYS,
    NONE_HERE,
    ONE_TOPIC,
    SAME,
    gain_differences,
    preference_by_difference,
    preference_slope,
)
from tests.core.preference.simulated import preferences
from tests.each import each
from tests.short import long


def gains(**given):
    rows = [("1", item, gain) for item, gain in given.items()]
    return pd.DataFrame(rows, columns=["topic_id", "item", "gain"])


LEVELS = gains(a=0, b=1, c=3, d=3)


def test_by_hand():
    frame = preferences(
        ("1", "a", "b", "second", "x"),
        ("1", "a", "b", "first", "y"),
        ("1", "a", "c", "second", "x"),
        ("1", "c", "d", "tie", "x"),
        ("1", "c", "d", "first", "y"),
        ("1", "b", "c", "tie", "x"),
        ("1", "a", "unknown", "first", "x"),
        ("2", "a", "b", "first", "x"),
    )
    table = preference_by_difference(gain_differences(frame, LEVELS))
    columns = ["over", "up_to", "n", "higher", "lower", "ties"]
    assert table[columns].values.tolist() == [
        [0, 0, 2, 0, 0, 1],
        [1, 1, 2, 1, 1, 0],
        [2, 2, 1, 0, 0, 1],
        [3, 3, 1, 1, 0, 0],
    ]
    assert table["share"][1:].tolist() == [0.5, 0.5, 1.0]
    assert np.isnan(table["share"][0])
    assert table["reason"].tolist() == ["no difference: neither is higher", *[ONE_TOPIC] * 3]
    assert table["units"].tolist() == [0, 1, 1, 1]


def test_limits_of_shares_are_over_topics():
    every = pd.concat([LEVELS.assign(topic_id=topic) for topic in "123"])
    frame = preferences(
        ("1", "a", "b", "second", "x"),
        *(("2", "a", "b", choice, who) for who, choice in (("x", "second"), ("y", "first"))),
        ("3", "a", "b", "second", "x"),
    )
    row = preference_by_difference(gain_differences(frame, every)).iloc[1]
    low, high, topics = share_interval(np.array([[1.0], [1], [1]]), np.array([[1.0], [2], [1]]))
    assert (row["low"], row["high"], row["units"]) == (low[0], high[0], topics[0])
    # Without topic 2 all choose the higher one: it alone speaks against 1.
    assert 0 < row["low"] < row["share"] == 0.75 < row["high"] == 1


def test_classes_of_weights():
    weights = gains(a=0.0, b=0.1, c=0.35, d=0.45)
    frame = preferences(
        ("1", "a", "b", "second"),
        ("1", "b", "d", "second"),
        ("1", "c", "d", "first"),
        ("1", "a", "d", "second"),
    )
    differences = gain_differences(frame, weights)
    table = preference_by_difference(differences, (0, 0.1, 0.2, 0.5))
    assert table[["over", "up_to", "n", "higher"]].values.tolist() == [
        [0, 0, 0, 0],
        [0, 0.1, 2, 1],
        [0.1, 0.2, 0, 0],
        [0.2, 0.5, 2, 2],
    ]
    assert table["reason"][2] == NONE_HERE
    for edges in ((0,), (0.1, 0.2), (0, 0.2, 0.2), (0, 0.4)):
        with pytest.raises(BadInput, match="edge"):
            preference_by_difference(differences, edges)


def test_without_equal_pairs_their_row_is_empty():
    table = preference_by_difference(
        gain_differences(preferences(("1", "a", "b", "first")), LEVELS)
    )
    assert table[["over", "n", "lower"]].values.tolist() == [[0, 0, 0], [1, 1, 1]]


def simulated(slope, n, rng, topics=30):
    x = rng.integers(-3, 4, size=n) / 10
    y = (rng.random(n) < 1 / (1 + np.exp(-slope * x))).astype(float)
    y[rng.random(n) < 0.2] = 0.5
    names = [f"t{at % topics:02}" for at in range(n)]
    return pd.DataFrame({"topic_id": names, "difference": x, "chosen": y})


@each("slope", [-2.0, 0.0, 6.0])
def test_the_slope_is_that_of_a_logistic_regression(slope):
    frame = simulated(slope, 300, np.random.default_rng(3))
    found, low, high, reason = preference_slope(frame)
    fit = sm.GLM(frame["chosen"], frame["difference"], family=sm.families.Binomial()).fit(tol=1e-12)
    assert found == pytest.approx(fit.params.iloc[0], abs=1e-6)
    chance = fit.fittedvalues
    parts = (
        frame.assign(
            score=frame["difference"] * (frame["chosen"] - chance),
            own=frame["difference"] ** 2 * chance * (1 - chance),
        )
        .groupby("topic_id")[["score", "own"]]
        .sum()
    )
    moves = parts["score"] / (parts["own"].sum() - parts["own"])
    error = np.sqrt(29 / 30 * (moves**2).sum())
    assert (high - low) / 2 == pytest.approx(t.ppf(0.975, 29) * error, rel=1e-5)
    assert reason == ""


def test_the_slope_of_one_topic_has_no_limits():
    found, low, high, reason = preference_slope(simulated(2.0, 300, np.random.default_rng(1), 1))
    assert found > 0
    assert np.isnan([low, high]).all()
    assert reason == ONE_TOPIC


@long
def test_the_slope_is_found_where_worth_predicts_and_not_where_it_does_not():
    """Limits leave out 0 in 95 or more of 100 simulations of slope 6, in 10 or fewer of 0."""
    found = {
        slope: sum(
            not low < 0 < high
            for _, low, high, _ in (
                preference_slope(simulated(slope, 300, np.random.default_rng(seed)))
                for seed in range(100)
            )
        )
        for slope in (0.0, 6.0)
    }
    assert found[0.0] <= 10
    assert found[6.0] >= 95


def test_a_slope_without_bound_or_meaning_says_so():
    frame = gain_differences(preferences(("1", "a", "b", "second"), ("1", "c", "d", "tie")), LEVELS)
    assert preference_slope(frame)[3] == ALWAYS
    assert preference_slope(frame[frame["difference"] == 0])[3] == "no pair has a difference"
    against = gain_differences(preferences(("1", "a", "b", "first")), LEVELS)
    assert preference_slope(against)[3] == ALWAYS


def test_worths_that_do_not_fit_are_refused():
    frame = preferences(("1", "a", "b", "first"))
    with pytest.raises(BadInput, match="two values in one topic"):
        gain_differences(frame, pd.concat([LEVELS, LEVELS]))
    with pytest.raises(TooLittleData, match="no preference is between two items with a level"):
        gain_differences(frame, gains(a=1, b=np.nan))


@each("choices", [("tie", "tie"), ("first", "second")])
def test_topics_of_the_same_slope_give_no_limits(choices):
    rows = [(str(topic), "a", "b", one, one) for topic in range(5) for one in choices]
    named = preferences(*[(*row[:4], f"x{at % 2}") for at, row in enumerate(rows)])
    known = pd.concat([gains(a=0, b=1).assign(topic_id=str(topic)) for topic in range(5)])
    slope, low, high, reason = preference_slope(gain_differences(named, known))
    assert slope == pytest.approx(0)
    assert np.isnan([low, high]).all()
    assert reason == SAME
