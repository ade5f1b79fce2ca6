"""Limits of means: with another part of an unseen unit, and other degrees of freedom."""

import numpy as np
import pytest

from core.agreement.intervals import deviation_interval, mean_interval

VALUE, ERROR, UNITS = np.array([0.2, 0.5]), np.array([0.05, 0.1]), np.array([6.0, 6.0])


def test_with_hardly_a_part_unseen_they_are_those_of_log_odds():
    expected = deviation_interval(VALUE, ERROR, UNITS, 0.0)
    assert np.array(mean_interval(VALUE, ERROR, UNITS, 1e-12)) == pytest.approx(
        np.array(expected), abs=1e-6
    )


def test_a_larger_part_makes_them_wider():
    low, high = mean_interval(VALUE, ERROR, UNITS, 0.005)
    less, more = mean_interval(VALUE, ERROR, UNITS)
    assert (less < low).all()
    assert (more > high).all()


def test_more_degrees_of_freedom_make_them_narrower():
    low, high = mean_interval(VALUE, ERROR, UNITS)
    less, more = mean_interval(VALUE, ERROR, UNITS, freedom=np.full(2, 40.0))
    assert (less > low).all()
    assert (more < high).all()
