"""Who is closer to the others: the person left out, or the machine."""

import numpy as np
import pytest

from core.errors import BadInput
from core.machines.choices import SCORINGS
from core.machines.left_out import count_closer
from tests.core.machines.leaving_one_out import accuracy, compare_items, negative_rmse
from tests.core.machines.made_up import join, simulate
from tests.each import each

SCORES = {"accuracy": accuracy, "rmse": negative_rmse}


@each("scoring", SCORINGS)
def test_outcomes_equal_a_plain_loop(scoring):
    people, machine = simulate()
    joined = join(people, machine)
    counts = count_closer(joined, scoring)
    expected = np.zeros_like(counts)
    names, topics = joined.ratings.assessors, joined.ratings.topics
    for person, own in compare_items(people, machine, SCORES[scoring]).items():
        for topic, ahead, behind in own:
            outcome = {1: 0, 0: 1, -1: 2}[behind - ahead]
            expected[outcome, topics.index(topic), names.index(person)] += 1
    assert counts.tolist() == expected.tolist()
    assert counts.sum() > 200
    assert counts[:, :, names.index("m")].sum() == 0


def test_levels_far_off_cost_more_by_rmse_only():
    people = [("t", "d", "a", 1), ("t", "d", "b", 0), ("t", "d", "c", 0)]
    joined = join(people, [("t", "d", 3)])
    who = joined.ratings.assessors.index("a")
    assert count_closer(joined)[:, 0, who].tolist() == [0, 1, 0]
    assert count_closer(joined, "rmse")[:, 0, who].tolist() == [1, 0, 0]


def test_distances_are_those_of_levels_not_of_steps():
    people = [("t", "d", "a", 4), ("t", "d", "b", 1), ("t", "d", "c", 9)]
    joined = join(people, [("t", "d", 9)], (0, 1, 4, 9))
    who = joined.ratings.assessors.index("a")
    # 3² + 5² for the person, 8² + 0 for the machine.
    assert count_closer(joined, "rmse")[:, 0, who].tolist() == [1, 0, 0]


def test_items_need_as_many_people_as_are_asked_for():
    people = [("t", "d", "a", 1), ("t", "d", "b", 1), ("t", "e", "a", 1)]
    joined = join(people, [("t", "d", 1), ("t", "e", 1)])
    assert count_closer(joined).sum() == 2
    assert count_closer(joined, fewest_people=3).sum() == 0


def test_an_unknown_scoring_is_refused():
    with pytest.raises(BadInput, match="'f1' is no way to score; known are accuracy, rmse"):
        count_closer(join(*simulate()), "f1")
