"""Names beside lines: apart from each other, in order, near where they belong."""

from itertools import pairwise

import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.line_names import LONGEST, LineName, shorten, spread, tie_names


def test_places_that_are_apart_stay():
    assert spread([30.0, 0.0, 100.0], 14) == [30.0, 0.0, 100.0]


def test_names_at_one_point_gather_around_it():
    assert spread([50.0, 50.0, 50.0], 14) == pytest.approx([36.0, 50.0, 64.0])


def test_blocks_that_touch_become_one():
    assert spread([0.0, 1.0, 12.0], 10) == pytest.approx([-17 / 3, 13 / 3, 43 / 3])


def test_nothing_to_spread():
    assert spread([], 14) == []


@given(st.lists(st.floats(-1e3, 1e3), max_size=30))
def test_spread_keeps_order_and_distance(places):
    moved = spread(places, 14)
    ends = [moved[one] for one in sorted(range(len(places)), key=places.__getitem__)]
    assert all(upper - lower >= 14 - 1e-6 for lower, upper in pairwise(ends))
    assert sum(moved) == pytest.approx(sum(places), abs=1e-6)


def test_names_are_written_at_their_points_with_the_marker_of_their_line():
    names = [
        LineName("a<b", 1, 0.5, "#111111", "square"),
        LineName("c", 1, 0.5, "#222222", strong=True),
    ]
    figure = go.Figure(layout=tie_names(names, pixels=100))
    first, second = figure.layout.annotations
    assert (first.x, first.y, first.arrowcolor) == (1, 0.5, "#111111")
    assert "■" in first.text
    assert "a&lt;b" in first.text
    assert second.text == "<b>c</b>"
    assert second.ay - first.ay == pytest.approx(14)
    assert figure.layout.margin.r > 36


def test_no_names_leave_the_figure_alone():
    assert tie_names([], pixels=100)["annotations"] == []


def test_long_names_are_cut():
    assert shorten("x" * 40) == "x" * (LONGEST - 1) + "…"
