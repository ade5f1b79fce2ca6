"""Figures of effectiveness: traces, axis titles, data."""

import pandas as pd
import pytest

from core.figures.effectiveness import (
    draw_gain_curve,
    draw_leaderboard,
    draw_precision_points,
    draw_precision_recall,
    draw_topic_scores,
)
from tests.each import each

RECALL = pd.DataFrame(
    {
        "system": ["b", "b", "a", "a"],
        "recall": [0.0, 1.0, 0.0, 1.0],
        "value": [0.9, 0.4, 0.8, 0.4],
    }
)


def test_precision_recall_has_a_line_for_each_system_in_order():
    figure = draw_precision_recall(RECALL)
    assert [trace.name for trace in figure.data] == ["b", "a"]
    assert list(figure.data[0].x) == [0.0, 1.0]
    assert list(figure.data[1].y) == [0.8, 0.4]
    assert figure.layout.xaxis.title.text == "Recall"
    assert figure.layout.yaxis.title.text == "Precision (interpolated)"
    assert figure.layout.yaxis.range[0] <= 0


def test_lines_are_told_apart_without_colour_and_named_at_their_ends():
    figure = draw_precision_recall(RECALL)
    assert len({trace.line.dash for trace in figure.data}) == 2
    assert len({trace.marker.symbol for trace in figure.data}) == 2
    notes = figure.layout.annotations
    assert [note.text.split("> ")[-1] for note in notes] == ["b", "a"]
    assert [(note.x, note.y) for note in notes] == [(1.0, 0.4), (1.0, 0.4)]
    assert notes[1].ay - notes[0].ay == pytest.approx(14)


def test_gain_curve_shows_the_range_of_its_values():
    curve = pd.DataFrame({"system": "a", "rank": [1, 2, 3], "value": [0.9, 0.8, 0.7]})
    figure = draw_gain_curve(curve, "nDCG(gain='exp')")
    assert list(figure.data[0].y) == [0.9, 0.8, 0.7]
    assert figure.layout.xaxis.title.text == "Rank"
    assert figure.layout.yaxis.title.text == "nDCG(gain='exp') up to the rank"
    assert 0.6 < figure.layout.yaxis.range[0] < 0.7


@each(("best", "end"), [(1.0, 1.0), (2.0, 2.04)])
def test_the_axis_of_a_share_of_the_ideal_ends_at_1(best, end):
    curve = pd.DataFrame({"system": "a", "rank": [1, 2], "value": [best - 1, best]})
    ideal = pd.DataFrame({"rank": [1, 2], "value": [best, best]})
    figure = draw_gain_curve(curve, "nDCG", ideal)
    assert figure.layout.yaxis.range[1] == pytest.approx(end)
    assert {one.cliponaxis for one in figure.data} == {False}


def test_a_flat_curve_still_has_a_range():
    curve = pd.DataFrame({"system": "a", "rank": [1], "value": [0.5]})
    low, high = draw_gain_curve(curve).layout.yaxis.range
    assert low < 0.5 < high


def test_topic_scores_stand_from_the_top_with_the_median_beside_them():
    scores = pd.DataFrame(
        {"topic_id": ["t2 " + "x" * 40, "t1"], "value": [0.9, 0.3], "typical": [0.5, 0.6]}
    )
    figure = draw_topic_scores(scores, "topic_id", "AP")
    median, dots = figure.data
    assert list(dots.x) == [0.9, 0.3]
    assert list(dots.customdata) == list(scores["topic_id"])
    assert list(median.x) == [0.5, 0.6]
    assert median.marker.symbol != dots.marker.symbol
    assert figure.layout.xaxis.title.text == "AP"
    assert figure.layout.yaxis.ticktext[1] == "t1"
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert figure.layout.showlegend


def test_systems_on_a_topic_need_no_legend():
    scores = pd.DataFrame({"system": ["a", "b"], "value": [0.9, 0.3]})
    figure = draw_topic_scores(scores, "system", "P@5")
    assert [trace.name for trace in figure.data] == ["P@5"]
    assert not figure.layout.showlegend


def test_exact_precision_by_recall_tells_the_ranks():
    curve = pd.DataFrame(
        {"system": "a", "rank": [1, 2], "recall": [0.1, 0.15], "value": [0.9, 0.8]}
    )
    figure = draw_precision_recall(curve, exact=True)
    (line,) = figure.data
    assert list(line.x) == [0.1, 0.15]
    assert list(line.customdata) == [1, 2]
    assert "rank %{customdata}" in line.hovertemplate
    assert figure.layout.yaxis.title.text == "Precision at each rank"


def test_the_ideal_is_a_thick_grey_line_with_a_name():
    curve = pd.DataFrame({"system": "a", "rank": [1, 2], "value": [0.9, 0.8]})
    ideal = pd.DataFrame({"rank": [1, 2], "value": [3.0, 5.0]})
    figure = draw_gain_curve(curve, "DCG", ideal)
    best, line = figure.data
    assert list(best.x) == [1, 2]
    assert list(best.y) == [3.0, 5.0]
    assert best.line.width > line.line.width
    assert best.mode == "lines"
    assert [note.text.split("> ")[-1] for note in figure.layout.annotations] == ["ideal", "a"]
    low, high = figure.layout.yaxis.range
    assert 0 < low < 0.8
    assert high > 5


def leaders(differs: list[bool | None]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            **{"system": ["b", "a<", "c"], "value": [0.9, 0.8, 0.1], "low": [0.7, 0.6, 0.0]},
            **{"high": [1.0, 0.9, 0.3], "judged": [1.0, 0.5, 0.2], "topics": [4, 4, 4]},
            "differs": pd.array(differs, dtype="boolean"),
        }
    )


def test_the_leaderboard_shades_whom_the_best_is_not_shown_to_differ_from():
    figure = draw_leaderboard(leaders([None, False, True]), "AP")
    dots, bars = figure.data
    assert list(dots.x) == [0.9, 0.8, 0.1]
    assert list(dots.error_x.array) == pytest.approx([0.1, 0.1, 0.2])
    assert list(bars.x) == [1.0, 0.5, 0.2]
    assert list(figure.layout.yaxis.ticktext) == ["b", "a&lt;", "c"]
    assert [shape.y0 for shape in figure.layout.shapes] == [-0.5, 0.5]


def test_without_a_test_nobody_is_shaded():
    assert not draw_leaderboard(leaders([None, None, None]), "AP").layout.shapes


def test_a_long_leaderboard_is_seen_at_once():
    rows = pd.concat([leaders([None, False, True])] * 13, ignore_index=True).head(37)
    figure = draw_leaderboard(rows, "AP")
    assert figure.layout.height < 565
    assert figure.layout.yaxis.tickfont.size < 12
    assert figure.layout.xaxis2.title.text == "judged share"


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
