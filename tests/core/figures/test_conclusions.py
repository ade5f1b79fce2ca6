"""Figures of what a machine judge changes: traces, axes, data."""

import numpy as np
import pandas as pd
import pytest

from core.figures.conclusions import draw_circularity, draw_gains, draw_source_scores

PAIRS = pd.DataFrame(
    {
        "system": ["a", "b<"],
        "people": [0.4, 0.6],
        "people_low": [0.3, 0.5],
        "people_high": [0.5, 0.8],
        "value": [0.5, 0.9],
        "low": [0.4, np.nan],
        "high": [0.7, np.nan],
    }
)


def test_scores_stand_beside_the_line_where_both_are_equal():
    figure = draw_source_scores(PAIRS, "nDCG@10", "gpt", ["b<"])
    (points,) = figure.data
    assert list(points.x) == [0.4, 0.6]
    assert list(points.y) == [0.5, 0.9]
    assert list(points.text) == ["", "b&lt;"]
    assert list(points.customdata) == ["a", "b&lt;"]
    assert list(points.error_x.array) == pytest.approx([0.1, 0.2])
    assert points.error_y.arrayminus[0] == pytest.approx(0.1)
    assert figure.layout.xaxis.title.text == "mean nDCG@10 by people"
    assert figure.layout.yaxis.title.text == "mean nDCG@10 by gpt"
    line = figure.layout.shapes[0]
    assert (line.x0, line.x1) == (line.y0, line.y1)
    assert line.line.dash == "dash"
    assert list(figure.layout.xaxis.range) == list(figure.layout.yaxis.range) == [line.x0, line.x1]
    assert line.x1 > 0.9


GAINS = pd.DataFrame(
    {
        "system": ["a", "b", "c"],
        "gain": [0.3, 0.2, 0.1],
        "relative": [0.15, 0.0, -0.15],
        "relative_low": [0.1, -0.1, -0.2],
        "relative_high": [0.2, 0.1, -0.1],
    }
)


def test_gains_mark_a_lineage_by_shape():
    figure = draw_gains(GAINS, "nDCG@10", ["b"])
    others, lineage = figure.data
    assert (others.name, lineage.name) == ("other runs", "declared lineage")
    assert others.marker.symbol != lineage.marker.symbol
    assert list(others.x) == [0.15, -0.15]
    assert list(others.y) == [0, 2]
    assert list(lineage.y) == [1]
    assert list(others.error_x.array) == pytest.approx([0.05, 0.05])
    assert list(lineage.error_x.arrayminus) == pytest.approx([0.1])
    assert others.customdata[0] == "a: +0.150 [0.100, 0.200]<br>gain +0.300"
    assert figure.layout.xaxis.title.text == "gain in nDCG@10 beside the other systems"
    assert list(figure.layout.yaxis.ticktext) == ["a", "b", "c"]
    assert figure.layout.shapes[0].x0 == 0
    assert figure.layout.showlegend


def test_without_a_lineage_there_is_one_kind():
    figure = draw_gains(GAINS, "P@5")
    assert len(figure.data) == 1
    assert not figure.layout.showlegend


def test_what_stands_out_and_what_is_not_tested_have_their_shapes():
    runs = pd.DataFrame(
        {
            "system": ["a", "b", "c"],
            "statistic": [0.4, 0.1, np.nan],
            "p_corrected": [0.0001, 1.0, np.nan],
            "pairs": [1200, 40, 0],
            "flagged": pd.array([True, False, None], dtype="boolean"),
        }
    )
    figure = draw_circularity(runs)
    assert [(one.name, list(one.y)) for one in figure.data] == [
        ("does not stand out", [1]),
        ("stands out", [0]),
        ("not tested", [2]),
    ]
    assert len({one.marker.symbol for one in figure.data}) == 3
    assert figure.data[1].customdata[0] == "a: +0.400, p < 0.001<br>1,200 pairs"
    assert figure.layout.shapes[0].x0 == pytest.approx(0.25)
    none = draw_circularity(runs.assign(statistic=np.nan, flagged=pd.array([None] * 3, "boolean")))
    assert len(none.data) == 1
    assert not none.layout.shapes


def test_many_systems_have_low_rows():
    many = pd.concat([GAINS] * 12, ignore_index=True).assign(system=[f"s{n}" for n in range(36)])
    high, low = (draw_gains(one, "P@5").layout for one in (GAINS, many))
    assert low.yaxis.tickfont.size < high.yaxis.tickfont.size
    assert low.height > high.height
