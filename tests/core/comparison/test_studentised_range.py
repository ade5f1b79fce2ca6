import numpy as np
import pytest
from scipy.stats import studentized_range, t

from core.comparison.studentised_range import find_range, studentised_range
from tests.each import each

Q = np.array([0.01, 0.3, 1, 2, 3.5, 5])


@each(("groups", "freedom"), [(2, 2), (3, 2), (2, 9), (5, 20), (13, 588), (37, 756)])
def test_against_scipy(groups, freedom):
    ours = studentised_range(Q, groups, freedom)
    np.testing.assert_allclose(ours, studentized_range.sf(Q, groups, freedom), atol=1e-7)


@each("freedom", [1, 2, 3, 10, 100, 5000])
def test_two_means_are_student_s_t(freedom):
    expected = 2 * t.sf(Q / np.sqrt(2), freedom)
    np.testing.assert_allclose(studentised_range(Q, 2, freedom), expected, atol=1e-7)


@each(("groups", "freedom", "q"), [(3, 10, 3.877), (5, 20, 4.232), (10, 60, 4.646), (2, 5, 3.635)])
def test_printed_tables(groups, freedom, q):
    """Upper 5 % points as any textbook's table has them."""
    assert studentised_range(np.array([q]), groups, freedom)[0] == pytest.approx(0.05, abs=5e-5)


def test_the_ends():
    assert studentised_range(np.array([0, np.inf]), 4, 7) == pytest.approx([1, 0], abs=1e-12)


def test_the_tail_is_as_exact_as_the_middle():
    q = np.array([6.0, 8, 10])
    expected = studentized_range.sf(q, 5, 40)
    assert expected[-1] < 1e-6
    np.testing.assert_allclose(studentised_range(q, 5, 40), expected, rtol=1e-4)


def test_many_means():
    """20,000 draws: 500 normal variables, an error with 5 degrees of freedom."""
    rng = np.random.default_rng(1)
    ranges = np.ptp(rng.normal(size=(20_000, 500)), axis=1)
    ranges = ranges / np.sqrt(rng.chisquare(5, size=20_000) / 5)
    for q in (5.0, 7.0, 10.0):
        share = np.mean(ranges > q)
        assert studentised_range(np.array([q]), 500, 5)[0] == pytest.approx(share, abs=0.015)


@each(("groups", "freedom"), [(2, 1), (3, 10), (13, 588), (100, 50)])
def test_critical_values_against_scipy(groups, freedom):
    expected = studentized_range.ppf(0.95, groups, freedom)
    assert find_range(0.05, groups, freedom) == pytest.approx(expected, rel=1e-5)
