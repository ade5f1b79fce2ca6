"""Inferred and actual precision–recall curves: errors by hand, and the three views."""

import numpy as np
import pytest

from core.informativeness.inferred_curves import (
    draw_curves,
    measure_curve_errors,
    unite,
    view_curves,
)
from core.informativeness.problem import label_rankings
from core.measures.ranking import Rankings, compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.informativeness.problems import QRELS, RUNS


@pytest.fixture
def small() -> Rankings:
    return compile_rankings(RUNS, put_on_scale(QRELS))


def test_errors_by_hand(small: Rankings):
    labels = label_rankings(small, 4, topics=["t1"], systems=["a"])
    # Relevant at ranks 1 and 4: precision 1 and .5 there; inferred .4 and .5.
    p = np.array([[0.4], [0.4], [0.6], [0.6]])
    errors = measure_curve_errors(labels, p).iloc[0]
    assert errors["curve"] == "union"
    assert errors["rms"] == pytest.approx(np.sqrt(0.6**2 / 2))
    assert errors["mae"] == pytest.approx(0.3)
    assert errors["uniform_rms"] == pytest.approx(np.sqrt(0.5**2 / 2))
    assert errors["uniform_mae"] == pytest.approx(0.25)
    assert (errors["problems"], errors["left_out"]) == (1, 0)


def test_rankings_without_anything_to_match_are_left_out_and_counted(small: Rankings):
    labels = label_rankings(small, 4)
    p = np.repeat(labels.rret / 4, 4).reshape(-1, 4).T
    p[:, 2] = np.nan
    errors = measure_curve_errors(labels, p).iloc[0]
    # System a shows nothing relevant for t2, and nothing was inferred for b on t1.
    assert (errors["problems"], errors["left_out"]) == (2, 2)
    assert errors["rms"] == errors["uniform_rms"]
    nothing = measure_curve_errors(labels, np.full_like(p, np.nan)).iloc[0]
    assert np.isnan(nothing["rms"])
    assert nothing["left_out"] == 4


def test_several_intents_are_seen_in_three_ways(small: Rankings):
    labels = label_rankings(small, 4, by_intent=True, topics=["t1"], systems=["a"])
    p = np.array([[0.5, 0.1], [0.5, 0.2], [0.5, 0.3], [0.5, 0.4]])
    views = view_curves(labels, p)
    assert list(views) == ["mean", "union", "intent"]
    np.testing.assert_allclose(views["mean"].inferred[:, 0], [0.3, 0.35, 0.4, 0.45])
    np.testing.assert_allclose(views["mean"].actual[:, 0], [0.5, 0, 0, 1])
    np.testing.assert_allclose(views["union"].inferred[:, 0], [0.55, 0.6, 0.65, 0.7])
    assert views["union"].actual[:, 0].tolist() == [1, 0, 0, 1]
    assert views["intent"].matched.T.tolist() == [[True, False, False, True], [False] * 3 + [True]]
    errors = measure_curve_errors(labels, p).set_index("curve")
    # Intent 1: .5 against 1, .5 against .5; intent 2: .25 against .25.
    assert errors.loc["intent", "mae"] == pytest.approx((0.25 + 0) / 2)
    assert errors.loc["intent", "rms"] == pytest.approx((np.sqrt(0.125) + 0) / 2)
    assert errors.loc["mean", "mae"] == pytest.approx((0.2 + 0) / 2)


def test_intents_that_are_not_shown_do_not_count(small: Rankings):
    labels = label_rankings(small, 3, by_intent=True, topics=["t1"], systems=["a"])
    p = np.array([[0.5, 0.0], [0.25, 0.0], [0.25, 0.0]])
    errors = measure_curve_errors(labels, p).set_index("curve")
    assert errors.loc["intent", "mae"] == pytest.approx(0.5)


def test_certainty_has_no_error(simulated: Rankings):
    labels = label_rankings(simulated, by_intent=True)
    errors = measure_curve_errors(labels, labels.actual)
    np.testing.assert_allclose(errors[["rms", "mae"]], 0, atol=1e-15)
    assert (errors["uniform_rms"] > 0.05).all()


def test_the_union_of_one_intent_is_that_intent(small: Rankings):
    labels = label_rankings(small, 4)
    p = np.random.default_rng(1).random((4, 4))
    np.testing.assert_allclose(unite(labels, p), p)


def test_curves_of_one_ranking(small: Rankings):
    labels = label_rankings(small, 4, by_intent=True, topics=["t1"], systems=["a"])
    drawn = draw_curves(labels, np.full((4, 2), 0.5))
    assert drawn.groupby("curve", sort=False).size().to_dict() == {
        "mean": 4,
        "union": 4,
        "intent": 8,
    }
    assert set(drawn["intent"]) == {"", "1", "2"}
    last = drawn[drawn["rank"] == 4].set_index(["curve", "intent"])
    # Two of three relevant documents are shown; both of intent 1's, one of intent 2's two.
    assert last.loc[("union", ""), "actual_recall"] == pytest.approx(2 / 3)
    assert last.loc[("union", ""), "recall"] == pytest.approx(4 * 0.75 / 3)
    assert last.loc[("intent", "1"), "actual_recall"] == 1
    assert last.loc[("mean", ""), "actual_recall"] == pytest.approx(0.75)
    assert last.loc[("mean", ""), "recall"] == pytest.approx(1)
    assert last.loc[("mean", ""), "actual_precision"] == pytest.approx(0.375)
    assert drawn[drawn["curve"] == "union"]["matched"].tolist() == [True, False, False, True]
