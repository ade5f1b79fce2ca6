"""One assessor's levels, times and course as figures."""

import pandas as pd

from core.figures.assessors import draw_drift, draw_level_shares, draw_times
from tests.each import each

NAN = float("nan")


def test_levels_stand_beside_those_of_the_others_and_differ_without_colour():
    rows = pd.DataFrame(
        {
            "name": ["No", "Yes"],
            "labels": [3, 1],
            "share": [0.75, 0.25],
            "others": [5, 5],
            "others_share": [0.5, NAN],
        }
    )
    figure = draw_level_shares(rows, "anna")
    own, others = figure.data
    assert (own.name, list(own.x), list(own.y)) == ("anna", ["No", "Yes"], [0.75, 0.25])
    assert (others.name, list(others.text)) == ("all others", ["50%", ""])
    assert list(own.customdata) == [3, 1]
    assert own.marker.pattern.shape != others.marker.pattern.shape
    assert figure.layout.barmode == "group"


def test_times_reach_from_quartile_to_quartile():
    rows = pd.DataFrame(
        {
            "name": ["No", "Yes"],
            "labels": [4, 9],
            "lower": [1, 2],
            "median": [2, 3],
            "upper": [5, 7],
        }
    )
    figure = draw_times(rows)
    (dots,) = figure.data
    assert list(dots.y) == [2, 3]
    assert list(dots.error_y.array) == [3, 4]
    assert list(dots.error_y.arrayminus) == [1, 1]
    assert list(dots.text) == ["2.0", "3.0"]
    assert figure.layout.yaxis.title.text == "active time (s)"


@each(("usual", "lines"), [(None, []), (0.0, [0.0])])
def test_drift_goes_over_tenths_with_a_line_to_compare_with(usual, lines):
    rows = pd.DataFrame({"part": [1, 2, 3], "labels": [2, 2, 3], "leniency": [0.5, NAN, -0.5]})
    figure = draw_drift(rows, "leniency", "steps", usual=usual)
    (line,) = figure.data
    assert list(line.x) == [1, 2, 3]
    assert (line.y[0], line.y[2]) == (0.5, -0.5)
    assert not line.connectgaps
    assert [shape.y0 for shape in figure.layout.shapes] == lines
    assert figure.layout.yaxis.title.text == "steps"
