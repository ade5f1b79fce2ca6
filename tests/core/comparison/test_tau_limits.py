"""Limits of τ by drawing topics and assessors, and whether orders differ."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau

from core.comparison.tau_limits import (
    SystemRanking,
    correlate,
    draw_together,
    sample_tau,
    try_orders_together,
    try_same_order,
)
from tests.core.comparison.matrices import matrix_of, scattered
from tests.each import each
from tests.short import long


def order(values, judges: dict[str, list[str]] | None = None) -> SystemRanking:
    return SystemRanking(matrix_of(values), judges or {})


def limits(first, second, unit="topic", seed=1):
    return sample_tau(first, second, unit, np.random.default_rng(seed))


def test_tau_of_many_samples_is_scipys():
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 6, size=(2, 200, 7)) / 10
    found = correlate(first, second)
    expected = [kendalltau(*row).statistic for row in zip(first, second, strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_limits_hold_tau_and_stay_inside():
    for seed in range(8):
        first, second = scattered(9, 5, seed), scattered(9, 5, seed + 50)
        found = limits(SystemRanking(first), SystemRanking(second))
        tau = kendalltau(first.values.mean(axis=0), second.values.mean(axis=0)).statistic
        assert -1 <= found.low <= tau <= found.high <= 1
        assert found.low < found.high
        assert (found.units, found.reason) == (9, "")


def test_two_equal_orders_of_two_systems_tell_nothing():
    """Two systems have one pair: it is as good as no evidence of what others would give."""
    same = order([[0.5, 0.4], [0.6, 0.3], [0.7, 0.1]])
    found = limits(same, same)
    assert found.high == 1
    assert found.low < -0.9


def test_more_topics_narrow_the_limits():
    few, many = (
        limits(SystemRanking(scattered(topics, 8, 1)), SystemRanking(scattered(topics, 8, 2)))
        for topics in (6, 120)
    )
    assert many.high - many.low < few.high - few.low


def test_assessors_are_drawn_with_their_topics():
    values = scattered(12, 5, seed=3).values
    judges = {f"t{at}": [f"a{at % 3}"] for at in range(12)}
    first, second = order(values, judges), order(values[:, ::-1] + values, judges)
    by_assessor, by_both = limits(first, second, "assessor"), limits(first, second, "both")
    assert by_assessor.units == by_both.units == 3
    assert by_both.high - by_both.low >= by_assessor.high - by_assessor.low - 0.05


@each(
    ("judges", "unit", "says"),
    [
        ({}, "assessor", "who judged each topic is not known"),
        ({"t0": ["a"], "t1": ["a"], "t2": ["a"]}, "assessor", "fewer than three assessors"),
        ({"t0": ["a"], "t1": ["a"], "t2": ["a"]}, "both", "fewer than two topics or assessors"),
        (
            {"t0": ["a", "b"], "t1": ["a", "b"], "t2": ["b", "a"]},
            "both",
            "the same assessors judged every topic",
        ),
    ],
)
def test_without_a_sample_there_are_no_limits(judges, unit, says):
    one = order([[0.5, 0.4], [0.6, 0.7], [0.1, 0.3]], judges)
    found = limits(one, one, unit)
    assert np.isnan(found.low)
    assert np.isnan(found.high)
    assert says in found.reason


def test_all_ties_have_no_limits():
    tied = order([[0.5, 0.5, 0.5], [0.3, 0.3, 0.3]])
    assert "tied" in limits(tied, tied).reason
    found = try_same_order(tied, tied, np.random.default_rng(1))
    assert np.isnan(found.p)
    assert "tied" in found.reason


def test_a_turned_order_differs_and_an_equal_one_is_not_shown_to():
    rng = np.random.default_rng(2)
    skill = np.linspace(0, 1, 8)
    one, other, turned = (
        order(part + rng.normal(0, 0.3, size=(20, 8))) for part in (skill, skill, -skill)
    )
    differ = try_same_order(one, turned, np.random.default_rng(1))
    alike = try_same_order(one, other, np.random.default_rng(1))
    assert differ.p < 0.01
    assert alike.p > 0.05
    assert -1 < alike.shown_below < 1
    strict = try_same_order(one, other, np.random.default_rng(1), alpha=1e-4)
    assert np.isnan(strict.shown_below)


def test_where_no_tau_would_have_been_shown_none_is_named():
    """Of two systems τ is 1 or −1; where chance turns them often, not even −1 is shown."""
    rng = np.random.default_rng(3)
    one, other = (order(rng.normal(0, 1, size=(6, 2))) for _ in range(2))
    tried = try_same_order(one, other, np.random.default_rng(1))
    assert tried.p > 0.05
    assert np.isnan(tried.shown_below)


def test_shown_below_is_where_p_falls_below_alpha():
    rng = np.random.default_rng(4)
    found = []
    for _ in range(40):
        skill = np.linspace(0, 0.5, 6)
        one, other = (
            order(rng.permutation(skill) + rng.normal(0, 0.5, size=(15, 6))) for _ in range(2)
        )
        tried = try_same_order(one, other, rng)
        tau = kendalltau(one.scores.values.mean(axis=0), other.scores.values.mean(axis=0)).statistic
        found.append(((tried.p < 0.05), bool(tau < tried.shown_below - 1e-9)))
    assert all(one == other for one, other in found)
    assert {one for one, _ in found} == {True, False}


def test_topics_need_not_be_the_same():
    first = scattered(8, 4, seed=1)
    second = scattered(10, 4, seed=2)
    renamed = SystemRanking(matrix_of(second.values))
    object.__setattr__(renamed.scores, "topics", tuple(f"u{at}" for at in range(10)))
    assert limits(SystemRanking(first), renamed).units == 18
    assert 0 < try_same_order(SystemRanking(first), renamed, np.random.default_rng(1)).p <= 1


def test_means_are_drawn_to_where_they_most_likely_lie():
    """Against a plain loop with many steps, by what both make of the likelihood."""
    rng = np.random.default_rng(3)
    truth = np.repeat([-1.0, 0.2, 2.0], 7)
    means = truth + 0.2 * rng.normal(size=21)
    found = draw_together(means, 0.04)
    assert np.corrcoef(found, truth)[0, 1] > 0.98
    assert np.abs(found - truth).mean() < 0.7 * np.abs(means - truth).mean()
    assert (found[np.argsort(means)][1:] >= found[np.argsort(means)][:-1]).all()
    grid = np.linspace(means.min(), means.max(), 300)
    share = [1 / 300] * 300
    for _ in range(2_000):
        total = np.zeros(300)
        for one in means:
            part = share * np.exp(-((one - grid) ** 2) / 0.08)
            total += part / part.sum()
        share = total / len(means)
    expected = [
        (share * np.exp(-((one - grid) ** 2) / 0.08) @ grid)
        / (share * np.exp(-((one - grid) ** 2) / 0.08)).sum()
        for one in means
    ]
    assert np.abs(found - expected).max() < 0.08
    # Where chance is all there is, they come to lie at one place; without chance, as they are.
    together = draw_together(0.1 * rng.normal(size=30), 1.0)
    assert np.ptp(together) < 0.02
    assert draw_together(means, 0.0) is means
    assert draw_together(np.ones(4), 1.0).tolist() == [1.0] * 4


def test_groups_of_equal_systems_are_rarely_shown_to_change_order():
    """Two groups, the second condition the first on another scale, with chance of its own."""
    found = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        skill = np.repeat([-0.75, 0.75], [8, 7])
        first = skill + rng.normal(size=(50, 15))
        second = 0.5 * first + 0.5 * rng.normal(size=(50, 15))
        found.append(try_same_order(order(first), order(second), rng, samples=200).p < 0.05)
    assert sum(found) <= 7


def test_much_chance_under_one_condition_is_no_large_scale():
    """Two groups, the second condition the first on half the scale, with four times the chance."""
    found = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        skill = np.repeat([-1.0, 1.0], [11, 10])
        first = skill + rng.normal(size=(10, 21))
        second = 0.5 * (skill + 4 * rng.normal(size=(10, 21)))
        found.append(try_same_order(order(first), order(second), rng, samples=200).p < 0.05)
    assert sum(found) <= 7


def test_a_condition_of_nothing_but_chance_tells_of_no_other_order():
    rng = np.random.default_rng(8)
    skill = np.linspace(0, 1, 8)
    one, still = order(skill + rng.normal(0, 0.3, size=(20, 8))), np.zeros((20, 1)) + skill
    chance = order(rng.permuted(np.array([scattered(20, 8, 3).values]), axis=2)[0])
    assert try_same_order(one, chance, rng).p > 0.05
    assert try_same_order(chance, chance, rng).p == 1
    # Without any chance at all the orders are known.
    assert try_same_order(order(still), order(still[:, ::-1]), rng).p < 0.05
    assert try_same_order(order(1e6 * still), order(still), rng).p == 1


def test_several_pairs_of_orders_are_corrected_for():
    rng = np.random.default_rng(4)
    skill = np.linspace(0, 1, 8)
    one, same, turned = (
        order(means + rng.normal(0, 0.4, size=(20, 8))) for means in (skill, skill, -skill)
    )
    alone = [try_same_order(one, other, np.random.default_rng(1)).p for other in (same, turned)]
    tests = try_orders_together([(one, same), None, (one, turned)], 1)
    expected = [max(alone[0], 2 * alone[1]), np.nan, 2 * alone[1]]
    assert [test.p for test in tests] == pytest.approx(expected, nan_ok=True)
    assert try_orders_together([(one, turned)], 1)[0].p == alone[1]
    assert np.isnan(try_orders_together([None], 1)[0].p)
    # What would have been shown beside others is lower than what would have been alone.
    assert tests[0].shown_below <= try_orders_together([(one, same)], 1)[0].shown_below


@long
def test_no_pair_of_six_like_conditions_is_often_shown_to_differ():
    found = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        skill = rng.normal(0, 0.3, 15)
        orders = [order(skill + rng.normal(size=(21, 15))) for _ in range(6)]
        tests = try_orders_together([*combinations(orders, 2)], seed)
        found.append(min(one.p for one in tests) < 0.05)
    assert np.mean(found) - 2 * (np.mean(found) / 200) ** 0.5 <= 0.05
