"""Figures of estimates by people's and a machine's labels: traces, axis titles, data."""

import numpy as np
import pandas as pd

from core.figures.estimates import draw_estimates, draw_widths

ROWS = pd.DataFrame(
    {
        "system": ["b"] * 3 + ["<a>"] * 3,
        "estimate": ["classical", "ppi", "machine_only"] * 2,
        "value": [0.5, 0.55, 0.7, 0.4, 0.45, 0.6],
        "low": [0.3, 0.4, np.nan, 0.2, 0.3, 0.5],
        "high": [0.8, 0.7, np.nan, 0.7, 0.6, 0.7],
        "units": [5, 5, 40] * 2,
    }
)
WIDTHS = pd.DataFrame(
    {
        "n_human": [2, 5, 44],
        "n_machine": [43, 40, 1],
        "classical": [0.9, 0.5, 0.1],
        "powered": [0.9, 0.3, 0.1],
    }
)


def test_three_ways_stand_one_below_the_other_for_each_system():
    figure = draw_estimates(ROWS, "AP")
    people, powered, machine = figure.data
    assert list(people.x) == [0.5, 0.4]
    assert list(powered.error_x.array) == [0.7 - 0.55, 0.6 - 0.45]
    assert list(powered.error_x.arrayminus) == [0.55 - 0.4, 0.45 - 0.3]
    assert list(people.y) < list(powered.y) < list(machine.y)
    assert list(powered.y) == [0, 1]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert figure.layout.xaxis.title.text == "mean AP"


def test_they_are_told_apart_without_colour():
    figure = draw_estimates(ROWS, "AP")
    assert len({trace.marker.symbol for trace in figure.data}) == 3
    assert [trace.name for trace in figure.data] == [
        "people alone",
        "prediction-powered",
        "machine alone (with its bias)",
    ]
    assert figure.layout.showlegend


def test_names_are_plain_and_what_has_no_limits_says_none():
    machine = draw_estimates(ROWS, "AP").data[2]
    assert machine.customdata[0][1] == ""
    assert machine.customdata[1][0] == "&lt;a>"
    assert machine.customdata[1][1] == " [0.500, 0.700]"


def test_the_curve_has_a_line_for_people_and_one_for_both():
    figure = draw_widths(WIDTHS, 5, "AP")
    people, powered = figure.data
    assert list(people.x) == list(powered.x) == [2, 5, 44]
    assert list(people.y) == [0.9, 0.5, 0.1]
    assert list(powered.y) == [0.9, 0.3, 0.1]
    assert people.line.dash != powered.line.dash
    assert people.marker.symbol != powered.marker.symbol
    assert figure.layout.yaxis.title.text == "mean width of intervals, AP"


def test_the_present_number_of_topics_is_marked():
    (now,) = draw_widths(WIDTHS, 5, "AP").layout.shapes
    assert (now.x0, now.x1) == (5, 5)
    assert now.line.dash == "dot"
