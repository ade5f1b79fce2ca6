"""One topic's precision by recall: markers where documents are, a staircase above them."""

import pandas as pd
import pytest

from core.figures.curves import draw_precision_points

POINTS = pd.DataFrame(
    {
        "system": ["b<i>", "b<i>", "b<i>", "a"],
        "rank": [1, 4, 5, 2],
        "recall": [0.25, 0.5, 0.75, 1.0],
        "value": [1.0, 0.5, 0.6, 0.5],
        "interpolated": [1.0, 0.6, 0.6, 0.5],
    }
)


def test_each_system_has_its_exact_points():
    figure = draw_precision_points(POINTS)
    markers = [trace for trace in figure.data if trace.mode == "markers"]
    assert [trace.name for trace in markers] == ["b&lt;i>", "a"]
    assert list(markers[0].x) == [0.25, 0.5, 0.75]
    assert list(markers[0].y) == [1.0, 0.5, 0.6]
    assert list(markers[0].customdata) == [1, 4, 5]
    assert markers[0].marker.symbol != markers[1].marker.symbol
    assert figure.layout.xaxis.title.text == "Recall"
    assert figure.layout.yaxis.title.text == "Precision"


def test_the_staircase_falls_at_each_point_and_to_nothing_beyond_the_last():
    figure = draw_precision_points(POINTS)
    steps = [trace for trace in figure.data if trace.mode == "lines"]
    assert {trace.line.shape for trace in steps} == {"vh"}
    assert list(steps[0].x) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert list(steps[0].y) == [1.0, 1.0, 0.6, 0.6, 0.0]
    assert list(steps[1].y) == [0.5, 0.5, 0.5]
    assert steps[0].line.dash != steps[1].line.dash


def test_the_eleven_levels_of_recall_are_grid_lines_and_the_legend_has_each_system_once():
    figure = draw_precision_points(POINTS)
    assert figure.layout.xaxis.dtick == pytest.approx(0.1)
    assert [trace.name for trace in figure.data if trace.showlegend is not False] == [
        "b&lt;i>",
        "a",
    ]


def test_recall_is_drawn_a_little_beyond_what_was_found():
    few = POINTS[POINTS["system"] == "b<i>"].assign(recall=[0.01, 0.05, 0.12])
    assert draw_precision_points(few).layout.xaxis.range[1] == pytest.approx(1.03 * 0.3)
    assert draw_precision_points(POINTS).layout.xaxis.range[1] == pytest.approx(1.03)
