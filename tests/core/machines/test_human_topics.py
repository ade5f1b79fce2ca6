"""What more topics judged by people would buy."""

import numpy as np
import pytest

from core.machines.human_topics import choose_numbers, expect_widths
from core.machines.judged_scores import JudgedScores
from core.machines.mean_limits import bound_differences, bound_means
from core.machines.prediction_powered import estimate_means
from tests.core.machines.test_prediction_powered import draw
from tests.each import each
from tests.short import long


@each("finite", [False, True])
def test_at_the_present_number_the_widths_are_the_present_ones(finite):
    scores = draw(1)
    row = expect_widths(scores, bound_means(1), [12], finite=finite).iloc[0]
    found = estimate_means(scores, bound_means(1), finite=finite)
    for name in ("classical", "powered"):
        one = getattr(found, name)
        assert row[name] == pytest.approx((one.high - one.low).mean())
    assert (row["n_human"], row["n_machine"]) == (12, 60)


def test_more_topics_make_intervals_narrower():
    widths = expect_widths(draw(2), bound_means(1))
    assert (np.diff(widths["classical"]) < 0).all()
    assert (np.diff(widths["powered"]) < 0).all()
    assert (widths["n_human"] + widths["n_machine"] == 72).all()


def test_where_people_judge_nearly_all_the_machine_adds_nothing():
    last = expect_widths(draw(3), bound_means(1), [71]).iloc[0]
    assert last["powered"] == pytest.approx(last["classical"], rel=0.01)
    whole = expect_widths(draw(3), bound_means(1), [71], finite=True).iloc[0]
    assert whole["classical"] < 0.2 * last["classical"]


def test_up_to_three_topics_teach_nothing_of_the_machine():
    widths = expect_widths(draw(4), bound_means(1), [2, 3, 4])
    assert (widths["classical"] == widths["powered"]).tolist() == [True, True, False]


def test_the_numbers_begin_with_two_and_hold_the_present_one():
    numbers = choose_numbers(draw(4))
    assert (numbers[0], numbers[-1]) == (2, 71)
    assert 12 in numbers
    assert len(numbers) <= 21


def test_without_limits_there_is_no_width():
    scores = draw(5)
    alike = np.full_like(scores.human, 0.25)
    same = JudgedScores(alike, scores.paired, scores.machine).subtract_pairs()
    assert expect_widths(same, bound_differences(1), [8])["classical"].isna().all()


@long
def test_it_tells_what_more_topics_do_bring():
    """The width told from 12 topics of a study is that of 36 topics of such studies, on average."""
    told, came = [], []
    for seed in range(60):
        scores = draw(seed, n_human=36, n_machine=36)
        few = JudgedScores(
            scores.human[:12],
            scores.paired[:12],
            np.concatenate([scores.paired[12:], scores.machine]),
        )
        told.append(expect_widths(few, bound_means(1), [36]).iloc[0][["classical", "powered"]])
        came.append(expect_widths(scores, bound_means(1), [36]).iloc[0][["classical", "powered"]])
    ratio = np.mean(told, axis=0) / np.mean(came, axis=0)
    assert ratio.tolist() == pytest.approx([1, 1], abs=0.08)
