"""Figures of informativeness: what is drawn where, and what has no number."""

import numpy as np
import pandas as pd
import pytest

from core.figures.informativeness import (
    draw_curve_errors,
    draw_inference,
    draw_inferred_curves,
    draw_inferred_means,
)
from tests.each import each

NAMES = {"AP@10": "AP", "ERR@10": "<b>ERR", "P@5": "P@5"}

INFERENCE = pd.DataFrame(
    [
        ("AP@10", "ERR@10", 0.5, 0.2, 0.1, ""),
        ("AP@10", "P@5", 0.25, 0.4, 0.3, ""),
        ("ERR@10", "AP@10", np.nan, np.nan, np.nan, "no <order>"),
    ],
    columns=["target", "measure", "tau", "rmsr", "mare", "reason"],
)


def test_errors_stand_beside_those_of_the_number_alone():
    errors = pd.DataFrame(
        {
            "measure": ["AP@10", "ERR@10"],
            "rms": [0.1, 0.2],
            "mae": [0.05, 0.15],
            "uniform_rms": [0.3, 0.3],
            "uniform_mae": [0.25, 0.25],
        }
    )
    figure = draw_curve_errors(errors, NAMES)
    drawn = {trace.name: trace for trace in figure.data}
    assert list(drawn["RMS"].x) == [0.1, 0.2]
    assert list(drawn["RMS"].y) == ["AP", "&lt;b>ERR"]
    assert list(drawn["MAE, number only"].x) == [0.25, 0.25]
    symbols = [trace.marker.symbol for trace in figure.data]
    assert len(set(symbols)) == 4


@each(("statistic", "first", "second"), [("tau", 0.5, 0.25), ("rmsr", 0.2, 0.4)])
def test_every_cell_has_its_number(statistic, first, second):
    heat = draw_inference(INFERENCE, NAMES, statistic).data[0]
    assert list(heat.y) == list(heat.x) == ["AP", "&lt;b>ERR", "P@5"]
    assert heat.text[0].tolist() == ["", f"{first:.3f}", f"{second:.3f}"]
    assert heat.text[1].tolist() == ["–", "", ""]
    assert heat.customdata[1][0] == "no &lt;order>"
    darker = heat.z[0][1] > heat.z[0][2]
    assert darker == (first > second)
    assert heat.z[1][0] == 0
    assert np.isnan(heat.z[0][0])


def test_runs_stand_around_the_diagonal_and_the_farthest_are_named():
    means = pd.DataFrame(
        {
            "system": ["a", "<b>", "c", "d", "e"],
            "inferred": [0.1, 0.5, 0.35, 0.2, np.nan],
            "actual": [0.1, 0.2, 0.3, 0.4, np.nan],
            "topics": [3, 3, 3, 3, 0],
        }
    )
    figure = draw_inferred_means(means, "AP", "ERR")
    (points,) = figure.data
    assert list(points.x) == [0.1, 0.2, 0.3, 0.4]
    assert list(points.text) == ["", "&lt;b>", "c", "d"]
    assert list(points.textposition[1:]) == ["top right", "top right", "bottom left"]
    assert figure.layout.xaxis.range == figure.layout.yaxis.range
    (line,) = figure.layout.shapes
    assert (line.x0, line.x1) == (line.y0, line.y1)
    assert figure.layout.yaxis.title.text == "mean ERR inferred from AP"


def test_names_do_not_cover_each_other():
    means = pd.DataFrame(
        {
            "system": ["a", "b", "c"],
            "inferred": [0.50, 0.51, 0.1],
            "actual": [0.40, 0.40, 0.1],
            "topics": [3, 3, 3],
        }
    )
    (points,) = draw_inferred_means(means, "AP", "ERR").data
    assert list(points.text) == ["", "b", "c"]


def test_a_single_run_has_a_figure():
    means = pd.DataFrame({"system": ["a"], "inferred": [0.2], "actual": [0.2], "topics": [1]})
    assert draw_inferred_means(means, "AP", "ERR").layout.xaxis.range == (-0.08, 1.08)


def test_inferred_curves_and_the_actual_one():
    curves = pd.DataFrame(
        {
            "measure": ["AP@10"] * 2 + ["P@5"] * 2,
            "rank": [1, 2] * 2,
            "matched": [True, False] * 2,
            "recall": [0.2, 0.4, np.nan, np.nan],
            "precision": [0.6, 0.5, np.nan, np.nan],
            "actual_recall": [0.5, 0.5] * 2,
            "actual_precision": [1.0, 0.5] * 2,
        }
    )
    figure = draw_inferred_curves(curves, NAMES)
    actual, inferred = figure.data
    assert (actual.name, inferred.name) == ("actual", "AP")
    assert list(actual.y) == [1.0, 0.5]
    assert list(inferred.x) == [0.2, 0.4]
    assert [size > 0 for size in inferred.marker.size] == [True, False]
    assert figure.layout.yaxis.range == (0, pytest.approx(1.1))
