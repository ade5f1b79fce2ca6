"""A/B tests against SciPy's Welch, least squares, and what is written down."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.interleaving.ab_test import (
    Users,
    adjust_by_before,
    check_split,
    compare_arms,
    smallest_found,
    users_needed,
)

seeds = st.integers(0, 2**32 - 1)


def draw(seed: int, visits: bool = False, known: float = 0.0) -> Users:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(8, 60))
    arm = np.arange(size) % 2
    number = rng.integers(1, 6, size) if visits else np.ones(size)
    outcome = rng.poisson(1.5 * number).astype(float)
    before = np.where(rng.random(size) < known, outcome + rng.normal(size=size), np.nan)
    return Users(rng.permutation(arm), number.astype(float), outcome, before)


@given(seeds)
def test_with_one_visit_each_it_is_welch(seed):
    users = draw(seed)
    first, second = (users.outcome[users.arm == at] for at in (0, 1))
    expected = stats.ttest_ind(second, first, equal_var=False)
    found = compare_arms(users)
    if not np.isnan(expected.pvalue):
        limits = expected.confidence_interval(0.95)
        assert found.value == pytest.approx(second.mean() - first.mean())
        assert (found.low, found.high) == pytest.approx((limits.low, limits.high))
        assert found.p == pytest.approx(expected.pvalue)


@given(seeds)
def test_means_weigh_visits_and_errors_are_those_of_a_ratio(seed):
    """The delta method written out: var(y) − 2 R cov(y, n) + R² var(n), over the mean visits."""
    users = draw(seed, visits=True)
    ratios, errors = [], []
    for at in (0, 1):
        own = users.arm == at
        outcome, visits = users.outcome[own], users.visits[own]
        ratio = outcome.sum() / visits.sum()
        both = np.cov(outcome, visits)
        variance = both[0, 0] - 2 * ratio * both[0, 1] + ratio**2 * both[1, 1]
        ratios.append(ratio)
        errors.append(variance / visits.mean() ** 2 / len(visits))
    found = compare_arms(users)
    assert found.value == pytest.approx(ratios[1] - ratios[0])
    if found.error:
        assert found.error == pytest.approx(np.sqrt(sum(errors)))


@given(seeds)
def test_the_adjusted_difference_is_that_of_least_squares(seed):
    """Outcome on an arm and the outcome before: the coefficient of the arm."""
    users = draw(seed, known=1.0)
    design = np.column_stack([np.ones(len(users.arm)), users.arm, users.before])
    expected = np.linalg.lstsq(design, users.outcome, rcond=None)[0][1]
    found, removed = adjust_by_before(users)
    if not np.isnan(found.value):
        assert found.value == pytest.approx(expected)
        assert removed <= 1


def test_whoever_has_no_outcome_before_counts_as_the_mean():
    users = draw(3, known=0.6)
    mean = np.nanmean(users.before)
    filled = Users(
        users.arm, users.visits, users.outcome,
        np.where(np.isnan(users.before), mean, users.before),
    )  # fmt: skip
    assert adjust_by_before(users)[0] == pytest.approx(adjust_by_before(filled)[0])


def test_what_tells_nothing_adjusts_nothing():
    users = draw(4)
    alike = Users(users.arm, users.visits, users.outcome, np.ones(len(users.arm)))
    for one in (users, alike):
        found, removed = adjust_by_before(one)
        assert np.isnan([*found, removed]).all()


def test_where_nobody_differs_nothing_is_tested():
    users = Users(np.array([0, 0, 1, 1]), np.ones(4), np.ones(4), np.full(4, np.nan))
    found = compare_arms(users)
    assert (found.value, found.error) == (0, 0)
    assert np.isnan([found.low, found.high, found.p]).all()
    lone = Users(np.array([0, 0, 1]), np.ones(3), np.arange(3.0), np.full(3, np.nan))
    assert np.isnan([*compare_arms(lone)]).all()
    assert np.isnan([*adjust_by_before(lone)[0]]).all()


def test_a_split_is_tested_by_the_binomial():
    for first, second, share in ((520, 480, 0.5), (30, 70, 0.5), (5, 0, 0.5)):
        expected = stats.binomtest(second, first + second, share).pvalue
        assert check_split(np.array([first, second]), share) == pytest.approx(expected)
    # Where the two tails differ, the smaller is doubled.
    tail = stats.binom.sf(119, 1000, 0.1)
    assert check_split(np.array([880, 120]), 0.1) == pytest.approx(2 * tail)


@pytest.mark.parametrize(("users", "share"), [(100, 0.01), (1_000, 0.001), (200, 0.5)])
def test_so_uneven_a_split_is_chance_as_seldom_as_its_p_says(users: int, share: float):
    """Chi-squared finds one of hundred users, as planned, a fault in 3.4 of 1,000 tests."""
    often = stats.binom.pmf(np.arange(users + 1), users, share)
    found = [check_split(np.array([users - one, one]), share) for one in range(users + 1)]
    assert often[np.array(found) < 0.001].sum() < 0.001


@pytest.mark.parametrize(
    ("users", "share"), [((500, 100), 0.1), ((950, 50), 0.3), ((60, 60), 0.02)]
)
def test_where_the_difference_is_hardly_skewed_p_holds(users: tuple[int, int], share: float):
    """All logs of yes and no, weighed by their chance: p < .05 in 6.1 of 100 at most."""
    first, second = users
    chances = [stats.binom.pmf(np.arange(one + 1), one, share) for one in users]
    told = found = 0.0
    rows = [(one, chance) for one, chance in enumerate(chances[0]) if chance > 1e-4]
    for one, chance in rows:
        for other in np.flatnonzero(chances[1] > 1e-4):
            arm = np.repeat([0, 1], users)
            outcome = np.concatenate([np.arange(first) < one, np.arange(second) < other]) * 1.0
            log = Users(arm, np.ones(len(arm)), outcome, np.full(len(arm), np.nan))
            apart = compare_arms(log)
            if abs(apart.skewness) <= 0.2:
                told += chance * chances[1][other]
                found += chance * chances[1][other] * (apart.p < 0.05)
    assert told > 0.4
    assert found / told < 0.065


def test_the_skewness_of_a_difference_is_that_of_what_is_drawn():
    rng = np.random.default_rng(1)
    outcome, arm = rng.exponential(size=220_000), np.repeat([0, 1], [200_000, 20_000])
    apart = compare_arms(Users(arm, np.ones(len(arm)), outcome, np.full(len(arm), np.nan)))
    means = rng.exponential(size=(20_000, 20)).mean(axis=1) - 1
    means -= rng.exponential(size=(20_000, 200)).mean(axis=1) - 1
    # As many times more users make it less skewed by the root of that.
    assert apart.skewness * np.sqrt(1_000) == pytest.approx(stats.skew(means), abs=0.05)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.5])
@pytest.mark.parametrize("freedom", [2, 8, 60])
def test_few_users_find_less_by_t(alpha: float, freedom: int):
    found = smallest_found(1.0, alpha, freedom)
    bound = stats.t.isf(alpha / 2, freedom)
    power = stats.nct.sf(bound, freedom, found) + stats.nct.cdf(-bound, freedom, found)
    assert power == pytest.approx(0.8, abs=1e-4)
    assert found > smallest_found(1.0, alpha)


def test_few_that_are_needed_are_counted_by_t_and_never_one():
    needed = users_needed(0.2, 100, np.array([100.0, 1.0, 0.01]), 0.05, 98)
    assert needed[0] == 4
    least = smallest_found(0.2 * np.sqrt(100 / needed[1]), 0.05, needed[1] - 2)
    more = smallest_found(0.2 * np.sqrt(100 / (needed[1] - 1)), 0.05, needed[1] - 3)
    assert least <= 1 < more
    assert needed[2] == pytest.approx(users_needed(0.2, 100, np.array([0.01]))[0])
    assert np.isnan([smallest_found(1.0, 0.8), *users_needed(0.2, 100, np.ones(1), 0.9, 98)]).all()


def test_so_many_users_find_it_in_four_of_five():
    """Two arms of 500, standard deviation 1: an error of √(2 / 500)."""
    error = np.sqrt(2 / 500)
    effect = np.array([0.1, smallest_found(error)])
    needed = users_needed(error, 1000, effect)
    assert needed[1] == pytest.approx(1000, abs=1)
    # Per arm 2 (z + z)² / δ², the formula of every textbook.
    assert needed[0] == pytest.approx(2 * 2 * (1.95996 + 0.84162) ** 2 / 0.1**2, abs=1)
