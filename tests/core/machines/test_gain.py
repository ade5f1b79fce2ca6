"""What systems gain from a machine's labels, and whether a lineage gains more."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

from core.comparison.score_matrix import ScoreMatrix
from core.errors import BadInput
from core.machines.gain import compare_lineage, limit_means, mean_gains, topic_gains
from tests.core.comparison.matrices import matrix_of
from tests.each import each

RNG = np.random.default_rng(4)
BASE = RNG.beta(4, 4, (20, 8)) * 0.6
LIFT = np.array([0.2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1])
PEOPLE = matrix_of(BASE)
MACHINE = matrix_of(BASE + LIFT + RNG.normal(0, 0.02, BASE.shape))
LINEAGE = ["s0", "s1", "s2"]


def test_gains_are_by_topic_whatever_the_order_of_systems():
    turned = ScoreMatrix(MACHINE.systems[::-1], MACHINE.topics, MACHINE.values[:, ::-1])
    np.testing.assert_array_equal(topic_gains(PEOPLE, turned), MACHINE.values - PEOPLE.values)


def test_a_lenient_machine_lifts_all_and_the_lineage_more():
    frame = mean_gains(PEOPLE, MACHINE, 1.0)
    assert set(frame["system"][:3]) == set(LINEAGE)
    assert (frame["low"] > 0).all()
    assert (frame["relative_low"] > 0).tolist() == [True] * 3 + [False] * 5
    assert (frame["relative_high"] < 0).tolist() == [False] * 3 + [True] * 5
    assert frame["gain"].to_numpy() == pytest.approx(frame["machine_mean"] - frame["people_mean"])
    rest = [frame["gain"].drop(at).mean() for at in frame.index]
    assert frame["relative"].to_numpy() == pytest.approx(frame["gain"] - rest)
    assert frame["relative"].sum() == pytest.approx(0)
    assert set(frame["interval"]) == {"t on log odds"}
    assert set(frame["units"]) == {20}
    assert set(frame["reason"]) == {""}


def test_limits_stay_within_what_is_possible():
    people = matrix_of([[0.0, 0.0], [0.0, 0.0], [0.02, 0.0]])
    machine = matrix_of([[1.0, 0.0], [0.97, 0.0], [0.99, 0.0]])
    frame = mean_gains(people, machine, 1.0)
    assert (frame[["low", "high"]].abs() <= 1).all(axis=None)
    assert (frame[["relative_low", "relative_high"]].abs() <= 2).all(axis=None)


def test_topics_that_happen_to_agree_do_not_make_limits_narrow():
    low, high = limit_means(np.full((5, 1), 0.1), 1.0)
    assert low[0] < 0 < 0.1 < high[0]


def test_without_a_highest_score_students_t():
    values = np.array([[1.0, 2.0], [3.0, 2.0], [5.0, 2.0]])
    low, high = limit_means(values, np.inf)
    half = 4.302653 * 2 / np.sqrt(3)
    assert (low[0], high[0]) == pytest.approx((3 - half, 3 + half))
    assert np.isnan([low[1], high[1]]).all()
    frame = mean_gains(matrix_of(np.zeros((3, 2))), matrix_of(values), np.inf)
    assert set(frame["interval"]) == {"t"}
    same = mean_gains(matrix_of(np.zeros((3, 2))), matrix_of(np.ones((3, 2))), np.inf)
    assert same["reason"].str.contains("all topics give the same").all()


def test_other_systems_or_topics_are_refused():
    with pytest.raises(BadInput, match="same systems on the same topics"):
        topic_gains(PEOPLE, matrix_of(BASE[:, :5]))
    with pytest.raises(BadInput, match="same systems on the same topics"):
        topic_gains(PEOPLE, matrix_of(BASE[:5]))


@each("unit", ["topic", "system"])
def test_an_advantage_is_shown_or_not_shown(unit: str):
    found = compare_lineage(PEOPLE, MACHINE, LINEAGE, 1.0, unit)
    assert found.value == pytest.approx(0.1, abs=0.01)
    assert 0 < found.low < found.value < found.high
    assert (found.members, found.others, found.verdict) == (3, 5, "shown")
    assert found.shown_from == pytest.approx(found.value - found.low)
    assert found.units == {"topic": 20, "system": 8}[unit]
    assert found.sentence.endswith("an advantage is shown.")
    less = compare_lineage(PEOPLE, MACHINE, ["s5", "s6", "s7"], 1.0, unit)
    assert less.value < 0
    assert less.verdict == "not shown"
    assert "gain 0.055" in less.sentence
    assert "less than the 5 others" in less.sentence
    assert "an advantage is not shown; one from about" in less.sentence


def test_an_advantage_that_no_limits_could_show_is_not_said_to_have_been_shown():
    """Two topics on opposite ends: limits reach as far as gains can."""
    people = matrix_of(np.array([[1.0, 0, 0], [0, 1, 1]]))
    found = compare_lineage(people, matrix_of(people.values[::-1]), ["s0"], 1.0)
    assert np.isnan(found.shown_from)
    assert found.sentence.endswith("is not shown; by limits so wide none would have been.")
    single = compare_lineage(people, matrix_of(people.values[::-1]), ["s0", "s1"], 1.0)
    assert "than the 1 other (difference with" in single.sentence


def test_limits_over_runs_are_welchs():
    found = compare_lineage(PEOPLE, MACHINE, LINEAGE, 1.0, "system")
    gains = topic_gains(PEOPLE, MACHINE).mean(axis=0)
    limits = ttest_ind(gains[:3], gains[3:], equal_var=False).confidence_interval()
    assert (found.low, found.high) == pytest.approx((limits.low, limits.high))
    assert found.interval == "Welch's t"


def test_few_runs_stand_for_no_others():
    found = compare_lineage(PEOPLE, MACHINE, ["s0"], 1.0, "system")
    assert np.isnan([found.low, found.high, found.shown_from]).all()
    assert found.verdict == "not shown"
    assert found.reason == "limits over runs need 3 of the lineage and as many others"
    assert found.sentence.startswith("The 1 run of the lineage gains ")
    assert "an advantage is not shown: limits over runs" in found.sentence


def test_runs_that_all_gain_the_same_have_no_limits():
    flat = matrix_of(np.zeros((4, 6)))
    found = compare_lineage(flat, matrix_of(np.ones((4, 6))), LINEAGE, 1.0, "system")
    assert found.reason == "all runs gain the same"
    over_topics = compare_lineage(flat, matrix_of(np.ones((4, 6))), LINEAGE, np.inf)
    assert over_topics.reason.startswith("all topics give the same")


def test_strange_lineages_are_refused():
    for members, says in (
        (["s0", "x"], "'x' of the lineage is not among the runs"),
        ([], "not none and not all"),
        (PEOPLE.systems, "not none and not all"),
    ):
        with pytest.raises(BadInput, match=says):
            compare_lineage(PEOPLE, MACHINE, members, 1.0)
    with pytest.raises(BadInput, match="'assessor' is none of topic, system"):
        compare_lineage(PEOPLE, MACHINE, LINEAGE, 1.0, "assessor")
