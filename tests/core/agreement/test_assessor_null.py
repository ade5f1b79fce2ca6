"""Labels dealt anew: what is kept, what is lost, and that what is found is no more than it is."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.agreement.assessor_bias import (
    agreement_with_gold,
    agreement_with_others,
    deviations,
    gold_codes,
    leniency,
)
from core.agreement.assessor_null import (
    FEWEST_SHUFFLES,
    FEWEST_TOPICS,
    SHUFFLES,
    DealtScores,
    _Scorer,
    by_moments,
    compare_with_dealt,
    count_shuffles,
    deal,
    deal_topics,
    give_to,
    leniency_by_chance,
)
from core.agreement.coefficients import Kappa
from core.agreement.confusion import confusion_matrices
from core.agreement.multi_rater import krippendorff_alpha
from core.agreement.multi_rater_counts import level_counts
from core.agreement.pairs import agreement_by_pair
from core.agreement.ratings import Ratings
from tests.calibration.label_models import LEVELS, MODELS, READING, Levels, rate


def draw(seed: int, topics: int = 6, people: int = 6, *careless: int) -> Ratings:
    """Return labels of a study in which some people answer at random."""
    rng = np.random.default_rng(seed)
    levels = MODELS[1].draw(topics, people, rng)
    for one in careless:
        levels[..., one] = rng.choice(LEVELS, levels.shape[:2])
    return rate(levels)


def no_gold(ratings: Ratings) -> np.ndarray:
    return np.full(len(ratings.items), -1)


def test_what_is_dealt_stays_in_its_group_and_every_order_is_as_likely():
    group = np.array([2, 0, 2, 1, 2])
    orders = [tuple(at.tolist()) for at in deal(group, 6_000, np.random.default_rng(1))]
    assert all(np.array_equal(group[[*one]], group) for one in orders)
    assert {one[1] for one in orders} == {1}
    _, times = np.unique([(one[0], one[2], one[4]) for one in orders], axis=0, return_counts=True)
    assert len(times) == 6
    assert times.min() > 850


def test_p_is_by_the_largest_of_all_and_counts_what_was_found():
    dealt = np.array([[0.0, 10.0], [1.0, 20.0], [2.0, 30.0]])
    found = compare_with_dealt(np.array([9.0, 20.0]), dealt, 1)
    assert found.mean.tolist() == [1, 20]
    assert found.p.tolist() == [1 / 4, 3 / 4]
    assert compare_with_dealt(np.array([-9.0, 20.0]), dealt, -1).p[0] == 1 / 4
    assert compare_with_dealt(np.array([-9.0, 20.0]), dealt, 0).p[0] == 1 / 4
    assert compare_with_dealt(np.array([-9.0, 20.0]), dealt, 1).p[0] == 1
    same = compare_with_dealt(np.array([5.0, np.nan]), np.full((3, 2), 5.0), 0)
    assert same.p[0] == 1
    assert np.isnan([one[1] for one in same]).all()
    assert np.isnan(compare_with_dealt(np.full(2, np.nan), dealt, 0).p).all()


def test_moments_have_two_sides_and_nothing_is_beyond_what_never_moves():
    chance = by_moments(np.array([0.0, -1.96, 3.0, np.nan]), np.array([1.0, 1.0, 0.0, 1.0]))
    assert chance.p[1] == pytest.approx(0.15, abs=0.001)
    assert chance.p[[0, 2]].tolist() == [1, 1]
    assert np.isnan(chance.p[3])
    assert chance.high[:3].round(2).tolist() == [1.96, 1.96, 0]


def test_leniency_by_chance_is_that_of_labels_that_are_dealt():
    ratings = draw(1)
    kept = np.random.default_rng(2).random(len(ratings.item)) < 0.5
    ratings = replace(
        ratings,
        **{name: getattr(ratings, name)[kept] for name in ("item", "assessor", "level", "topic")},
    )
    value = leniency(ratings)["value"].to_numpy()
    found = leniency_by_chance(ratings, value)
    drawn = []
    for at in deal(ratings.item, 800, np.random.default_rng(3)):
        far = deviations(replace(ratings, level=ratings.level[at]))
        drawn.append(pd.Series(far).groupby(ratings.assessor).mean())
    assert np.abs(found.high / 1.96 / np.std(drawn, axis=0) - 1).max() < 0.1
    assert np.abs(np.mean(drawn, axis=0)).max() < 0.02


def test_labels_as_they_are_have_the_scores_of_the_tables():
    ratings = draw(4, 4, 5, 2)
    gold = ratings.items.assign(level=np.arange(len(ratings.items)) % 4)[:50]
    dealt = DealtScores(ratings, gold_codes(ratings, gold), 9)
    pairs = agreement_by_pair(confusion_matrices(ratings), [Kappa("linear")])
    assert dealt.found.kappa == pytest.approx(agreement_with_others(pairs)["mean"].to_numpy())
    told = agreement_with_gold(ratings, gold)["kappa"].to_numpy()
    assert dealt.found.gold == pytest.approx(told)
    sums = level_counts(ratings).by_topic().total()
    assert dealt.found.alpha[0] == pytest.approx(krippendorff_alpha(sums, "ordinal"))
    assert dealt.left_out == (1, 2)
    without = ratings.assessor != np.argmin(dealt.found.kappa)
    own = {name: getattr(ratings, name)[without] for name in ("item", "assessor", "level", "topic")}
    sums = level_counts(replace(ratings, **own)).by_topic().total()
    assert dealt.found.alpha[1] == pytest.approx(krippendorff_alpha(sums, "ordinal"))
    assert np.ptp(dealt.within_items.alpha[:, 0]) < 1e-9
    assert np.ptp(dealt.within_people.alpha[:, 0]) > 0.001
    again = DealtScores(ratings, gold_codes(ratings, gold), 9)
    assert np.array_equal(again.within_items.kappa, dealt.within_items.kappa)


def test_who_answers_at_random_is_found_and_nobody_on_dealt_labels():
    ratings = draw(5, 6, 6, 3)
    dealt = DealtScores(ratings, no_gold(ratings), 99)
    p = compare_with_dealt(dealt.found.kappa, dealt.within_items.kappa, -1).p
    assert np.flatnonzero(p < 0.05).tolist() == [3]
    (at,) = deal(ratings.item, 1, np.random.default_rng(6))
    ratings = replace(ratings, level=ratings.level[at])
    dealt = DealtScores(ratings, no_gold(ratings), 99)
    assert (compare_with_dealt(dealt.found.kappa, dealt.within_items.kappa, -1).p > 0.05).all()


def test_leaving_out_makes_agreement_of_nothing_and_dealing_shows_it():
    """The trap: whoever agreed by chance stays."""
    ratings = draw(7, 2, 12, *range(12))
    dealt = DealtScores(ratings, no_gold(ratings), 99)
    assert dealt.left_out == (1, 3, 6)
    before, *_, after = dealt.found.alpha
    assert abs(before) < 0.03
    assert after > before + 0.02
    nothing = dealt.within_people.alpha.mean(axis=0)
    assert nothing[-1] > nothing[0] + 0.02
    p = compare_with_dealt(dealt.found.alpha, dealt.within_items.alpha, 1).p
    assert (p > 0.05).all()


def test_many_labels_are_dealt_less_often_and_few_people_are_all_kept():
    assert [count_shuffles(n) for n in (0, 10_000, 10**9)] == [SHUFFLES, SHUFFLES, FEWEST_SHUFFLES]
    two = draw(8, 2, 2)
    dealt = DealtScores(two, no_gold(two), 3)
    assert dealt.left_out == ()
    assert dealt.within_items.alpha.shape == (3, 1)
    alone = draw(9, 2, 1)
    assert np.isnan(DealtScores(alone, no_gold(alone), 3).found.kappa).all()


def test_what_is_dealt_within_topics_stays_together():
    """Items and topics keep their labels, and a person's of a topic go to one who judged there."""
    ratings = draw(10, 3, 4)
    some = (ratings.topic < 2) | (ratings.assessor > 0)
    ratings = replace(
        ratings,
        **{name: getattr(ratings, name)[some] for name in ("item", "assessor", "level", "topic")},
    )
    whose = [
        {at: ratings.level[(ratings.topic == topic) & (ratings.assessor == at)] for at in range(4)}
        for topic in range(3)
    ]
    got = set()
    for owner in deal_topics(ratings, 200, np.random.default_rng(1)):
        dealt = give_to(ratings, owner)
        assert (np.diff(dealt.item * 4 + dealt.assessor) > 0).all()
        assert np.array_equal(level_counts(dealt).counts, level_counts(ratings).counts)
        order = []
        for topic, own in enumerate(whose):
            for at in range(4):
                levels = dealt.level[(dealt.topic == topic) & (dealt.assessor == at)]
                order += [one for one, given in own.items() if np.array_equal(given, levels)]
        assert sorted(order[8:]) == [0, 1, 2, 3]
        assert order[8] == 0, "who judged nothing in a topic is given nothing there"
        got.add(tuple(order))
    assert len(got) > 190


def test_topics_read_by_each_in_their_own_way_are_beyond_items_and_not_beyond_topics():
    rng = np.random.default_rng(16)
    beyond = np.zeros(2)
    for _ in range(12):
        ratings = rate(READING[1].draw(6, 6, rng))
        dealt = DealtScores(ratings, no_gold(ratings), 99)
        for at, one in enumerate((dealt.within_items, dealt.within_topics)):
            beyond[at] += (compare_with_dealt(dealt.found.kappa, one.kappa, -1).p < 0.05).any()
    assert beyond[0] >= 4
    assert beyond[1] <= 1


def test_few_topics_tell_nothing_of_who_differs_on_the_whole():
    ratings = draw(14, FEWEST_TOPICS, 4)
    gold = np.where(np.arange(len(ratings.items)) < 4 * 30, 1, -1)
    dealt = DealtScores(ratings, gold, 3).within_topics
    assert not np.isnan(dealt.kappa).any()
    assert not np.isnan(dealt.alpha).any()
    assert np.isnan(dealt.gold).all()
    gold[-1] = 2
    assert not np.isnan(DealtScores(ratings, gold, 3).within_topics.gold).any()
    # In the last topic each item is judged by one.
    alone = (ratings.topic < FEWEST_TOPICS - 1) | (ratings.assessor == ratings.item % 4)
    ratings = replace(
        ratings,
        **{name: getattr(ratings, name)[alone] for name in ("item", "assessor", "level", "topic")},
    )
    dealt = DealtScores(ratings, gold, 3)
    assert not dealt.is_over_topics
    assert all(np.isnan(one).all() for one in dealt.within_topics[:3])


def test_who_shares_too_little_with_others_is_never_left_out():
    """Also where people are exchanged within topics, so that others share too little."""
    ratings = draw(15, 5, 6)
    few = (ratings.assessor < 4) | (ratings.topic == 0) & (ratings.item < 5)
    ratings = replace(
        ratings,
        **{name: getattr(ratings, name)[few] for name in ("item", "assessor", "level", "topic")},
    )
    dealt = DealtScores(ratings, no_gold(ratings), 5)
    assert np.isnan(dealt.found.kappa).tolist() == [False] * 4 + [True] * 2
    assert dealt.left_out == (1, 2)
    score = _Scorer(ratings, no_gold(ratings))
    found = score(ratings.level, [2, 4, 6])
    assert found.alpha[2] == found.alpha[3]
    assert sorted(found.stays) == [0, 0, 1, 1, 3, 3]
    assert found.stays[4:].tolist() == [3, 3]


def test_whose_labels_are_in_a_dealing_is_told():
    """Those who agree least in a dealing are left out with the labels that they were dealt."""
    ratings = draw(16, 5, 5)
    dealt = DealtScores(ratings, no_gold(ratings), 4)
    for ways, owners in (
        (dealt.within_items, dealt.owners_within_items()),
        (dealt.within_topics, dealt.owners_within_topics()),
    ):
        for at, owner in enumerate(owners):
            stay = give_to(ratings, owner)
            kept = ways.stays[at][stay.assessor] > 0
            own = {
                name: getattr(stay, name)[kept] for name in ("item", "assessor", "level", "topic")
            }
            sums = level_counts(replace(stay, **own)).by_topic().total()
            assert ways.alpha[at, 1] == pytest.approx(krippendorff_alpha(sums, "ordinal"))


def pair_up(topics: int = 20) -> Levels:
    """Return labels of twelve people who judge in pairs: one pair everywhere, others in turn."""
    levels = MODELS[1].draw(topics, 12, np.random.default_rng(17))[:, :8]
    topic, item, who = np.indices(levels.shape)
    own = np.where(item < 4, who // 2 == 0, who // 2 == 1 + topic % 5)
    return np.where(own, levels, -1)


def test_who_is_parted_from_those_who_share_items_by_an_exchange_has_nothing_beside_topics():
    ratings = rate(pair_up())
    dealt = DealtScores(ratings, no_gold(ratings), 19)
    assert dealt.is_over_topics
    assert not np.isnan(dealt.found.kappa).any()
    assert len(dealt.left_out) == 3
    within = dealt.within_topics
    assert np.flatnonzero(~np.isnan(within.kappa).all(axis=0)).tolist() == [0, 1]
    assert np.isnan(within.alpha).all()
