"""Scott's π against a published table, statsmodels' Fleiss and a numerical derivative."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.inter_rater import fleiss_kappa

from core.agreement.pairwise import cohen_kappa
from core.agreement.scott import pi_interval, scott_pi
from tests.each import each

# irrCAC 1.0 (Gwet), vignette "overview": two abstractors, 100 records.
ABSTRACTORS = np.array([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
WEIGHTINGS = ["unweighted", "linear", "quadratic", "binary>=1"]
matrices = arrays(np.float64, (3, 3), elements=st.integers(0, 40).map(float))
full = arrays(np.float64, (3, 3), elements=st.integers(1, 40).map(float))


def test_value_and_interval_of_a_published_table():
    assert round(float(scott_pi(ABSTRACTORS)), 7) == 0.7962397
    low, high = pi_interval(ABSTRACTORS)
    assert round(float(high - low) / 2 / 1.959963984540054, 8) == 0.05905473


@given(matrices)
def test_two_raters_are_fleiss_with_two(matrix):
    level, counts = np.eye(3), matrix.astype(int)
    items = [level[i] + level[j] for i, j in np.ndindex(3, 3) for _ in range(counts[i, j])]
    value = float(scott_pi(matrix))
    if not np.isnan(value):
        assert value == pytest.approx(fleiss_kappa(np.array(items)), abs=1e-9)


@given(matrices, st.sampled_from(WEIGHTINGS))
def test_symmetric_margins_make_it_cohens(matrix, weighting):
    symmetric = matrix + matrix.T
    np.testing.assert_allclose(
        scott_pi(symmetric, weighting), cohen_kappa(symmetric, weighting), atol=1e-12
    )


@given(full, st.sampled_from(WEIGHTINGS))
def test_interval_is_that_of_the_numerical_derivative(matrix, weighting):
    total, shares = matrix.sum(), matrix / matrix.sum()
    slopes = np.zeros((3, 3))
    for cell in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[cell] = 1e-6
        ends = [scott_pi(shares + sign * step, weighting) for sign in (1, -1)]
        slopes[cell] = (ends[0] - ends[1]) / 2e-6
    variance = (shares * slopes**2).sum() - (shares * slopes).sum() ** 2
    low, high = pi_interval(matrix, weighting)
    half = 1.959963984540054 * np.sqrt(max(variance, 0) / total)
    assert float(high - low) / 2 == pytest.approx(half, abs=1e-5)
    assert float(high + low) / 2 == pytest.approx(float(scott_pi(matrix, weighting)), abs=1e-12)


@each("matrix", [np.zeros((3, 3)), np.diag([7, 0, 0]), np.array([[7]])])
def test_one_level_or_no_items_have_no_pi(matrix):
    assert np.isnan(scott_pi(matrix))
    assert np.isnan(pi_interval(matrix)).all()
