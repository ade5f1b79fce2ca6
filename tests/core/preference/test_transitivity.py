"""Intransitive triples, counted and listed."""

from itertools import combinations

import numpy as np
import pytest

from core.preference.pair_counts import count_pairs
from core.preference.transitivity import NO_TRIPLE, find_intransitive
from tests.core.preference.simulated import pair_counts, preferences, simulate
from tests.each import each


def count_by_loop(given):
    """Return triples and intransitive ones by looking at each."""
    sign = {}
    for first, second, ahead in zip(
        given.first, given.second, np.sign(given.wins - given.losses), strict=True
    ):
        sign[first, second], sign[second, first] = ahead, -ahead
    triples = cycles = 0
    for a, b, c in combinations(range(len(given.items)), 3):
        signs = [sign.get(pair, 0) for pair in ((a, b), (b, c), (c, a))]
        triples += 0 not in signs
        cycles += abs(sum(signs)) == 3
    return triples, cycles


def test_a_circle_of_three():
    found = find_intransitive(pair_counts("abc", [[0, 1, 0], [0, 0, 1], [1, 0, 0]]))
    assert (found.triples, found.intransitive, found.share) == (1, 1, 1.0)
    assert found.examples.values.tolist() == [["", "a", "b", "c"]]
    other = find_intransitive(pair_counts("abc", [[0, 0, 1], [1, 0, 0], [0, 1, 0]]))
    assert other.examples.values.tolist() == [["", "a", "c", "b"]]


def test_without_three_decided_pairs_there_is_no_share():
    found = find_intransitive(pair_counts("abc", [[0, 1, 0], [1, 0, 1], [0, 0, 0]]))
    assert (found.triples, found.intransitive) == (0, 0)
    assert np.isnan(found.share)
    assert found.topics["reason"].tolist() == [NO_TRIPLE]
    assert found.examples.empty


@each("seed", range(6))
def test_counts_equal_a_loop_over_all_triples(seed):
    frame = simulate(60 + 60 * seed, 12, 3, np.random.default_rng(seed), ties=0.2)
    found = find_intransitive(count_pairs(frame), most=10_000)
    for topic, own in frame.groupby("topic_id"):
        row = found.topics.set_index("topic_id").loc[topic]
        wanted = count_by_loop(count_pairs(own))
        assert (row["triples"], row["intransitive"]) == wanted
    assert found.triples == found.topics["triples"].sum()
    assert len(found.examples) == found.intransitive
    assert not found.examples.duplicated().any()


def test_examples_are_what_they_say_and_not_more_than_asked_for():
    frame = simulate(2000, 14, 2, np.random.default_rng(3), ties=0.0, pull=1.0)
    given = count_pairs(frame)
    found = find_intransitive(given, most=7)
    assert len(found.examples) == 7
    ahead = {}
    names = given.items.apply(tuple, axis=1).tolist()
    for first, second, gap in zip(
        given.first, given.second, given.wins - given.losses, strict=True
    ):
        ahead[names[first], names[second]], ahead[names[second], names[first]] = gap, -gap
    for topic, *items in found.examples.itertuples(index=False):
        one, two, three = [(topic, item) for item in items]
        assert min(ahead[one, two], ahead[two, three], ahead[three, one]) > 0
        assert one == min(one, two, three)


def test_random_choices_are_intransitive_a_quarter_of_the_time():
    rng = np.random.default_rng(8)
    rows = [
        ("1", f"d{a:02}", f"d{b:02}", choice)
        for (a, b), choice in zip(
            combinations(range(60), 2), rng.choice(["first", "second"], 1770), strict=True
        )
    ]
    found = find_intransitive(count_pairs(preferences(*rows)))
    assert found.triples == 34_220
    assert found.share == pytest.approx(0.25, abs=0.02)
