"""Figures of a class."""

import numpy as np
import pandas as pd

from core.figures.learn import draw_label_counts, draw_level_weights

LEVELS = ["Non", "Rel", "Key"]


def test_labels_are_stacked_by_level_and_told_apart_without_colour():
    rows = pd.DataFrame(
        {
            "item": ["Page A"] * 3 + ["Page B"] * 3,
            "level": LEVELS * 2,
            "labels": [3, 0, 1, 0, 4, 0],
        }
    )
    figure = draw_label_counts(rows, LEVELS)
    assert [trace.name for trace in figure.data] == LEVELS
    assert list(figure.data[0].x) == [3, 0]
    assert list(figure.data[0].text) == ["3", ""]
    assert len({trace.marker.pattern.shape for trace in figure.data}) == 3
    assert figure.layout.barmode == "stack"
    assert figure.layout.xaxis.dtick == 1


def test_before_the_first_label_there_are_empty_rows():
    rows = pd.DataFrame({"item": ["Page A"] * 3, "level": LEVELS, "labels": [0, 0, 0]})
    figure = draw_label_counts(rows, LEVELS)
    assert list(figure.data[2].y) == ["Page A"]


def test_a_weight_that_is_not_known_is_a_question_mark():
    rows = pd.DataFrame(
        {"name": LEVELS, "weight": [0, np.nan, 1], "written": ["0.00", "?", "1.00"]}
    )
    (bars,) = draw_level_weights(rows).data
    assert list(bars.y) == [0, 0, 1]
    assert list(bars.text) == ["0.00", "?", "1.00"]
