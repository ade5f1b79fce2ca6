"""Ways to spend votes: what they ask, and whether win shares stay right on average."""

from itertools import combinations, permutations

import numpy as np
import pytest

from core.errors import BadInput
from core.planning.vote_rules import (
    CloseSystems,
    SameNumber,
    ThirdWhereTwoDiffer,
    VoteRule,
    Votes,
    combine_batches,
    plan_batches,
    share_out,
    weigh_close,
)
from tests.each import each

STRENGTHS = np.array([0.0, 0.3, 0.5, 2.0])


def make_votes(topics: int, votes: int, seed: int = 1) -> Votes:
    """Return votes on every pair of four systems on each topic; one in ten is a tie."""
    rng = np.random.default_rng(seed)
    first, second = np.triu_indices(4, 1)
    first, second = np.tile(first, topics), np.tile(second, topics)
    item = np.repeat(np.arange(len(first)), votes)
    odds = STRENGTHS[first] - STRENGTHS[second] + rng.normal(size=len(first)) / 2
    won = rng.random(len(item)) < (1 / (1 + np.exp(-2 * odds)))[item]
    value = np.where(rng.random(len(item)) < 0.1, 0.5, won)
    return Votes(value, item, first, second, 4)


def test_shares_by_all_votes_are_means_over_pairs():
    votes = make_votes(5, 3)
    won = np.zeros(4)
    for code, (one, other) in enumerate(zip(votes.first, votes.second, strict=True)):
        mean = votes.value[votes.item == code].mean()
        won[one] += mean / 15
        won[other] += (1 - mean) / 15
    assert votes.shares == pytest.approx(won)
    none = votes.share(np.full(30, np.nan), np.zeros(30))
    assert np.isnan(none).all()


RULES = (*map(SameNumber, (1, 2, 3, 5)), ThirdWhereTwoDiffer(), CloseSystems())


@each("rule", RULES, ids=lambda one: one.title)
def test_a_budget_is_spent_and_never_more(rule):
    votes = make_votes(10, 5)
    shares, asked = rule.draw(votes, 40, 50, np.random.default_rng(2))
    assert shares.shape == (50, 4)
    assert (asked == 40).all()
    assert np.nanmin(shares) >= -0.5
    assert rule.can_be(votes, 40)


def find_bias(rule: VoteRule, votes: Votes, budget: int, draws: int = 6_000) -> np.ndarray:
    """Return how many of its standard errors each system's mean share is off."""
    shares, _ = rule.draw(votes, budget, draws, np.random.default_rng(3))
    apart = shares - votes.shares
    return apart.mean(axis=0) / (apart.std(axis=0) / draws**0.5)


# Where each system is met as often in every draw a ratio of sums is unbiased exactly.
@pytest.mark.parametrize("rule", [SameNumber(1), SameNumber(2), CloseSystems()])
def test_win_shares_are_right_on_average(rule):
    assert rule.is_unbiased
    assert abs(find_bias(rule, make_votes(16, 5), 72)).max() < 4


BIASED = (ThirdWhereTwoDiffer(), ThirdWhereTwoDiffer(is_pooled=True), CloseSystems(is_pooled=True))


@pytest.mark.parametrize("rule", BIASED)
def test_what_is_chosen_by_outcome_is_not(rule):
    assert not rule.is_unbiased
    assert abs(find_bias(rule, make_votes(16, 5), 72)).max() > 4.5


def test_of_a_third_vote_where_two_differ_nothing_unbiased_makes_use():
    """The four outcomes have linearly independent chances: one estimate only is p on average."""
    p = np.linspace(0.1, 0.9, 9)
    chances = np.array([p**2, (1 - p) ** 2, 2 * p**2 * (1 - p), 2 * p * (1 - p) ** 2])
    assert np.linalg.matrix_rank(chances) == 4
    estimate, *_ = np.linalg.lstsq(chances.T, p, rcond=None)
    assert estimate == pytest.approx([1, 0, 0.5, 0.5])


def test_two_batches_are_unbiased_whatever_the_second_does():
    """All samples of five items: two first, and of the rest one or two, as the first came out."""
    values = np.array([0.0, 1, 1, 0.5, 1])
    sizes, first, planned = np.array([5]), np.array([2]), np.array([2])
    found = []
    for order in permutations(range(5)):
        begun = values[[*order[:2]]].mean()
        number = 1 if begun > 0.5 else 2
        later = values[[*order[2 : 2 + number]]].mean()
        found.append(
            combine_batches(np.array([begun]), np.array([later]), sizes, first, planned)[0]
        )
    assert np.mean(found) == pytest.approx(values.mean())
    pooled = [
        values[[*order[: 3 if values[[*order[:2]]].mean() > 0.5 else 4]]].mean()
        for order in permutations(range(5))
    ]
    assert np.mean(pooled) != pytest.approx(values.mean(), abs=0.005)


def test_evenly_two_batches_are_one_sample():
    """Planned weights are the best ones: a simple random sample comes of them."""
    values = np.array([0.0, 1, 1, 0, 1, 0])
    sizes, first, planned = np.array([6]), np.array([2]), np.array([2])
    for order in combinations(range(6), 4):
        begun, later = values[[*order[:2]]].mean(), values[[*order[2:]]].mean()
        found = combine_batches(np.array([begun]), np.array([later]), sizes, first, planned)
        assert found[0] == pytest.approx(values[[*order]].mean())


def test_nothing_is_left_for_a_second_batch():
    begun = np.array([0.25])
    all_asked = combine_batches(begun, np.array([0.0]), np.array([4]), np.array([4]), np.array([0]))
    assert all_asked[0] == 0.25
    none_planned = combine_batches(
        begun, np.array([0.0]), np.array([4]), np.array([2]), np.array([0])
    )
    assert none_planned[0] == 0.25


@each(
    ("number", "weight", "most", "wanted"),
    [
        (10, [1, 1], [9, 9], [5, 5]),
        (10, [4, 1], [9, 9], [8, 2]),
        (10, [9, 1], [6, 9], [6, 4]),
        (10, [1, 0], [5, 3], [5, 3]),
        (3, [5, 1, 1], [9, 9, 9], [1, 1, 1]),
        (1, [5, 1, 1], [9, 9, 9], [1, 0, 0]),
        (0, [1, 1], [3, 3], [0, 0]),
    ],
)
def test_votes_are_shared_out_by_weight(number, weight, most, wanted):
    found = share_out(number, np.array(weight, dtype=float), np.array(most))
    assert sorted(found) == sorted(wanted)
    assert found.sum() == min(number, sum(most))


def test_close_pairs_weigh_more_and_none_weighs_nothing():
    weight = weigh_close(np.array([0.0, 0.1, 0.9]), np.array([10, 10, 10]))
    assert weight.sum() == pytest.approx(1)
    assert weight[0] > weight[1] > weight[2] > 0.16
    far = weigh_close(np.array([9e9, 9e9, 9e9]), np.array([10, 10, 10]))
    assert far == pytest.approx([1 / 3] * 3)


def test_batches_need_votes_and_pairs():
    sizes = np.array([4, 4, 4])
    first, second = plan_batches(sizes, 8)
    assert (first.sum(), second.sum()) == (4, 4)
    with pytest.raises(BadInput, match="6 votes at least"):
        plan_batches(sizes, 5)
    with pytest.raises(BadInput, match="12 pairs"):
        plan_batches(sizes, 13)
    votes = make_votes(2, 2)
    assert not CloseSystems().can_be(votes, 11)
    assert not CloseSystems().can_be(votes, 13)
    assert not SameNumber(3).can_be(votes, 10)
    assert not ThirdWhereTwoDiffer().can_be(votes, 10)
