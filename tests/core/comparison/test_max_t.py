"""The max-t test against a plain loop over exchanges, with step-down worked pair by pair."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from core.comparison.difference_tests import compare_systems
from core.comparison.max_t import PRIOR
from core.comparison.permutation import exchanges, run_exchanges
from tests.core.comparison.matrices import matrix_of, scattered
from tests.each import each
from tests.short import long


def plain(values: np.ndarray, *, one_step: bool = False) -> list[float]:
    """Return the adjusted p of every pair from all exchanges, by Student's t of each."""
    topics, systems = values.shape
    pairs = [(a, b) for a in range(systems) for b in range(a + 1, systems)]
    apart = np.array([values[:, a] - values[:, b] for a, b in pairs])
    observed = np.abs(ttest_1samp(apart, 0, axis=1).statistic)
    order = np.argsort(-observed)
    reached = np.zeros(len(pairs))
    every = list(product((-1, 1), repeat=topics))
    for signs in every:
        t = np.abs(ttest_1samp(apart * np.array(signs), 0, axis=1).statistic)
        for position, pair in enumerate(order):
            largest = (t if one_step else t[order[position:]]).max()
            reached[pair] += largest >= observed[pair] * (1 - 1e-9)
    p = reached / len(every)
    adjusted, highest = np.empty(len(pairs)), 0.0
    for pair in order:
        highest = max(highest, p[pair])
        adjusted[pair] = highest
    return list(adjusted)


@each(("topics", "systems", "seed"), [(7, 3, 1), (6, 4, 2), (8, 2, 3)])
def test_every_exchange_against_a_plain_loop(topics, systems, seed):
    matrix = scattered(topics, systems, seed)
    for test, one_step in (("max-t", False), ("single-step", True)):
        found = compare_systems(matrix, test)["p"]
        expected = plain(matrix.values, one_step=one_step)
        assert found.tolist() == pytest.approx(expected, abs=1e-12)


@long
def test_drawn_exchanges_come_near_all_of_them():
    matrix, samples = scattered(9, 4, seed=4), 40_000
    exact = np.array(plain(matrix.values))
    found = compare_systems(matrix, "max-t", samples=200, rng=np.random.default_rng(1))["p"]
    error = np.sqrt(exact * (1 - exact) / 200)
    assert (np.abs(found - exact) <= 4 * error + 2 / 200).all()
    assert compare_systems(matrix, "max-t", samples=samples)["p"].tolist() == pytest.approx(exact)


def test_step_down_finds_more_than_the_largest_alone():
    """What is clear at once is set aside for what is less clear."""
    rng = np.random.default_rng(3)
    clear = np.array([2.0, 0, 0, 0.45]) + rng.normal(0, 0.3, size=(12, 4))
    pairs = compare_systems(matrix_of(clear), "max-t").set_index(["first", "second"])
    one_step = compare_systems(matrix_of(clear)).set_index(["first", "second"])
    assert (pairs["p"] <= one_step["p"]).all()
    assert (pairs["p"] < one_step["p"]).any()


tables = st.integers(2, 4).flatmap(
    lambda systems: st.lists(
        st.lists(st.integers(0, 10).map(lambda n: n / 10), min_size=systems, max_size=systems),
        min_size=2,
        max_size=7,
    )
)


@each("test", ["max-t", "moderated"])
@given(values=tables)
def test_laws(test, values):
    matrix = matrix_of(values)

    def p(changed) -> np.ndarray:
        return compare_systems(matrix_of(changed), test)["p"].to_numpy()

    found = p(matrix.values)
    assert ((found > 0) & (found <= 1)).all()
    shifts = np.arange(len(values))[:, np.newaxis] * 0.7
    np.testing.assert_allclose(p(matrix.values + shifts), found)
    np.testing.assert_allclose(p(-matrix.values), found)
    np.testing.assert_allclose(p(matrix.values * 1000), found)
    apart = np.abs(matrix.pairs()["difference"].to_numpy())
    assert (found[apart < 1e-12] == 1).all()


def test_of_one_topic_nothing_can_be_exchanged():
    rng = np.random.default_rng(1)
    assert exchanges(1, 100) == 1
    assert list(run_exchanges(np.sum, 1, 1, 100, rng, lambda _: None)) == []


def plain_moderated(values: np.ndarray) -> tuple[list[float], np.ndarray]:
    """Return p of every pair and half the width of its limits, by a plain loop over exchanges."""
    topics, systems = values.shape
    pairs = [(a, b) for a in range(systems) for b in range(a + 1, systems)]
    apart = np.array([values[:, a] - values[:, b] for a, b in pairs])

    def moderated_t(differences: np.ndarray) -> np.ndarray:
        own = differences.var(axis=1, ddof=1)
        variance = ((topics - 1) * own + PRIOR * own.mean()) / (topics - 1 + PRIOR)
        return np.abs(differences.mean(axis=1)) / np.sqrt(variance / topics)

    observed = moderated_t(apart)
    every = [(1, *rest) for rest in product((1, -1), repeat=topics - 1)][1:]
    left = apart - apart.mean(axis=1, keepdims=True)
    largest = [
        np.array([moderated_t(kind * np.array(signs)).max() for signs in every])
        for kind in (apart, left)
    ]
    reached = [1 + (one[:, np.newaxis] >= observed * (1 - 1e-9)).sum(axis=0) for one in largest]
    p = np.max(reached, axis=0) / 2 ** (topics - 1)
    rank = int(np.ceil(0.05 * 2 ** (topics - 1) - 1))
    critical = max(np.sort(one)[-rank] for one in largest)
    deviation = np.abs(apart.mean(axis=1)) / observed
    return list(p), critical * deviation


@each(("topics", "systems", "seed"), [(7, 3, 1), (8, 4, 2), (9, 5, 3)])
def test_moderated_variances_against_a_plain_loop(topics, systems, seed):
    matrix = scattered(topics, systems, seed)
    found = compare_systems(matrix, "moderated")
    p, half = plain_moderated(matrix.values)
    assert found["p"].tolist() == pytest.approx(p, abs=1e-12)
    assert (found["high"] - found["difference"]).tolist() == pytest.approx(list(half))
    assert (found["difference"] - found["low"]).tolist() == pytest.approx(list(half))


def test_of_two_systems_the_mean_variance_is_their_own():
    matrix = scattered(9, 2, seed=4)
    moderated, plainly = (compare_systems(matrix, one) for one in ("moderated", "single-step"))
    assert moderated.equals(plainly)


def test_a_pair_that_happens_to_vary_little_is_moderated():
    """Two systems differ by nearly the same on each of ten topics, by chance or not."""
    rng = np.random.default_rng(5)
    values = rng.normal(0, 0.2, (10, 6))
    values[:, 1] = values[:, 0] + 0.02 + rng.normal(0, 0.002, 10)
    own, drawn = (
        compare_systems(matrix_of(values), one, samples=999).iloc[0]
        for one in ("single-step", "moderated")
    )
    assert own["p"] < 0.05 < drawn["p"]
    assert drawn["high"] - drawn["low"] > 5 * (own["high"] - own["low"])


def test_moderated_limits_where_systems_differ_by_the_same_everywhere():
    values = scattered(8, 3, seed=6).values
    same = np.column_stack([values, values[:, 0] + 0.25])
    found = compare_systems(matrix_of(same), "moderated").set_index(["first", "second"])
    assert np.isnan(found.loc[("s0", "s3"), "low"])
    assert "same amount" in found.loc[("s0", "s3"), "reason"]
    everywhere = compare_systems(matrix_of(np.tile([0.5, 0.6, 0.7], (8, 1))), "moderated")
    assert everywhere["low"].isna().all()
    assert everywhere["p"].between(0, 1).all()
    equal = compare_systems(matrix_of(np.full((8, 3), 0.5)), "moderated")
    assert (equal["p"] == 1).all()
