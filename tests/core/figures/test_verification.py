"""Figures of drawn labels: spreads, predictions beside observations, histograms."""

import pandas as pd
import pytest

from core.figures.disagreement import draw_missed_pages
from core.figures.verification import draw_chances, draw_predictions, draw_samples

NAN = float("nan")


def test_each_level_has_its_line_with_a_spread_and_look_of_its_own():
    rows = pd.DataFrame(
        {
            "name": ["Rel", "Rel", "HRel", "HRel"],
            "n": [1, 2, 1, 2],
            "mean": [0.2, 0.21, 0.3, NAN],
            "sd": [0.02, 0.01, 0.03, NAN],
        }
    )
    figure = draw_chances(rows, "Key")
    rel, hrel = figure.data
    assert (list(rel.y), list(rel.error_y.array)) == ([0.2, 0.21], [0.02, 0.01])
    assert [int(n) for n, _ in rel.customdata] == [1, 2]
    assert list(hrel.y) == [0.3]
    # Beside the tick of their number, half of them on either side.
    assert [*rel.x, *hrel.x] == pytest.approx([0.97, 1.97, 1.03])
    assert list(figure.layout.xaxis.range) == [0.5, 2.5]
    assert rel.line.dash != hrel.line.dash
    assert rel.marker.symbol != hrel.marker.symbol
    assert figure.layout.xaxis.title.text == "labels of others looked at"
    assert figure.layout.yaxis.title.text == "p(Key | level)"


def test_one_other_alone_has_an_axis_around_its_tick():
    rows = pd.DataFrame({"name": list("abcd"), "n": 1, "mean": [0.1, 0.2, 0.3, 0.9], "sd": 0.4})
    figure = draw_chances(rows, "Key")
    axis = figure.layout.xaxis
    assert (axis.tick0, axis.dtick, list(axis.range)) == (0, 1, [0.5, 1.5])
    assert sum(trace.x[0] for trace in figure.data) / 4 == pytest.approx(1)
    # A spread may reach beyond what a chance can be: the axis shows it to its end.
    assert figure.layout.yaxis.maxallowed is None
    empty = draw_chances(rows.head(0), "Key")
    assert empty.layout.xaxis.range is None


def test_predictions_are_lines_and_observations_markers():
    rows = pd.DataFrame(
        {
            "name": ["Rel", "Rel", "Non"],
            "users": [2, 3, 2],
            "observed": [0.3, 0.49, NAN],
            "sd": [0.02, 0.01, NAN],
            "predicted": [0.3, 0.51, NAN],
            "predicted_low": [0.29, 0.5, NAN],
            "predicted_high": [0.31, 0.52, NAN],
        }
    )
    figure = draw_predictions(rows, 1)
    low, high, predicted, observed = figure.data[:4]
    assert (list(low.y), list(high.y)) == ([0.29, 0.5], [0.31, 0.52])
    assert (predicted.mode, list(predicted.y)) == ("lines", [0.3, 0.51])
    assert (observed.mode, list(observed.y)) == ("markers", [0.3, 0.49])
    assert list(observed.error_y.array) == [0.02, 0.01]
    assert not any(len(trace.x) for trace in figure.data[4:])
    assert figure.layout.yaxis.title.text == "share that 1 of N or more find top"


def test_histograms_lie_over_each_other_in_different_patterns():
    rows = pd.DataFrame(
        {"name": ["self", "cross", "cross"], "low": [0.7, 0.3, 0.32], "high": [0.72, 0.32, 0.34]}
    ).assign(share=[1.0, 0.4, 0.6])
    figure = draw_samples(rows, "Key")
    own, others = figure.data
    assert list(own.x) == pytest.approx([0.71])
    assert list(others.width) == pytest.approx([0.02, 0.02])
    assert list(others.y) == [0.4, 0.6]
    assert own.marker.pattern.shape != others.marker.pattern.shape
    assert figure.layout.barmode == "overlay"


def test_the_engine_that_loses_most_stands_on_top():
    rows = pd.DataFrame(
        {
            "engine": ["bad", "good"],
            "share": [0.8, 0.25],
            "low": [0.7, NAN],
            "high": [0.9, NAN],
            "lost": [8, 1],
            "top_pages": [10, 4],
        }
    )
    figure = draw_missed_pages(rows)
    (bars,) = figure.data
    assert (list(bars.y), list(bars.x)) == (["bad", "good"], [0.8, 0.25])
    assert list(bars.text) == ["80%", "25%"]
    assert bars.error_x.array[0] == pytest.approx(0.1)
    assert bars.error_x.arrayminus[0] == pytest.approx(0.1)
    assert figure.layout.yaxis.autorange == "reversed"
    assert figure.layout.xaxis.title.text == "share of top pages missed"
