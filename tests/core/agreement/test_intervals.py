import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from core.agreement.intervals import (
    Z95,
    divide,
    draw_topics,
    exact_interval,
    percentile_interval,
    wilson_interval,
)


def test_z_is_the_normal_quantile():
    assert pytest.approx(1.959963984540054, abs=1e-15) == Z95


def test_division_by_nothing_is_undefined():
    quotient = divide(np.array([1.0, 1.0, 0.0]), np.array([2.0, 0.0, 0.0]))
    np.testing.assert_array_equal(quotient, [0.5, np.nan, np.nan])


@pytest.mark.parametrize(
    ("interval", "method"), [(wilson_interval, "wilson"), (exact_interval, "beta")]
)
@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_limits_of_a_proportion_equal_statsmodels(interval, method, counts):
    successes, trials = counts
    found = interval(np.float64(successes), np.float64(trials))
    oracle = proportion_confint(successes, trials, method=method)
    assert np.ravel(found) == pytest.approx(np.ravel(oracle), abs=1e-12)


def test_drawn_topics_are_counts_of_the_same_draws():
    counts = draw_topics(7, 40, np.random.default_rng(3))
    drawn = np.random.default_rng(3).integers(7, size=(40, 7))
    for row, draws in zip(counts, drawn, strict=True):
        assert row.tolist() == [list(draws).count(topic) for topic in range(7)]


def test_percentiles_equal_numpys_and_leave_out_what_is_undefined():
    rng = np.random.default_rng(5)
    values = rng.normal(size=(2, 3, 101))
    values[rng.random(values.shape) < 0.2] = np.nan
    values[1, 2] = np.nan
    low, high = percentile_interval(values)
    for at in np.ndindex(2, 3):
        defined = values[at][~np.isnan(values[at])]
        expected = np.quantile(defined, [0.025, 0.975]) if defined.size else [np.nan, np.nan]
        np.testing.assert_allclose([low[at], high[at]], expected, rtol=1e-12)
