from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import permutation_test, skew, ttest_rel
from statsmodels.stats.multitest import multipletests

from core.agreement.corrections import correct
from core.comparison.choices import CORRECTIONS
from core.comparison.difference_tests import compare_systems
from core.comparison.paired import SKEWED, are_skewed
from tests.core.comparison.matrices import matrix_of, scattered
from tests.each import each


def test_t_against_scipy():
    matrix = scattered(12, 5, seed=1)
    pairs = compare_systems(matrix, "t", correction="none")
    columns = dict(zip(matrix.systems, matrix.values.T, strict=True))
    for row in pairs.itertuples():
        first, second = columns[row.first], columns[row.second]
        assert row.p == pytest.approx(ttest_rel(first, second).pvalue, rel=1e-10)
        spread = np.std(first - second, ddof=1)
        assert row.effect_size == pytest.approx(np.mean(first - second) / spread)


@each("seed", range(3))
def test_randomisation_against_every_exchange(seed):
    """2^8 exchanges a pair; the sampled p is within four standard errors."""
    matrix, samples = scattered(8, 4, seed), 40_000
    pairs = compare_systems(matrix, "randomisation", correction="none", samples=samples)
    signs = np.array(list(product((-1, 1), repeat=8)))
    first, second = np.triu_indices(4, k=1)
    apart = matrix.values[:, first] - matrix.values[:, second]
    exact = np.mean(np.abs(signs @ apart) >= np.abs(apart.sum(axis=0)) - 1e-11, axis=0)
    error = np.sqrt(exact * (1 - exact) / samples)
    assert (np.abs(pairs["p"] - exact) <= 4 * error + 2 / samples).all()


def test_randomisation_against_scipy():
    first, second = scattered(11, 2, seed=3).values.T
    theirs = permutation_test(
        (first, second),
        lambda one, other: np.mean(one - other),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    ours = compare_systems(matrix_of(np.stack([first, second], axis=1)), "randomisation")
    assert ours["p"][0] == pytest.approx(theirs.pvalue, abs=0.02)
    assert theirs.pvalue < 0.9


def test_bootstrap_against_a_plain_loop():
    """t of drawn differences whose mean is moved to 0, draw by draw."""
    matrix, samples = scattered(9, 3, seed=5), 20_000
    pairs = compare_systems(matrix, "bootstrap", correction="none", samples=samples)
    rng = np.random.default_rng(9)
    columns = dict(zip(matrix.systems, matrix.values.T, strict=True))
    for row in pairs.itertuples():
        apart = columns[row.first] - columns[row.second]
        t = abs(apart.mean() / apart.std(ddof=1))
        drawn = rng.choice(apart - apart.mean(), size=(4_000, 9))
        reached = np.abs(drawn.mean(axis=1)) >= t * drawn.std(axis=1, ddof=1)
        error = np.sqrt(row.p * (1 - row.p) / 4_000)
        assert row.p == pytest.approx(reached.mean(), abs=4 * error + 1e-3)


def test_bootstrap_of_systems_that_differ_by_the_same_everywhere():
    values = [[0.5, 0.4, 0.4], [0.3, 0.2, 0.2], [0.9, 0.8, 0.8], [0.4, 0.3, 0.3]]
    pairs = compare_systems(matrix_of(values), "bootstrap", samples=999)
    assert pairs["p"].iloc[0] < 0.01
    assert pairs["p"].iloc[2] == 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_corrections_against_statsmodels(values):
    p = np.array(values)
    for correction in ("holm", "bonferroni"):
        expected = multipletests(p, method=correction)[1]
        np.testing.assert_allclose(correct(p, correction), expected, rtol=1e-12, atol=0)
    assert correct(p, "none") is p


@each("test", ["t", "randomisation", "bootstrap"])
def test_a_correction_never_lowers_p(test):
    matrix = scattered(10, 6, seed=7)
    p = {one: compare_systems(matrix, test, correction=one)["p"] for one in CORRECTIONS}
    assert (p["none"] <= p["holm"]).all()
    assert (p["holm"] <= p["bonferroni"]).all()
    assert (p["holm"] > p["none"]).any()


@each("test", ["max-t", "tukey"])
def test_others_take_no_correction(test):
    matrix = scattered(6, 3, seed=2)
    p = [
        compare_systems(matrix, test, samples=99, correction=one)["p"].tolist()
        for one in CORRECTIONS
    ]
    assert p[0] == p[1] == p[2]


tables = st.lists(
    st.lists(st.integers(0, 10).map(lambda n: n / 10), min_size=3, max_size=3),
    min_size=2,
    max_size=8,
)


@given(tables)
def test_laws(values):
    for test in ("t", "randomisation", "bootstrap"):
        pairs = compare_systems(matrix_of(values), test, correction="none", samples=99)
        assert pairs["p"].between(0, 1, inclusive="right").all()
        assert (pairs["low"].isna() == (pairs["reason"] != "")).all()
        assert (pairs["reason"][pairs["effect_size"].isna()] != "").all()
        assert (pairs["p"][pairs["difference"].abs() < 1e-12] > 1 - 1e-9).all()
        shifted = np.array(values) + np.arange(len(values))[:, np.newaxis] * 0.3
        again = compare_systems(matrix_of(shifted), test, correction="none", samples=99)
        np.testing.assert_allclose(again["p"], pairs["p"], rtol=1e-6, atol=1e-300)


def test_skewness_against_scipy():
    rng = np.random.default_rng(4)
    values = np.stack([rng.normal(size=30), rng.exponential(size=30) ** 2, np.zeros(30)], axis=1)
    first, second = np.triu_indices(3, k=1)
    expected = np.abs(skew(values[:, first] - values[:, second])) > SKEWED
    assert are_skewed(values).tolist() == expected.tolist() == [True, False, True]
    assert not are_skewed(np.ones((9, 2))).any()


def test_symmetric_differences_are_rarely_called_skewed():
    """Of Laplace's distribution one sample in twenty is, of a normal one hardly any."""
    rng = np.random.default_rng(6)
    for topics in (10, 21, 50):
        heavy, light = (
            np.mean([are_skewed(np.stack([draw(topics), np.zeros(topics)], axis=1))[0]
                     for _ in range(2_000)])
            for draw in (lambda n: rng.laplace(size=n), lambda n: rng.normal(size=n))
        )  # fmt: skip
        assert 0.02 < heavy < 0.065
        assert light < 0.01


def test_systems_that_differ_by_the_same_everywhere():
    values = [[0.5, 0.4, 0.4], [0.3, 0.2, 0.2], [0.9, 0.8, 0.8]]
    pairs = compare_systems(matrix_of(values), "t")
    tiny = np.finfo(np.float64).tiny
    assert pairs["p"].tolist() == [tiny, tiny, 1.0]
    assert pairs["effect_size"].isna().all()
    assert pairs["reason"].str.contains("differ by the same amount on every topic").all()
    sampled = compare_systems(matrix_of(values), "randomisation", samples=999)
    assert sampled["p"][2] == 1
