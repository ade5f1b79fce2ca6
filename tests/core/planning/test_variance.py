"""Variances of scores from a pilot: what they equal, their limits, and where there are none."""

from itertools import combinations

import numpy as np
import pytest
from statsmodels.stats.anova import anova_lm

from core.planning.variance import (
    FEW_TOPICS,
    NOTHING,
    estimate_variance,
    given_variance,
    limit_variance,
)
from tests.calibration.score_models import ScoreModel, matrix_of

SCORES = ScoreModel("any", spread=1, uneven=2).draw(15, 4, np.random.default_rng(1))


def test_twice_the_residual_is_the_mean_variance_of_the_differences():
    found = estimate_variance(matrix_of(SCORES))
    differences = [
        np.var(SCORES[:, one] - SCORES[:, other], ddof=1)
        for one, other in combinations(range(4), 2)
    ]
    assert found.differences.value == pytest.approx(np.mean(differences))
    assert found.within.value == pytest.approx(SCORES.var(axis=0, ddof=1).mean())
    assert (found.systems, found.residual.topics) == (4, 15)


def test_they_are_the_mean_squares_of_statsmodels():
    import pandas as pd
    from statsmodels.formula.api import ols

    topics, systems = np.indices(SCORES.shape)
    rows = pd.DataFrame(
        {"score": SCORES.ravel(), "topic": topics.ravel(), "system": systems.ravel()}
    )
    found = estimate_variance(matrix_of(SCORES))
    for formula, own in (("C(system) + C(topic)", found.residual), ("C(system)", found.within)):
        table = anova_lm(ols(f"score ~ {formula}", rows).fit())
        assert own.value == pytest.approx(table.loc["Residual", "mean_sq"])


def test_limits_hold_the_value_and_grow_with_the_square_of_the_unit():
    found = estimate_variance(matrix_of(SCORES)).residual
    larger = estimate_variance(matrix_of(10 * SCORES)).residual
    assert 0 < found.low < found.value < found.high
    assert found.reason == ""
    for name in ("value", "low", "high"):
        assert getattr(larger, name) == pytest.approx(100 * getattr(found, name))
    twice = found.times(2)
    assert (twice.low, twice.high) == (2 * found.low, 2 * found.high)


def test_limits_are_wider_near_an_end_of_the_scale():
    """There most topics score alike, and few make the variance."""
    scores = np.random.default_rng(2).beta(0.5, 4, (12, 3))
    plain = estimate_variance(matrix_of(scores)).residual
    for values in (scores, 1 - scores):
        near = estimate_variance(matrix_of(values), 1.0).residual
        assert near.value == pytest.approx(plain.value)
        assert near.low < plain.low < plain.high < near.high
    middling = estimate_variance(matrix_of(scores + 0.4), 1.0).residual
    assert (middling.low, middling.high) == pytest.approx((plain.low, plain.high))


def test_more_topics_give_narrower_limits():
    rng = np.random.default_rng(3)
    ratios = []
    for topics in (5, 20, 100):
        found = limit_variance(rng.chisquare(3, topics))
        ratios.append(found.high / found.low)
    assert ratios == sorted(ratios, reverse=True)


def test_two_topics_and_scores_that_do_not_vary_have_no_limits():
    two = estimate_variance(matrix_of(SCORES[:2])).residual
    assert np.isnan(two.low)
    assert two.reason == FEW_TOPICS
    alike = estimate_variance(matrix_of(np.full((5, 3), 0.1) + np.arange(3) / 10))
    assert alike.residual.value == 0
    assert alike.residual.reason == NOTHING
    additive = estimate_variance(matrix_of(np.arange(5.0)[:, np.newaxis] + np.zeros(3)))
    assert additive.residual.value == 0
    assert additive.within.value == pytest.approx(2.5)


def test_given_variances_stand_in_for_each_other():
    both = given_variance(within=0.04, differences=0.05)
    assert (both.within.value, both.residual.value, both.differences.value) == (0.04, 0.025, 0.05)
    one = given_variance(within=0.04)
    assert (one.within.value, one.differences.value) == (0.04, 0.08)
    other = given_variance(differences=0.05)
    assert (other.within.value, other.differences.value) == (0.025, 0.05)
    assert np.isnan(other.differences.low)
    assert "given" in other.differences.reason
    assert np.isnan(given_variance().residual.value)
