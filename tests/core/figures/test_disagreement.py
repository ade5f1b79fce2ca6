"""Chances of the top level, weights beside gains, and combined weights as figures."""

import pandas as pd
import pytest

from core.figures.disagreement import draw_combined, draw_top_probability, draw_weights

NAN = float("nan")


@pytest.fixture
def rows() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "name": ["Non", "Rel", "HRel", "Key"],
            "p": [0.02, 0.15, 0.23, NAN],
            "low": [0.0, 0.1, NAN, NAN],
            "high": [0.05, 0.2, NAN, NAN],
            "cases": [300.0, 100.0, 20.0, 0.0],
            "few": [False, False, True, True],
            "p_shown": ["0.02", "0.15", "(0.23)", "–"],
            "weight": [0.0, 0.28, 0.41, 1.0],
            "linear": [0, 1 / 3, 2 / 3, 1.0],
            "exp": [0, 1 / 7, 3 / 7, 1.0],
        }
    )


def test_chances_have_intervals_and_few_cases_are_hollow_in_brackets(rows):
    figure = draw_top_probability(rows, "Key or Nav")
    solid, hollow = figure.data
    assert (list(solid.x), list(solid.y)) == (["Non", "Rel"], [0.02, 0.15])
    assert list(solid.error_y.array) == pytest.approx([0.03, 0.05])
    assert list(solid.error_y.arrayminus) == pytest.approx([0.02, 0.05])
    assert list(solid.text) == ["0.02", "0.15"]
    assert (list(hollow.x), list(hollow.text)) == (["HRel"], ["(0.23)"])
    assert (solid.marker.symbol, hollow.marker.symbol) == ("circle", "circle-open")
    assert figure.layout.yaxis.title.text == "p(Key or Nav | level)"


def test_levels_without_a_chance_keep_their_place_on_the_axis(rows):
    figure = draw_top_probability(rows, "Key")
    assert list(figure.layout.xaxis.categoryarray) == ["Non", "Rel", "HRel", "Key"]
    assert not any("Key" in trace.x for trace in figure.data)


def test_weights_stand_beside_both_gains_in_different_dashes(rows):
    figure = draw_weights(rows)
    assert [trace.name for trace in figure.data] == [
        "UDM weight",
        "linear gain, scaled",
        "exponential gain, scaled",
    ]
    assert list(figure.data[0].y) == [0.0, 0.28, 0.41, 1.0]
    assert list(figure.data[2].y) == pytest.approx([0, 1 / 7, 3 / 7, 1])
    assert len({trace.line.dash for trace in figure.data}) == 3
    assert len({trace.marker.symbol for trace in figure.data}) == 3
    assert figure.layout.showlegend


def test_combined_weights_have_the_best_page_on_top():
    rows = pd.DataFrame(
        {
            "snippet": ["Sure", "No", "Sure", "No"],
            "page": ["Key", "Key", "Non", "Non"],
            "weight": [1.0, 0.3, NAN, 0.0],
            "weight_shown": ["1.00", "(0.30)", "–", "0.00"],
            "cases": [80.0, 12.5, 0.0, 70.0],
        }
    )
    figure = draw_combined(rows, ["No", "Sure"], ["Non", "Key"])
    cells, _ = figure.data
    assert (list(cells.x), list(cells.y)) == (["No", "Sure"], ["Key", "Non"])
    assert [list(row) for row in cells.text] == [["(0.30)", "1.00"], ["0.00", "–"]]
    assert cells.z[0][1] == 1.0
    assert cells.customdata[0][0] == 12.5
    assert figure.layout.xaxis.title.text == "snippet level"
    assert figure.layout.yaxis.title.text == "page level"


def test_nothing_is_drawn_while_no_chance_is_known(rows):
    figure = draw_top_probability(rows.assign(p=NAN), "Key")
    assert not figure.data
    assert figure.layout.xaxis.title.text == "one assessor's level"
