"""Sides balanced over judges, pairs and topics."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput
from core.preference.placement import assign_sides, swap_sides


def pairs_of(topics, items):
    rows = [
        (f"t{topic}", f"d{a}", f"d{b}")
        for topic in range(topics)
        for a in range(items)
        for b in range(a + 1, items)
    ]
    return pd.DataFrame(rows, columns=["topic_id", "first", "second"])


def lefts(assigned, *by):
    """Return how often first less second stands on the left, by pair or otherwise."""
    sign = (assigned["left"] == assigned["first"]) * 2 - 1
    return sign.groupby([assigned[name] for name in by]).sum()


@pytest.mark.parametrize("judges", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("seed", range(3))
def test_sides_are_balanced(judges, seed):
    pairs = pairs_of(7, 5)
    people = [f"x{at}" for at in range(judges)]
    assigned = assign_sides(pairs, people, np.random.default_rng(seed))
    assert len(assigned) == len(pairs) * judges
    by_pair = lefts(assigned, "topic_id", "first", "second")
    assert (by_pair.abs() == judges % 2).all()
    over_topics = lefts(assigned, "first", "second")
    assert (over_topics.abs() <= judges % 2).all()
    assert abs(by_pair.sum()) <= 1
    assert assigned.groupby("assessor_id").size().tolist() == [len(pairs)] * judges


def test_every_judge_may_find_any_item_on_the_left():
    pairs = pairs_of(1, 2)
    seen = {
        tuple(assign_sides(pairs, ["x", "y"], np.random.default_rng(seed))["left"])
        for seed in range(20)
    }
    assert seen == {("d0", "d1"), ("d1", "d0")}


def test_each_pair_may_have_judges_of_its_own_and_a_seed_decides():
    pairs = pairs_of(2, 3).set_index(np.zeros(6, dtype=int))
    judges = [["x", "y"], ["y", "z"], ["x", "z"]] * 2
    assigned = assign_sides(pairs, judges, np.random.default_rng(4))
    assert assigned["assessor_id"].tolist() == [name for row in judges for name in row]
    assert assigned["topic_id"].tolist() == ["t0"] * 6 + ["t1"] * 6
    again = assign_sides(pairs, judges, np.random.default_rng(4))
    pd.testing.assert_frame_equal(assigned, again)


def test_a_repeat_has_the_sides_swapped():
    once = assign_sides(pairs_of(2, 4), ["x", "y"], np.random.default_rng(1))
    again = swap_sides(once)
    assert (again["occasion"] == 1).all()
    assert (again["left"] != once["left"]).all()
    assert swap_sides(again)["left"].tolist() == once["left"].tolist()


@pytest.mark.parametrize("judges", [[], [["x"]], [[["x"]]], ["x", "x"]])
def test_judges_that_do_not_fit_are_refused(judges):
    with pytest.raises(BadInput, match="judge"):
        assign_sides(pairs_of(1, 3), judges, np.random.default_rng(0))
