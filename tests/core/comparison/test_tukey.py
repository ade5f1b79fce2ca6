from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import studentized_range
from statsmodels.stats.anova import anova_lm

from core.comparison.difference_tests import compare_systems
from core.comparison.tukey import residual_deviation
from tests.core.comparison.matrices import matrix_of, scattered
from tests.each import each
from tests.short import long


def every_range(values: np.ndarray) -> np.ndarray:
    """Return the largest difference of means under every arrangement of every topic's scores."""
    topics = [list(permutations(row)) for row in values]
    return np.array([np.ptp(np.mean(chosen, axis=0)) for chosen in product(*topics)])


@each(
    "values",
    [
        [[0.9, 0.1, 0.3], [0.8, 0.5, 0.2], [0.7, 0.6, 0.4], [0.5, 0.4, 0.1]],
        [[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.5, 0.5, 0.5]],
        [[0.9, 0.1], [0.8, 0.5], [0.4, 0.6], [0.7, 0.7], [0.5, 0.3], [0.6, 0.2]],
    ],
)
def test_against_every_arrangement(values):
    """The exact test by enumeration; the sampled p is within four standard errors of it."""
    matrix, samples = matrix_of(values), 40_000
    pairs = compare_systems(matrix, "tukey", samples=samples, rng=np.random.default_rng(1))
    ranges = every_range(matrix.values)
    exact = np.array([np.mean(ranges >= abs(d) - 1e-12) for d in pairs["difference"]])
    error = np.sqrt(exact * (1 - exact) / samples)
    assert (np.abs(pairs["p"] - exact) <= 4 * error + 2 / samples).all()


def test_two_systems_are_the_paired_randomisation_test():
    """Both against all 2^10 exchanges, which they have in common."""
    matrix, samples = scattered(10, 2, seed=4), 40_000
    difference = matrix.values[:, 0] - matrix.values[:, 1]
    signs = np.array(list(product((-1, 1), repeat=10)))
    exact = np.mean(np.abs(signs @ difference) >= abs(difference.sum()) - 1e-11)
    error = np.sqrt(exact * (1 - exact) / samples)
    assert 0.001 < exact < 0.5
    for test in ("tukey", "randomisation"):
        pairs = compare_systems(matrix, test, samples=samples, rng=np.random.default_rng(2))
        assert pairs["p"][0] == pytest.approx(exact, abs=4 * error)


def test_p_counts_the_observed_scores_too():
    """One topic with all the difference: every arrangement is as extreme, whatever is drawn."""
    pairs = compare_systems(matrix_of([[1, 0], [0, 0]]), samples=7, rng=np.random.default_rng(0))
    assert pairs["p"].tolist() == [1.0]
    clear = compare_systems(matrix_of([[1, 0]] * 40), samples=7, rng=np.random.default_rng(0))
    assert clear["p"].tolist() == [1 / 8]


tables = st.integers(2, 5).flatmap(
    lambda systems: st.lists(
        st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=systems, max_size=systems),
        min_size=2,
        max_size=6,
    )
)


@given(tables, st.integers(0, 100))
def test_laws(values, seed):
    matrix = matrix_of(values)

    def p(changed) -> np.ndarray:
        given = matrix_of(changed)
        pairs = compare_systems(given, "tukey", samples=99, rng=np.random.default_rng(seed))
        return pairs["p"].to_numpy()

    plain = p(matrix.values)
    assert ((plain > 0) & (plain <= 1)).all()
    shifts = np.arange(len(values))[:, np.newaxis] * 0.7
    np.testing.assert_array_equal(p(matrix.values + shifts), plain)
    np.testing.assert_array_equal(p(-matrix.values), plain)
    np.testing.assert_array_equal(p(matrix.values * 1000), plain)
    apart = np.abs(matrix.pairs()["difference"].to_numpy())
    assert (np.diff(plain[np.argsort(apart)]) <= 1e-12).all()


def test_a_larger_difference_never_has_a_larger_p(dl19):
    pairs = compare_systems(dl19, "tukey", rng=np.random.default_rng(5))
    ordered = pairs.sort_values("difference", ascending=False)
    assert (np.diff(ordered["p"]) >= 0).all()


def two_way(values: np.ndarray) -> tuple[float, float]:
    """Return the residual mean square and its degrees of freedom, by statsmodels."""
    table = pd.DataFrame(values).rename_axis(index="topic", columns="system")
    rows = table.stack().rename("score").reset_index()
    anova = anova_lm(smf.ols("score ~ C(topic) + C(system)", rows).fit())
    return float(anova["mean_sq"]["Residual"]), float(anova["df"]["Residual"])


@each(("topics", "systems"), [(8, 2), (12, 4), (30, 7)])
def test_parametric_against_statsmodels_and_scipy(topics, systems):
    matrix = scattered(topics, systems, seed=topics)
    pairs = compare_systems(matrix, "parametric")
    square, freedom = two_way(matrix.values)
    assert residual_deviation(matrix.values) == pytest.approx(np.sqrt(square), rel=1e-12)
    q = np.abs(pairs["difference"]) / np.sqrt(square / topics)
    np.testing.assert_allclose(pairs["p"], studentized_range.sf(q, systems, freedom), atol=1e-7)
    np.testing.assert_allclose(pairs["effect_size"], pairs["difference"] / np.sqrt(square))


def test_effect_sizes_are_the_same_for_both_forms():
    matrix = scattered(9, 4, seed=8)
    randomised = compare_systems(matrix, "tukey", samples=9)
    np.testing.assert_array_equal(
        randomised["effect_size"], compare_systems(matrix, "parametric")["effect_size"]
    )


@each("test", ["tukey", "parametric"])
def test_equal_scores(test):
    pairs = compare_systems(matrix_of([[0.3] * 3, [0.7] * 3, [0.1] * 3]), test)
    assert pairs["p"].tolist() == [1.0] * 3
    assert pairs["effect_size"].isna().all()
    assert pairs["reason"].str.contains("the same amount on every topic").all()


def test_nothing_but_a_constant_difference():
    """Without residuals theory is certain; permutations are not."""
    values = [[0.5, 0.5, 0.4], [0.6, 0.6, 0.5], [0.3, 0.3, 0.2]]
    pairs = compare_systems(matrix_of(values), "parametric")
    assert pairs["p"].tolist() == [1.0, np.finfo(np.float64).tiny, np.finfo(np.float64).tiny]
    assert pairs["effect_size"].isna().all()
    randomised = compare_systems(matrix_of(values), "tukey", samples=999)
    assert randomised["p"].min() > 0.1


@long
def test_false_alarms_stay_at_the_level():
    """400 sets of five equal systems: some pair is significant in about one of twenty."""
    alarms = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        values = rng.random((15, 1)) + rng.normal(0, 0.1, size=(15, 5))
        alarms += compare_systems(matrix_of(values), samples=199, rng=rng)["p"].min() < 0.05
    assert 6 <= alarms <= 36
