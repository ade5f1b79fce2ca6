"""Levels of a machine by those of people: shares by hand, limits over topics."""

import numpy as np
import pytest

from core.agreement.intervals import share_interval
from core.agreement.pairs import ONE_TOPIC
from core.machines.levels import NOT_GIVEN, level_distribution, near_levels
from tests.core.machines.made_up import join, simulate

PEOPLE = [
    *(("t", "d", "a", 0), ("t", "d", "b", 0), ("t", "e", "a", 0), ("t", "f", "a", 2)),
    *(("u", "g", "a", 0), ("u", "g", "b", 2)),
]
MACHINE = [("t", "d", 1), ("t", "e", 0), ("t", "f", 0), ("u", "g", 2)]


def test_shares_by_hand():
    rows = level_distribution(join(PEOPLE, MACHINE, (0, 1, 2))).set_index(
        ["level", "machine_level"]
    )
    assert rows["cases"].unstack().to_numpy().tolist() == [[4] * 3, [0] * 3, [2] * 3]
    assert rows["n"].unstack().to_numpy().tolist() == [[1, 2, 1], [0, 0, 0], [1, 0, 1]]
    assert rows["value"].loc[0].tolist() == [0.25, 0.5, 0.25]
    assert rows["value"].loc[1].isna().all()
    assert rows["reason"].loc[1].unique().tolist() == [NOT_GIVEN]
    assert (rows["machine"] == "m").all()


def test_near_levels_by_hand():
    rows = near_levels(join(PEOPLE, MACHINE, (0, 1, 2))).set_index("level")
    assert rows["n"].tolist() == [3, 0, 1]
    assert rows["value"].loc[[0, 2]].tolist() == [0.75, 0.5]
    exact = near_levels(join(PEOPLE, MACHINE, (0, 1, 2)), steps=0).set_index("level")
    assert exact["value"].loc[[0, 2]].tolist() == [0.25, 0.5]
    all_near = near_levels(join(PEOPLE, MACHINE, (0, 1, 2)), steps=2).set_index("level")
    assert all_near["value"].loc[[0, 2]].tolist() == [1, 1]


def test_limits_are_those_of_shares_over_topics():
    joined = join(*simulate())
    row = near_levels(joined).iloc[2]
    _, topic, counts = joined.beside_people()
    cases, hits = np.zeros((8, 1)), np.zeros((8, 1))
    for at, block in zip(topic, counts, strict=True):
        cases[at] += block[2].sum()
        hits[at] += block[2, 1:4].sum()
    low, high, topics = share_interval(hits, cases)
    assert (row["low"], row["high"], row["units"]) == (low[0], high[0], topics[0])
    assert row["low"] < row["value"] < row["high"]


def test_levels_of_one_topic_have_no_limits():
    rows = near_levels(join(PEOPLE[:4], MACHINE[:3], (0, 1, 2))).set_index("level")
    assert rows["reason"].tolist() == [ONE_TOPIC, NOT_GIVEN, ONE_TOPIC]
    assert rows["low"].isna().all()


def test_shares_of_a_level_add_up_to_one():
    rows = level_distribution(join(*simulate()))
    assert rows.groupby("level")["value"].sum().tolist() == pytest.approx([1] * 4)
    assert (rows.groupby("level")["n"].sum() == rows.groupby("level")["cases"].first()).all()
