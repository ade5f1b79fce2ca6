"""Limits within the range of a measure."""

import numpy as np
import pytest
from scipy import stats

from core.machines.mean_limits import bound_differences, bound_means


def limit(limits, value, error, topics):
    return limits(value, error, topics, np.full(len(value), topics - 1.0))


VALUE, ERROR = np.array([0.02, 0.5, 0.97]), np.array([0.05, 0.04, 0.06])


def test_those_of_means_stay_within_the_range_and_hold_the_mean():
    for topics in (2, 5, 50):
        low, high = limit(bound_means(1), VALUE, ERROR, topics)
        assert (low >= 0).all()
        assert (high <= 1).all()
        assert ((low < VALUE) & (high > VALUE)).all()


def test_they_go_with_the_highest_score():
    ones = limit(bound_means(1), VALUE, ERROR, 7)
    fours = limit(bound_means(4), 4 * VALUE, 4 * ERROR, 7)
    assert np.array(fours) == pytest.approx(4 * np.array(ones))


def test_an_estimate_beyond_the_range_is_held_within_it():
    low, high = limit(bound_means(1), np.array([1.02]), np.array([0.05]), 6)
    assert 0 < low.item() < high.item() <= 1


def test_without_a_highest_score_they_are_students_t():
    low, high = limit(bound_means(np.inf), 10 * VALUE, ERROR, 6)
    wanted = stats.t.interval(0.95, 5, 10 * VALUE, ERROR)
    assert (low, high) == (pytest.approx(wanted[0]), pytest.approx(wanted[1]))


def test_those_of_differences_are_cut_to_the_range():
    low, high = limit(bound_differences(1), np.array([0.9, -0.9]), np.array([0.2, 0.2]), 3)
    assert high[0] == 1
    assert low[1] == -1


def test_differences_that_are_all_alike_have_none():
    low, high = limit(bound_differences(1), np.array([0.1]), np.array([0.0]), 5)
    assert np.isnan([low, high]).all()
