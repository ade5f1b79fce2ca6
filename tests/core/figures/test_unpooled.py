"""The figure of unpooled runs: traces, axis titles, data."""

import pandas as pd

from core.figures.two_systems import draw_falls

ROWS = pd.DataFrame(
    {
        "system": ["b", "b", "a", "a"],
        "measure": ["AP", "AP(judged_only=True)"] * 2,
        "fall": [0.3, -0.1, 0.1, 0.0],
        "rank_fall": [2, -1, 1, 0],
    }
)


def test_each_measure_is_a_trace_and_each_run_a_row():
    figure = draw_falls(ROWS, "AP")
    assert [trace.name for trace in figure.data] == ["AP", "AP(judged_only=True)"]
    assert list(figure.data[0].x) == [0.3, 0.1]
    assert list(figure.data[1].x) == [-0.1, 0.0]
    assert list(figure.data[0].y) == [0, 1]
    assert list(figure.layout.yaxis.ticktext) == ["b", "a"]
    assert figure.layout.xaxis.title.text == "fall in mean AP (left of 0: a rise)"
    told = [row[1] for trace in figure.data for row in trace.customdata]
    assert told == ["2 ranks lower", "1 rank lower", "1 rank higher", "same rank"]
    assert figure.data[0].marker.symbol != figure.data[1].marker.symbol
