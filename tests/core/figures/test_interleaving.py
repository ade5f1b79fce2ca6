"""Figures of interleaving: what stands where, and which marks tell what."""

import pandas as pd
import pytest

from core.figures.interleaving import draw_beside_measure, draw_power_by_lists, draw_preferences


def test_delta_stands_by_user_and_method_with_its_limits():
    rows = pd.DataFrame(
        {
            "first": "bm25",
            "second": "tf",
            "user": ["perfect", "perfect", "navigational"],
            "method": ["balanced", "team-draft", "team-draft"],
            "delta": [0.1, 0.2, -0.1],
            "low": [0.0, 0.1, float("nan")],
            "high": [0.3, 0.25, float("nan")],
            "units": [50, 50, 9],
        }
    )
    figure = draw_preferences(rows)
    balanced, draft = figure.data
    assert (balanced.name, draft.name) == ("balanced", "team-draft")
    assert list(draft.x) == [0.2, -0.1]
    assert list(draft.error_x.array) == pytest.approx([0.05, float("nan")], nan_ok=True)
    assert balanced.y[0] < 0 < draft.y[0] < 1 < draft.y[1]
    assert "tf preferred, bm25" in figure.layout.xaxis.title.text
    assert draft.customdata[1][1] == ""


def test_power_is_drawn_by_test_over_a_logarithmic_axis():
    power = pd.DataFrame(
        {
            "test": ["team-draft", "team-draft", "A/B", "A/B"],
            "measure": ["", "", "clicks", "clicks"],
            "impressions": [10, 100, 10, 100],
            "found": [0.1, 0.9, 0.05, 0.4],
        }
    )
    figure = draw_power_by_lists(power, 0.8, 0.01)
    assert [trace.name for trace in figure.data] == ["team-draft", "A/B: clicks"]
    assert list(figure.data[1].y) == [0.05, 0.4]
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.shapes[0].y0 == 0.8


def test_pairs_are_told_apart_by_significance_and_sign():
    pairs = pd.DataFrame(
        {
            "first": "a",
            "second": "b",
            "difference": [0.3, 0.2, 0.1, 0.0],
            "p": [0.01, 0.01, 0.5, 0.9],
            "delta": [0.1, -0.1, 0.1, 0.0],
            "low": -0.2,
            "high": 0.2,
            "agrees": ["same sign", "other sign", "same sign", "no sign"],
        }
    )
    traces = draw_beside_measure(pairs, "AP", 0.05).data
    shapes = {trace.name: trace.marker.symbol for trace in traces}
    assert shapes == {
        "same sign, significant": "circle",
        "other sign, significant": "diamond",
        "same sign, not significant": "circle-open",
        "no sign, not significant": "square-open",
    }
