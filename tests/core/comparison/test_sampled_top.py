"""Coefficients of the top, of many samples at once."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from core.comparison.sampled_top import correlate_best, correlate_weighted
from core.comparison.tau_limits import SystemRanking, observe, sample_tau
from core.comparison.top_weighted import tau_ap
from tests.core.comparison.matrices import matrix_of, scattered
from tests.each import each


@each("levels", [4, 1_000_000])
def test_the_weighted_one_is_that_of_each_sample_alone(levels: int):
    """With few different scores many systems tie, in the truth as well."""
    first, second = np.random.default_rng(1).integers(0, levels, size=(2, 100, 7)) / levels
    expected = [tau_ap(*row) for row in zip(first, second, strict=True)]
    np.testing.assert_allclose(correlate_weighted(first, second), expected, atol=1e-9)


def test_one_system_has_no_order():
    assert np.isnan(correlate_weighted(np.ones((3, 1)), np.ones((3, 1)))).all()


def test_each_sample_has_its_own_best_systems():
    first, second = np.random.default_rng(2).random((2, 50, 9))
    found = correlate_best(first, second, 4)
    for value, one, other in zip(found, first, second, strict=True):
        best = np.argsort(-one)[:4]
        assert value == pytest.approx(kendalltau(one[best], other[best]).statistic)


def test_limits_hold_the_coefficient_that_is_asked_for():
    first, second = SystemRanking(scattered(12, 8, 1)), SystemRanking(scattered(12, 8, 2))
    value = observe(first, second, correlate_weighted)
    limits = sample_tau(
        first, second, "topic", np.random.default_rng(1), coefficient=correlate_weighted
    )
    assert value == pytest.approx(
        tau_ap(first.scores.values.mean(axis=0), second.scores.values.mean(axis=0))
    )
    assert limits.low < value < limits.high


def test_fewer_systems_compared_widen_the_limits():
    values = scattered(12, 8, 1).values
    same = SystemRanking(matrix_of(values))
    all_of_them, three = (
        sample_tau(same, same, "topic", np.random.default_rng(1), compared=compared)
        for compared in (None, 3)
    )
    assert three.low < all_of_them.low
