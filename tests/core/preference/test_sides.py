"""Side bias: counted by hand, and how often it is found where it is and where it is not."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest

from core.errors import TooLittleData
from core.preference.sides import (
    NO_CHANGE,
    NO_REPEAT,
    NO_SIDE,
    side_bias,
    swapped_repeats,
)
from tests.core.preference.simulated import preferences, simulate
from tests.each import each
from tests.short import long

ASSESSORS = 1000


def test_by_hand():
    frame = preferences(
        ("1", "a", "b", "first", "x", "a"),
        ("1", "a", "c", "second", "x", "c"),
        ("2", "a", "b", "second", "x", "a"),
        ("2", "a", "c", "tie", "x", "a"),
        ("1", "a", "b", "first", "y", ""),
        ("1", "a", "b", "first", "z", "b"),
    )
    table = side_bias(frame)
    assert table["assessor_id"].tolist() == ["", "x", "y", "z"]
    assert table[["left", "n"]].values.tolist() == [[2, 4], [2, 3], [0, 0], [0, 1]]
    assert table["p"][:2].tolist() == pytest.approx([1, binomtest(2, 3).pvalue])
    assert table["reason"].tolist() == ["", "", NO_SIDE, ""]
    assert np.isnan(table["share"][2])


def test_repeats_do_not_count_twice_and_nothing_at_all_is_refused():
    frame = preferences(("1", "a", "b", "first", "x", "a", 1))
    with pytest.raises(TooLittleData):
        side_bias(frame)


def many(n, pull):
    """Simulate assessors, each with n preferences of their own, and return their rows."""
    frame = simulate(n * ASSESSORS, 8, 10, np.random.default_rng(n), ties=0, pull=pull)
    who = np.repeat([f"a{at:03}" for at in range(ASSESSORS)], n)
    return side_bias(frame.assign(assessor_id=pd.array(who, dtype="str"))).iloc[1:]


@long
@each("n", [50, 200])
def test_a_fair_assessor_is_accused_no_more_often_than_stated(n):
    """At p < .05 the exact test accuses a fair assessor in less than 5 % of cases: the rate over
    1,000 of them must agree with what the binomial distribution gives for this n."""
    accused = int((many(n, 0.0)["p"] < 0.05).sum())
    ends = np.arange(n + 1)
    stated = binom.pmf(ends[[binomtest(int(k), n).pvalue < 0.05 for k in ends]], n, 0.5).sum()
    assert stated <= 0.05
    assert binomtest(accused, ASSESSORS, stated).pvalue > 0.001
    assert accused / ASSESSORS <= 0.07


@long
@each(
    ("n", "pull", "least"), [(100, 0.4, 0.97), (200, 0.3, 0.98), (50, 0.8, 0.999), (50, 0.3, 0.4)]
)
def test_a_biased_assessor_is_detected_as_often_as_stated(n, pull, least):
    """``pull`` is how often the left one is taken unseen, so that (1 + pull) / 2 of n are left."""
    rows = many(n, pull)
    detected = ((rows["p"] < 0.05) & (rows["share"] > 0.5)).mean()
    assert detected >= least


def judge_twice(pull, rng, people=1, pairs=60):
    """Simulate assessors who meet every pair again with sides swapped."""
    topic, person = np.divmod(np.arange(pairs * people), people)
    once = pd.DataFrame(
        {
            "topic_id": [f"t{at}" for at in topic],
            "first": "a",
            "second": "b",
            "assessor_id": [f"x{at:03}" for at in person],
            "left": np.where((topic + person) % 2, "a", "b"),
            "occasion": 0,
        }
    )
    other = once["second"].where(once["left"] == once["first"], once["first"])
    both = pd.concat([once, once.assign(left=other, occasion=1)], ignore_index=True)
    likes_first = np.tile(rng.random(len(once)) < 0.5, 2)
    by_side = rng.random(len(both)) < pull
    takes_first = np.where(by_side, both["left"] == both["first"], likes_first)
    rows = both.assign(choice=np.where(takes_first, "first", "second"))
    columns = ["topic_id", "first", "second", "choice", "assessor_id", "left", "occasion"]
    return preferences(*rows[columns].itertuples(index=False))


def test_a_pair_judged_again_with_sides_swapped_by_hand():
    frame = preferences(
        *[("1", "a", "b", "first", "x", "a", 0), ("1", "a", "b", "first", "x", "b", 1)],
        *[("2", "a", "b", "first", "x", "a", 0), ("2", "a", "b", "second", "x", "b", 1)],
        *[("3", "a", "b", "first", "x", "b", 0), ("3", "a", "b", "second", "x", "a", 1)],
        *[("4", "a", "b", "first", "x", "b", 0), ("4", "a", "b", "tie", "x", "a", 1)],
        *[("5", "a", "b", "tie", "x", "b", 0), ("5", "a", "b", "tie", "x", "a", 1)],
        # Not swapped, another assessor, or a side unknown: no repeat with sides swapped.
        *[("6", "a", "b", "first", "x", "a", 0), ("6", "a", "b", "second", "x", "a", 1)],
        *[("7", "a", "b", "first", "x", "a", 0), ("7", "a", "b", "second", "y", "b", 1)],
        *[("8", "a", "b", "first", "x", "", 0), ("8", "a", "b", "first", "x", "b", 1)],
    )
    table = swapped_repeats(frame)
    assert table["assessor_id"].tolist() == ["", "x"]
    columns = ["n", "same", "left", "right", "changed"]
    assert table[columns].values.tolist() == [[5, 2, 1, 1, 1]] * 2
    assert table["share"][0] == pytest.approx(0.4)
    assert table["p"][0] == 1


def test_without_repeats_or_change_it_says_so():
    table = swapped_repeats(preferences(("1", "a", "b", "first", "x", "a")))
    assert table["reason"].tolist() == [NO_REPEAT]
    assert table[["n", "same"]].values.tolist() == [[0, 0]]
    frame = judge_twice(0.0, np.random.default_rng(1))
    table = swapped_repeats(frame)
    assert table["share"].tolist() == [1, 1]
    assert table["reason"].tolist() == [NO_CHANGE] * 2


@long
def test_swapped_repeats_find_a_biased_assessor_and_spare_a_careless_one():
    """Of 200 each, over 60 pairs: who takes the left one unseen in 40 % is found in at least 95 %;
    who chooses at random in 30 % is accused in at most 8 %, 5 % being the level of the test."""
    biased = swapped_repeats(judge_twice(0.4, np.random.default_rng(0), 200)).iloc[1:]
    assert (biased["p"] < 0.05).mean() >= 0.95
    assert (biased["left"] > biased["right"]).mean() >= 0.99
    rng = np.random.default_rng(1)
    frame = judge_twice(0.0, rng, 200)
    careless = rng.random(len(frame)) < 0.3
    chosen = np.where(careless, rng.choice(["first", "second"], len(frame)), frame["choice"])
    fair = swapped_repeats(frame.assign(choice=pd.array(chosen, dtype="str"))).iloc[1:]
    assert (fair["p"] < 0.05).mean() <= 0.08
