import numpy as np
import pandas as pd
import pytest

from core.comparison.score_matrix import ScoreMatrix, score_matrix
from core.errors import BadInput, TooLittleData
from tests.each import each

ROWS = [
    ("b", "2", 0.5),
    ("b", "1", 0.5),
    ("a", "1", 1.0),
    ("a", "2", 0.0),
    ("c", "2", 0.9),
    ("c", "1", 0.8),
]


def frame(rows) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["system", "topic_id", "value"])


def test_systems_stand_in_order_of_their_means_then_names():
    matrix = score_matrix(frame(ROWS))
    assert matrix.systems == ("c", "a", "b")
    assert matrix.topics == ("1", "2")
    assert matrix.values.tolist() == [[0.8, 1.0, 0.5], [0.9, 0.0, 0.5]]
    assert matrix.values.flags["C_CONTIGUOUS"]


def test_the_order_of_rows_does_not_matter():
    one, other = score_matrix(frame(ROWS)), score_matrix(frame(ROWS[::-1]))
    assert (one.systems, one.topics) == (other.systems, other.topics)
    np.testing.assert_array_equal(one.values, other.values)


def test_every_two_systems_make_a_pair():
    pairs = score_matrix(frame(ROWS)).pairs()
    assert list(zip(pairs["first"], pairs["second"], strict=True)) == [
        ("c", "a"),
        ("c", "b"),
        ("a", "b"),
    ]
    assert pairs["difference"].tolist() == pytest.approx([0.35, 0.35, 0])


def test_other_columns_are_ignored_and_one_measure_is_fine():
    scores = frame(ROWS).assign(measure="AP", judged=1.0)
    assert score_matrix(scores).systems == ("c", "a", "b")


@each(
    ("rows", "says"),
    [
        (ROWS[:-1], "system 'c' has no score on topic '1'"),
        ([*ROWS, ("a", "3", 0.1)], "system 'b' has no score on topic '3'"),
        ([*ROWS, ("a", "2", 0.1)], "system 'a' on topic '2' has two scores"),
        ([*ROWS[:-1], ("c", "1", np.nan)], "the score of system 'c' on topic '1' is not a finite"),
        ([*ROWS[:-1], ("c", "1", np.inf)], "the score of system 'c' on topic '1' is not a finite"),
    ],
)
def test_what_cannot_be_compared(rows, says):
    with pytest.raises(BadInput, match=says):
        score_matrix(frame(rows))


def test_one_measure_only():
    scores = frame(ROWS).assign(measure=["AP"] * 3 + ["RR"] * 3)
    with pytest.raises(BadInput, match="choose one measure"):
        score_matrix(scores)


@each("rows", [ROWS[:2], [ROWS[0], ROWS[3]]])
def test_too_little_to_compare(rows):
    with pytest.raises(TooLittleData, match="two systems and two topics"):
        score_matrix(frame(rows))


def test_no_score_is_said_to_be_none():
    with pytest.raises(TooLittleData, match="no system has a score on a topic that counts"):
        score_matrix(frame([]))


def test_dl19(dl19: ScoreMatrix):
    assert dl19.values.shape == (22, 37)
    assert (np.diff(dl19.values.mean(axis=0)) <= 0).all()
