"""Posterior probabilities against draws from the posterior, and against Student's t by scipy."""

import numpy as np
import pytest
from scipy.stats import ttest_rel

from core.comparison.bayes import compare_posterior
from core.errors import BadInput
from tests.core.comparison.matrices import matrix_of, scattered
from tests.each import each


def test_against_draws_of_variance_and_mean():
    matrix, rng, draws = scattered(15, 3, seed=1), np.random.default_rng(0), 200_000
    columns = dict(zip(matrix.systems, matrix.values.T, strict=True))
    for row in compare_posterior(matrix, 0.02).itertuples():
        apart = columns[row.first] - columns[row.second]
        squares = ((apart - apart.mean()) ** 2).sum()
        variance = squares / rng.chisquare(14, draws)
        mean = rng.normal(apart.mean(), np.sqrt(variance / 15))
        assert row.first_better == pytest.approx((mean > 0.02).mean(), abs=0.006)
        assert row.second_better == pytest.approx((mean < -0.02).mean(), abs=0.006)
        assert row.equal == pytest.approx((np.abs(mean) <= 0.02).mean(), abs=0.006)
        assert (row.low, row.high) == pytest.approx(np.quantile(mean, [0.025, 0.975]), abs=2e-3)


def test_without_a_region_it_is_half_of_p():
    matrix = scattered(10, 2, seed=2)
    (row,) = compare_posterior(matrix, 0).itertuples()
    p = ttest_rel(*matrix.values.T).pvalue
    assert min(row.first_better, row.second_better) == pytest.approx(p / 2)
    assert row.equal == pytest.approx(0, abs=1e-12)


def test_the_same_difference_everywhere_leaves_no_doubt():
    found = compare_posterior(matrix_of([[0.5, 0.4, 0.4], [0.7, 0.6, 0.6]]), 0.01)
    assert found["first_better"].tolist() == [1, 1, 0]
    assert found["equal"].tolist() == [0, 0, 1]
    assert found["low"].isna().all()
    assert (found["reason"] != "").all()
    assert compare_posterior(matrix_of([[0.5, 0.4], [0.7, 0.6]]), 0.2)["equal"].tolist() == [1]


@each("rope", [-0.1, float("nan")])
def test_a_width_is_at_least_0(rope):
    with pytest.raises(BadInput, match="at least 0"):
        compare_posterior(scattered(5, 2, seed=1), rope)
