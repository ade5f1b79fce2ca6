"""What showing a machine's levels did: by hand, by laws, and how often limits hold the truth."""

import numpy as np
import pandas as pd
import pytest

from core.errors import TooLittleData
from core.machines.anchoring import (
    AWAY,
    EVERYBODY,
    FIRST,
    LAST,
    ONE_DECIDES,
    ONE_SIDE,
    ONE_TOPIC,
    QUESTIONS,
    REVISED,
    SHOWN_LESS,
    SHOWN_MORE,
    TOWARDS,
    compare_by_assessor,
    compare_halves,
    follow_drift,
)
from tests.each import each

NONE = np.nan
ROWS = [
    *(("a", "t1", True, 0, 2, 2), ("a", "t1", True, 1, 0, 2), ("a", "t1", False, 2, 2, 2)),
    *(("a", "t2", True, 2, 2, 2), ("a", "t2", False, 0, 0, 2), ("a", "t2", False, NONE, 2, 2)),
    *(("b", "t2", True, NONE, NONE, 2), ("b", "t3", True, 1, NONE, 2), ("b", "t3", False, 1, 3, 2)),
]
"""Assessor, topic, shown, first and last label, the machine's; by hand below."""


def frame(rows: list[tuple]) -> pd.DataFrame:
    columns = ["assessor_id", "topic_id", "shown", "first", "last", "machine"]
    labels = pd.DataFrame(rows, columns=columns).astype({"first": float, "last": float})
    return labels.assign(sequence=np.arange(len(labels)))


def halves(labels: pd.DataFrame) -> pd.DataFrame:
    return compare_halves(labels).set_index("question")


def test_the_shares_are_those_counted_by_hand():
    table = halves(frame(ROWS))
    assert list(table.index) == list(QUESTIONS)
    told = table[["shown", "shown_items", "other", "other_items"]]
    assert told.loc[FIRST].tolist() == pytest.approx([1 / 4, 4, 1 / 3, 3])
    assert told.loc[REVISED].tolist() == pytest.approx([3 / 5, 5, 2 / 4, 4])
    assert told.loc[TOWARDS].tolist() == pytest.approx([1 / 5, 5, 0, 4])
    assert told.loc[AWAY].tolist() == pytest.approx([1 / 5, 5, 0, 4])
    assert told.loc[LAST].tolist() == pytest.approx([2 / 3, 3, 2 / 4, 4])
    assert table["topics"].tolist() == [3] * 5
    assert (table["difference"] == table["shown"] - table["other"]).all()


def test_limits_hold_the_difference_within_its_range_and_swap_with_the_sides():
    labels = many(np.random.default_rng(3), 8, 20, 0.1, 0.3)
    table, swapped = halves(labels), halves(labels.assign(shown=~labels["shown"]))
    assert (table["reason"] == "").all()
    assert ((table["low"] < table["difference"]) & (table["difference"] < table["high"])).all()
    assert table[["low", "high"]].abs().max(axis=None) <= 1
    np.testing.assert_allclose(swapped["low"], -table["high"], atol=1e-12)
    np.testing.assert_allclose(swapped["difference"], -table["difference"], atol=1e-12)


def many(
    rng: np.random.Generator, topics: int, items: int, other: float, shown: float
) -> pd.DataFrame:
    """Return labels of which these shares were revised, from 0 to the machine's 1."""
    drawn = rng.random(topics * items) < 0.5
    last = (rng.random(topics * items) < np.where(drawn, shown, other)).astype(float)
    topic = np.repeat(np.arange(topics), items)
    rows = {"assessor_id": "a", "topic_id": topic, "shown": drawn, "first": 0.0, "last": last}
    return pd.DataFrame(rows | {"machine": 1.0, "sequence": np.arange(topics * items)})


def test_no_interval_is_a_point():
    """Where both halves are alike in every topic, others might not be."""
    same = [("a", f"t{n}", shown, 0, n % 2, 1) for n in range(6) for shown in (True, False) * 5]
    nothing = [("a", f"t{n}", shown, 0, 0, 1) for n in range(6) for shown in (True, False) * 5]
    for rows in (same, nothing):
        row = halves(frame(rows)).loc[REVISED]
        assert row["difference"] == 0
        assert row["low"] < -0.01
        assert row["high"] > 0.01


@each(
    ("rows", "reason"),
    [
        ([("a", "t1", True, 0, 1, 1), ("a", "t2", True, 0, 1, 1)], ONE_SIDE),
        ([("a", "t1", True, 0, 1, 1), ("a", "t1", False, 0, 1, 1)], ONE_TOPIC),
        (
            [("a", "t1", True, 0, 1, 1), *[("a", f"t{n}", False, 0, n, 1) for n in (0, 1)]],
            ONE_DECIDES,
        ),
    ],
)
def test_what_is_not_defined_says_why(rows: list[tuple], reason: str):
    row = halves(frame(rows)).loc[REVISED]
    assert row["reason"] == reason
    assert np.isnan(row["low"])
    assert np.isnan(row["high"])
    assert np.isnan(row["difference"]) == (reason == ONE_SIDE)


def test_each_assessor_is_compared_as_if_alone():
    labels = pd.concat(
        [
            many(np.random.default_rng(n), 6, 12, 0.2, 0.4).assign(assessor_id=f"p{n}")
            for n in (2, 1)
        ],
        ignore_index=True,
    )
    table = compare_by_assessor(labels)
    assert table["assessor_id"].tolist() == ["p1"] * 5 + ["p2"] * 5
    for name, own in labels.groupby("assessor_id"):
        alone = table[table["assessor_id"] == name].drop(columns="assessor_id")
        expected = compare_halves(own.reset_index(drop=True))
        pd.testing.assert_frame_equal(alone.reset_index(drop=True), expected)


def test_drift_compares_the_first_half_of_ones_labels_with_the_second():
    rows = [("a", f"t{n // 2}", n % 2 == 0, int(n >= 4), 0, 1) for n in range(8)]
    rows += [("b", f"t{n // 2}", False, 0, 0, 1) for n in range(5)]
    table = follow_drift(frame(rows[::-1]).assign(sequence=np.arange(13)[::-1]))
    assert table["whose"].tolist() == [EVERYBODY, SHOWN_MORE, SHOWN_LESS, "", ""]
    assert table["assessor_id"].tolist() == ["", "", "", "a", "b"]
    told = table[["shown_items", "early", "early_items", "late", "late_items", "difference"]]
    assert told.iloc[3].tolist() == [4, 0, 4, 1, 4, 1]
    assert told.iloc[4].tolist() == [0, 0, 3, 0, 2, 0]
    assert told.iloc[1].tolist() == told.iloc[3].tolist()
    assert told.iloc[0].tolist() == pytest.approx([4, 0, 7, 4 / 6, 6, 4 / 6])


def test_without_a_difference_in_what_was_shown_nobody_was_shown_more():
    labels = frame([("a", "t1", True, 1, 1, 1), ("b", "t1", True, 0, 0, 1)])
    assert follow_drift(labels)["whose"].tolist() == [EVERYBODY, "", ""]


@each("measure", [compare_halves, compare_by_assessor, follow_drift])
def test_without_labels_there_is_nothing_to_compare(measure):
    with pytest.raises(TooLittleData, match="nothing was judged"):
        measure(frame(ROWS)[:0])
