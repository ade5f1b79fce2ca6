"""Figures of whether enough is judged: what stands where."""

import numpy as np
import pandas as pd

from core.figures.stopping import (
    draw_expected_tau,
    draw_moving_topics,
    draw_reliability,
    draw_score_bounds,
)
from tests.each import each


def test_tau_is_drawn_with_its_limits_and_the_rule():
    rows = pd.DataFrame(
        {
            "share": [0.1, 0.2, 0.3],
            "judged": [10, 20, 30],
            "tau": [np.nan, 0.8, 0.9],
            "low": [np.nan, 0.6, 0.8],
            "high": [np.nan, 0.9, 1.0],
            "best_stays": [np.nan, 0.5, 0.7],
        }
    )
    figure = draw_expected_tau(rows, 0.85)
    low, high, points = figure.data
    assert list(points.y) == [0.8, 0.9]
    assert list(low.y) == [0.6, 0.8]
    assert list(high.y) == [0.9, 1.0]
    assert figure.layout.shapes[0].y0 == 0.85
    assert points.customdata[0][1] == "[.600, .900]" or "0.6" in str(points.customdata[0][1])
    assert not draw_expected_tau(rows).layout.shapes


def test_topics_are_bars_in_order():
    rows = pd.DataFrame({"name": ["b", "a"], "part": [0.7, 0.3], "judged": [1, 2], "items": [5, 6]})
    (bars,) = draw_moving_topics(rows).data
    assert list(bars.y) == ["b", "a"]
    assert list(bars.x) == [0.7, 0.3]


@each("known", [True, False])
def test_bounds_are_bars_where_they_are_known(known):
    end = [0.1, 0.2] if known else [np.nan] * 2
    rows = pd.DataFrame(
        {"system": ["s", "t"], "today": [0.2, 0.3], "all_relevant": [0.5, 0.6], "lowest": end,
         "highest": [0.8, 0.9] if known else end}
    )  # fmt: skip
    names = [one.name for one in draw_score_bounds(rows, "AP").data]
    assert names == [
        *(["possible"] if known else []),
        *("rest not relevant (today)", "rest all relevant"),
    ]


def test_reliability_stands_beside_the_diagonal():
    rows = pd.DataFrame(
        {"predicted": [0.1, 0.9], "observed": [0.2, 0.9], "low": [0.1, 0.8], "high": [0.3, 1.0],
         "stops": [10, 20]}
    )  # fmt: skip
    figure = draw_reliability(rows)
    assert list(figure.data[0].y) == [0.2, 0.9]
    assert (figure.layout.shapes[0].x1, figure.layout.shapes[0].y1) == (1, 1)
