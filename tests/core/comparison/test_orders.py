"""Moves between orders: counted by hand."""

import numpy as np
import pandas as pd
import pytest

from core.comparison.orders import compare_orders, largest_moves, rank_systems
from core.errors import BadInput


def ranked(**orders: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"version": version, "system": system, "rank": place, "value": 1 / place}
            for version, order in orders.items()
            for place, system in enumerate(order, start=1)
        ]
    )


def test_moves_and_first_places():
    pairs = compare_orders(ranked(x="abcdef", y="abcdfe", z="fabcde"))
    assert pairs["far"].tolist() == [0, 1, 1]
    assert pairs["largest"].tolist() == [1, 5, 4]
    assert pairs["mover"].tolist() == ["e", "f", "f"]
    assert pairs["best_first"].tolist() == ["a", "a", "a"]
    assert pairs["best_second"].tolist() == ["a", "f", "f"]


def test_where_nobody_moves_nobody_is_named():
    (pair,) = compare_orders(ranked(x="ab", y="ab")).to_dict("records")
    assert (pair["far"], pair["largest"], pair["mover"]) == (0, 0, "")


@pytest.fixture
def means():
    rows = [("v2", "a", 0.5), ("v2", "b", 0.7), ("v2", "d", 0.5), ("v2", "c", 0.1)]
    rows += [("v1", "a", 0.9), ("v1", "b", 0.2), ("v1", "c", 0.3), ("v1", "d", 0.1)]
    return pd.DataFrame(rows, columns=["version", "system", "value"])


def test_tied_systems_share_the_best_place(means):
    ranked = rank_systems(means)
    assert list(ranked) == ["version", "system", "rank", "value"]
    assert ranked.iloc[:4].values.tolist() == [
        ["v2", "b", 1, 0.7],
        ["v2", "a", 2, 0.5],
        ["v2", "d", 2, 0.5],
        ["v2", "c", 4, 0.1],
    ]
    assert ranked["system"].tolist()[4:] == ["a", "c", "b", "d"]


def test_an_undefined_score_comes_last(means):
    means.loc[0, "value"] = float("nan")
    assert rank_systems(means)["system"].tolist()[:4] == ["b", "d", "c", "a"]


def test_conditions_may_be_measures(means):
    ranked = rank_systems(means.rename(columns={"version": "measure"}), by="measure")
    assert list(ranked) == ["measure", "system", "rank", "value"]


def test_several_scores_under_one_condition_are_refused(means):
    with pytest.raises(BadInput, match="choose one measure"):
        rank_systems(pd.concat([means, means]))


def test_moves_between_versions(means):
    moves = largest_moves(rank_systems(means))
    assert moves.values.tolist() == [
        ["b", 1, "v2", 3, "v1", 2],
        ["c", 2, "v1", 4, "v2", 2],
        ["d", 2, "v2", 4, "v1", 2],
        ["a", 1, "v1", 2, "v2", 1],
    ]
    assert list(moves)[1:] == ["highest", "highest_in", "lowest", "lowest_in", "move"]


def test_by_a_falling_measure_the_lowest_is_first():
    means = pd.DataFrame({"version": "v", "system": ["a", "b", "c"], "value": [0.9, 0.2, np.nan]})
    assert rank_systems(means, greater_is_better=False)["system"].tolist() == ["b", "a", "c"]
