"""The figure of both halves: its series, its axis, and what it leaves out."""

import numpy as np
import pandas as pd

from core.figures.machine_anchoring import draw_halves

ROWS = pd.DataFrame(
    {
        "question": ["revised", "towards"],
        "shown": [0.5, 0.25],
        "shown_items": [10, 12],
        "other": [0.25, np.nan],
        "other_items": [8, 0],
    }
)


def test_it_has_both_halves_and_joins_those_that_are_defined():
    figure = draw_halves(ROWS)
    assert [trace.name for trace in figure.data] == ["shown", "not shown"]
    assert list(figure.data[0].x) == [0.5, 0.25]
    assert list(figure.data[0].customdata) == [10, 12]
    (join,) = figure.layout.shapes
    assert (join.x0, join.x1, join.y0) == (0.25, 0.5, "revised")
    assert figure.layout.xaxis.title.text == "share of labels"
