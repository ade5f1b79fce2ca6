import math
from itertools import pairwise, permutations
from operator import eq, gt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from core.comparison.rank_correlation import kendall_tau
from core.comparison.tau_limits import SystemRanking, observe, sample_tau
from core.comparison.top_weighted import correlate_best, correlate_weighted, rba, rbo, tau_ap
from core.errors import BadInput
from tests.core.comparison.matrices import matrix_of, scattered
from tests.each import each

# Places of ten items by the truth and by another scoring, without and with ties in the latter.
IRCOR = [
    ((4, 8, 2, 3, 5, 10, 9, 7, 6, 1), (3, 8, 4, 2, 5, 10, 9, 7, 6, 1), 0.8519),
    ((4, 8, 2, 3, 5, 10, 9, 7, 6, 1), (3, 8, 3, 1, 5, 10, 8, 7, 6, 1), 0.7454),
    ((8, 6, 10, 1, 5, 9, 4, 2, 3, 7), (8, 3, 4, 2, 10, 9, 7, 6, 1, 5), 0.2504),
    ((8, 6, 10, 1, 5, 9, 4, 2, 3, 7), (8, 3, 4, 2, 9, 9, 7, 5, 1, 5), 0.2692),
    ((9, 4, 2, 10, 6, 5, 3, 8, 1, 7), (3, 7, 6, 1, 4, 5, 9, 2, 10, 8), -0.6971),
    ((9, 4, 2, 10, 6, 5, 3, 8, 1, 7), (3, 5, 5, 1, 4, 5, 8, 1, 10, 8), -0.5558),
]


def scores(places) -> np.ndarray:
    return -np.array(places, dtype=np.float64)


def plain_tau_ap(first, second) -> float:
    """Return the coefficient by its definition, place by place; nothing ties in the second."""
    order = sorted(range(len(second)), key=lambda item: -second[item])
    total = 0.0
    for at in range(1, len(order)):
        here = first[order[at]]
        right = sum(
            1.0 if first[above] > here else 0.5 if first[above] == here else 0.0
            for above in order[:at]
        )
        total += right / at
    return 2 * total / (len(order) - 1) - 1


def broken_ties(values):
    """Yield every order without ties that the scores allow."""
    for order in permutations(range(len(values))):
        if all(values[one] >= values[two] for one, two in pairwise(order)):
            yield [len(order) - order.index(item) for item in range(len(order))]


@each(("truth", "second", "value"), IRCOR)
def test_tau_ap_against_ircor(truth, second, value):
    """The R package ircor 1.0 of those who wrote the rule for ties: its test data, as places."""
    assert round(tau_ap(scores(truth), scores(second)), 4) == value


def test_tau_ap_worked_by_hand():
    """Yilmaz et al. (2008): an exchange at the top of five costs four times one at the end."""
    truth = [5, 4, 3, 2, 1]
    assert tau_ap(truth, [4, 5, 3, 2, 1]) == pytest.approx(2 / 4 * (0 + 1 + 1 + 1) - 1)
    assert tau_ap(truth, [5, 4, 3, 1, 2]) == pytest.approx(2 / 4 * (1 + 1 + 1 + 3 / 4) - 1)
    assert tau_ap([3, 2, 1], [1, 3, 2]) == pytest.approx(2 / 2 * (1 + 0 / 2) - 1)
    assert tau_ap([1, 3, 2], [3, 2, 1]) == pytest.approx(2 / 2 * (0 + 1 / 2) - 1)


orders = st.integers(2, 8).flatmap(lambda n: st.tuples(*[st.permutations(range(n))] * 2))
levels = st.integers(2, 5).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 2), min_size=n, max_size=n)] * 2)
)


@given(orders)
def test_tau_ap_against_its_definition(rows):
    first, second = rows
    assert tau_ap(first, second) == pytest.approx(plain_tau_ap(first, second), abs=1e-12)
    assert tau_ap(first, first) == 1
    assert tau_ap(first, [-value for value in first]) == pytest.approx(-1)
    assert tau_ap([-value for value in first], second) == pytest.approx(-tau_ap(first, second))


@given(levels)
def test_tau_ap_is_the_mean_over_orders_of_what_is_tied(rows):
    first, second = rows
    expected = np.mean([plain_tau_ap(first, order) for order in broken_ties(second)])
    assert tau_ap(first, second) == pytest.approx(expected, abs=1e-12)


def test_tau_ap_of_random_orders_is_0_on_average_like_tau():
    every = [
        (tau_ap(range(5), order), kendall_tau(range(5), order)) for order in permutations(range(5))
    ]
    assert np.mean(every, axis=0) == pytest.approx([0, 0], abs=1e-12)


def plain_rbo(first, second, p: float) -> float:
    """Return it from sets of items, depth by depth."""
    total, agreement = 0.0, 0.0
    for depth in range(1, len(first) + 1):
        shown = [
            {
                item
                for item, score in enumerate(scores)
                if sum(other > score for other in scores) < depth
            }
            for scores in (first, second)
        ]
        agreement = 2 * len(shown[0] & shown[1]) / (len(shown[0]) + len(shown[1]))
        total += (1 - p) * p ** (depth - 1) * agreement
    return total + agreement * p ** len(first)


@each(
    ("first", "second", "p", "value"),
    [
        ("abc", "acb", 0.9, 0.955),  # agreements 1, 1/2, 1
        ("abcde", "bcdae", 0.9, 0.828),  # 0, 1/2, 2/3, 1, 1; rankmeasures' README
        ("abcd", "dcba", 0.5, 0.208),  # 0, 0, 2/3, 1: 1/12 + 1/16 + 1/16 beyond
    ],
)
def test_rbo_worked_by_hand(first, second, p, value):
    """Webber et al. (2010): agreement at each depth, weighed, and the last one for ever."""
    items = sorted(first)
    ranked = [[-order.index(item) for item in items] for order in (first, second)]
    assert round(rbo(*ranked, p=p), 3) == value


@given(levels, st.floats(0.05, 0.95))
def test_rbo_against_sets(rows, p):
    assert rbo(*rows, p=p) == pytest.approx(plain_rbo(*rows, p), abs=1e-12)


@given(orders, st.floats(0.05, 0.95))
def test_laws_of_rbo(rows, p):
    first, second = rows
    value = rbo(first, second, p)
    assert 0 < value <= 1 + 1e-12
    assert rbo(second, first, p) == pytest.approx(value)
    assert rbo(first, first, p) == pytest.approx(1)
    assert (value > 1 - 1e-12) == (list(first) == list(second)) or p < 0.2


def plain_rba(first, second, p: float) -> float:
    """Hand out weights rank by rank, and share them among what is tied."""
    total, weights = p ** len(first), ({}, {})
    for scores, weight in zip((first, second), weights, strict=True):
        for score in scores:
            above, tied = (sum(test(other, score) for other in scores) for test in (gt, eq))
            own = [(1 - p) * p ** (above + place) for place in range(tied)]
            weight[score] = sum(own) / tied
    for one, other in zip(first, second, strict=True):
        total += math.sqrt(weights[0][one] * weights[1][other])
    return total


@each(
    ("second", "p", "value"),
    [
        ("badcfehgji", 0.8, 0.887 + 0.8**10),
        ("abcdefghij", 0.8, 1),
        ("ab", 0.5, 1),
        ("ba", 0.5, 0.5 * 2 * 0.5**0.5 + 0.25),
    ],
)
def test_rba_worked_by_hand(second, p, value):
    """The authors' program says .887 for ten neighbours swapped, before what lies beyond."""
    ranked = [[-order.index(item) for item in sorted(second)] for order in (sorted(second), second)]
    assert rba(*ranked, p=p) == pytest.approx(value, abs=5e-4)


@given(levels, st.floats(0.05, 0.95))
def test_rba_against_weights_handed_out(rows, p):
    assert rba(*rows, p=p) == pytest.approx(plain_rba(*rows, p), abs=1e-12)


@given(orders, st.floats(0.05, 0.95))
def test_laws_of_rba(rows, p):
    first, second = rows
    value = rba(first, second, p)
    assert 0 < value <= 1 + 1e-12
    assert rba(second, first, p) == pytest.approx(value)
    assert rba(first, first, p) == pytest.approx(1)
    assert (value > 1 - 1e-12) == (list(first) == list(second)) or p < 0.2


def test_too_few_items():
    for one in ([], [1]):
        assert math.isnan(tau_ap(one, one))
        assert math.isnan(rbo(one, one))
        assert math.isnan(rba(one, one))


@each("p", [0, 1, -0.5, math.nan])
def test_rbo_needs_a_chance(p):
    with pytest.raises(BadInput, match="between 0 and 1"):
        rbo([1, 2], [1, 2], p=p)
    with pytest.raises(BadInput, match="between 0 and 1"):
        rba([1, 2], [1, 2], p=p)


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
