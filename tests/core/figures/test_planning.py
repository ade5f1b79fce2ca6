"""Figures of plans: what is drawn, what is marked, and the ends of their axes."""

import numpy as np
import pandas as pd

from core.figures.planning import (
    draw_detectable,
    draw_item_widths,
    draw_learning,
    draw_power,
    draw_same_cost,
)
from core.planning.cost import CostRates
from core.planning.designs import Requirement
from core.planning.item_spread import ItemSpread
from core.planning.variance import ScoreVariance, Variance, given_variance
from core.reports.planning import plan_agreement, plan_cost, plan_topics

PILOT = ScoreVariance(Variance(0.02, 0.01, 0.05, 22, ""), Variance(0.04, 0.02, 0.09, 22, ""), 5)
PLAN = plan_topics(PILOT, Requirement(0.05, systems=5), present=22)
PAIRED = PLAN.curve[PLAN.curve["method"] == "paired-t"]


def test_the_least_difference_has_a_band_a_dot_and_two_dotted_lines():
    figure = draw_detectable(PAIRED, 0.05, 128.0, 22, "nDCG@10")
    low, high, line, dot = figure.data
    assert high.fill == "tonexty"
    assert (np.array(low.y) <= np.array(line.y)).all()
    assert (np.array(line.y) <= np.array(high.y)).all()
    assert (list(dot.x), list(dot.y), list(dot.text)) == ([128.0], [0.05], ["128 topics"])
    assert [shape.y0 for shape in figure.layout.shapes] == [0.05, 0]
    assert figure.layout.shapes[1].x0 == 22
    assert figure.layout.xaxis.title.text == "topics"
    assert "nDCG@10" in figure.layout.yaxis.title.text


def test_without_a_pilot_there_is_no_band_and_without_a_number_no_dot():
    plan = plan_topics(given_variance(differences=0.04), Requirement(), ["paired-t"])
    assert len(draw_detectable(plan.curve, 0.05, 128.0, 0, "AP").data) == 2
    figure = draw_detectable(plan.curve.iloc[:0], 0.05, float("nan"), 0, "AP")
    assert len(figure.data) == 1
    assert len(figure.layout.shapes) == 1


def test_power_has_a_line_for_each_test():
    titles = dict(zip(PLAN.designs["method"], PLAN.designs["title"], strict=True))
    figure = draw_power(PLAN.curve.assign(title=PLAN.curve["method"].map(titles)), 0.8, 22)
    assert [line.name for line in figure.data] == list(titles.values())[:4]
    assert max(max(line.y) for line in figure.data) <= 1
    assert [shape.y0 for shape in figure.layout.shapes] == [0.8, 0]


def test_widths_fall_with_the_items():
    plan = plan_agreement("κ", ItemSpread(0.4, 0.8, 0.05, -1.0), 0.2, (5, 50))
    figure = draw_item_widths(plan.curve, 0.2, plan.figure)
    assert [line.name for line in figure.data] == ["5 of each topic", "50 of each topic"]
    assert all((np.diff(line.y) < 0).all() for line in figure.data)
    assert figure.layout.yaxis.range[1] <= 0.8
    assert figure.layout.xaxis.type == "log"


def test_bars_are_depths_that_have_power():
    pools = np.array([10.0, 1e6])
    plan = plan_cost(40, (5, 10), pools, CostRates(), Requirement(), np.full(2, 0.04), hours=2)
    (bars,) = draw_same_cost(plan.same, 0.8).data
    assert list(bars.x) == ["5"]
    assert list(bars.text) == ["48 topics"]
    empty = draw_same_cost(pd.DataFrame(columns=plan.same.columns), 0.8)
    assert len(empty.data[0].x) == 0


def test_learning_curves_have_a_line_for_each_number():
    curve = pd.DataFrame(
        [(1, 5, 0.3), (1, 10, 0.2), (2, 5, 0.25)], columns=["opinions", "topics", "error"]
    )
    figure = draw_learning(curve, "opinions", "topics", "an item")
    assert [line.name for line in figure.data] == ["1 an item", "2 an item"]
    assert (list(figure.data[0].x), list(figure.data[0].y)) == ([5, 10], [0.3, 0.2])
    assert figure.layout.xaxis.title.text == "topics"
    votes = draw_learning(
        curve.rename(columns={"topics": "budget"}), "opinions", "budget", "a pair"
    )
    assert votes.layout.xaxis.title.text == "votes in all"
