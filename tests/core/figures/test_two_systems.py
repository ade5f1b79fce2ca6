"""Two systems side by side: bars of differences, points around a diagonal."""

import pandas as pd
import pytest

from core.figures.two_systems import draw_differences, draw_topic_scatter

PAIRS = pd.DataFrame(
    {
        "topic_id": ["t3", "t1", "t4", "t2"],
        "name": ["t3 cats", "t1", "t4 dogs", "t2 birds"],
        "first": [0.9, 0.4, 0.2, 0.1],
        "second": [0.5, 0.3, 0.2, 0.6],
        "difference": [0.4, 0.1, 0.0, -0.5],
    }
)


def traces(figure):
    return {trace.name: trace for trace in figure.data}


def test_bars_stand_above_and_below_zero_and_equal_topics_are_marked():
    drawn = traces(draw_differences(PAIRS, "one", "other", "Rprec"))
    assert list(drawn["one higher"].x) == ["t3", "t1"]
    assert list(drawn["one higher"].y) == [0.4, 0.1]
    assert list(drawn["other higher"].x) == ["t2"]
    assert list(drawn["other higher"].y) == [-0.5]
    assert list(drawn["equal"].x) == ["t4"]
    assert list(drawn["equal"].y) == [0.0]
    assert drawn["equal"].type == "scatter"


def test_topics_stand_in_the_order_given():
    figure = draw_differences(PAIRS, "one", "other", "Rprec")
    assert list(figure.layout.xaxis.categoryarray) == ["t3", "t1", "t4", "t2"]
    assert figure.layout.xaxis.range == (-0.7, 3.7)
    assert figure.layout.yaxis.title.text == "Difference in Rprec"


def test_bars_are_told_apart_without_colour_and_named_above():
    figure = draw_differences(PAIRS, "one<b>", "other", "Rprec")
    drawn = traces(figure)
    assert drawn["other higher"].marker.pattern.shape == "/"
    assert drawn["other higher"].marker.pattern.fillmode == "overlay"
    assert drawn["one&lt;b> higher"].marker.pattern.shape is None
    above, below = (note.text for note in figure.layout.annotations)
    assert "▲" in above
    assert above.endswith("above 0: one&lt;b> is higher")
    assert "▼" in below
    assert below.endswith("below 0: other is higher")


def test_points_lie_where_the_two_systems_score():
    figure = draw_topic_scatter(PAIRS, "one", "other", "AP", {"t3", "t2"})
    drawn = traces(figure)
    assert list(drawn["one higher"].x) == [0.9, 0.4]
    assert list(drawn["one higher"].y) == [0.5, 0.3]
    assert list(drawn["other higher"].x) == [0.1]
    assert list(drawn["equal"].y) == [0.2]
    assert len({trace.marker.symbol for trace in figure.data}) == 3
    assert figure.layout.xaxis.title.text == "AP of one"
    assert figure.layout.yaxis.title.text == "AP of other"


def test_only_the_topics_asked_for_are_named_away_from_the_diagonal():
    drawn = traces(draw_topic_scatter(PAIRS, "one", "other", "AP", {"t3", "t1", "t2", "t4"}))
    assert list(drawn["one higher"].text) == ["t3", "t1"]
    assert list(drawn["one higher"].textposition) == ["bottom left", "bottom right"]
    assert list(drawn["other higher"].text) == ["t2"]
    assert list(drawn["other higher"].textposition) == ["top right"]
    assert list(drawn["equal"].text) == [""]
    some = traces(draw_topic_scatter(PAIRS, "one", "other", "AP", {"t1"}))
    assert list(some["one higher"].text) == ["", "t1"]


def test_the_diagonal_crosses_a_square_plot():
    layout = draw_topic_scatter(PAIRS, "one", "other", "AP").layout
    low, high = layout.xaxis.range
    assert layout.yaxis.range == (low, high)
    assert (low, high) == pytest.approx((-0.045, 0.945))
    (line,) = layout.shapes
    assert (line.x0, line.y0, line.x1, line.y1) == (low, low, high, high)
    assert layout.yaxis.scaleanchor == "x"


def test_systems_that_find_nothing_still_have_axes():
    nothing = PAIRS.assign(first=0.0, second=0.0, difference=0.0)
    figure = draw_topic_scatter(nothing, "one", "other", "AP")
    assert figure.layout.xaxis.range[1] > 0
    assert [len(trace.x) for trace in figure.data] == [0, 0, 4]
