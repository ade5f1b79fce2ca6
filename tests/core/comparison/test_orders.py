"""Moves between orders: counted by hand."""

import pandas as pd

from core.comparison.orders import compare_orders


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
