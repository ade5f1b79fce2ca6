"""Figures of comparisons: traces, axes, data."""

import numpy as np
import pandas as pd
import pytest

from core.figures.comparison import (
    draw_asl_curves,
    draw_means,
    draw_overlaps,
    draw_significance_matrix,
    draw_tau_intervals,
)


def ranked(**orders: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"condition": name, "system": system, "rank": place, "value": 1 - place / 10}
            for name, order in orders.items()
            for place, system in enumerate(order, start=1)
        ]
    )


def test_a_line_for_each_condition_in_the_order_of_the_first():
    figure = draw_means(ranked(x="bac", y="abc"), "nDCG@10")
    first, second = figure.data
    assert (first.name, second.name) == ("x", "y")
    assert list(first.x) == list(second.x) == ["b", "a", "c"]
    assert list(first.y) == [0.9, 0.8, 0.7]
    assert list(second.y) == [0.8, 0.9, 0.7]
    assert list(second.customdata) == [2, 1, 3]
    assert figure.layout.yaxis.title.text == "mean nDCG@10"
    assert list(figure.layout.xaxis.categoryarray) == ["b", "a", "c"]
    assert figure.layout.showlegend


def test_lines_differ_without_colour():
    figure = draw_means(ranked(u="ab", v="ab", w="ab", x="ab", y="ab"), "P@5")
    assert len({trace.line.dash for trace in figure.data}) == 5
    assert len({trace.marker.symbol for trace in figure.data}) == 5


def test_the_names_of_many_systems_stand_upright():
    many = "abcdefghijklmnopqrstuvwxyz"
    assert draw_means(ranked(x=many), "P@5").layout.xaxis.tickangle == -90
    assert draw_means(ranked(x="ab"), "P@5").layout.xaxis.tickangle is None


def test_long_names_are_cut_unless_that_makes_them_alike():
    frame = ranked(x="ab")
    one = frame.replace({"system": {"a": "a" * 40, "b": "b<"}})
    assert list(draw_means(one, "P@5").data[0].x) == [f"{'a' * 21}…", "b&lt;"]
    two = frame.replace({"system": {"a": f"{'a' * 40}1", "b": f"{'a' * 40}2"}})
    assert list(draw_means(two, "P@5").data[0].x) == [f"{'a' * 40}1", f"{'a' * 40}2"]


def test_more_names_need_more_room_above():
    few, many = ranked(x="ab"), ranked(**{f"condition {n}": "ab" for n in range(7)})
    tops = [draw_means(frame, "P@5").layout.margin.t for frame in (few, many)]
    assert tops[1] > tops[0]


def test_asl_curves_have_alpha_and_end_where_p_is_large():
    curve = pd.DataFrame(
        {"condition": "x", "pair": range(1, 101), "p": [n / 100 for n in range(1, 101)]}
    )
    figure = draw_asl_curves(curve, 0.05)
    (line,) = figure.data
    assert list(line.x)[:3] == [1, 2, 3]
    assert line.customdata[1] == "≤ 0.020"
    assert line.marker.maxdisplayed > 0
    assert figure.layout.shapes[0].y0 == 0.05
    assert "0.05" in figure.layout.annotations[0].text
    assert figure.layout.yaxis.range[1] == pytest.approx(0.15)
    assert figure.layout.xaxis.range[1] == pytest.approx(15.75)
    assert draw_asl_curves(curve, 0.1).layout.yaxis.range[1] == pytest.approx(0.3)
    small = draw_asl_curves(curve.assign(p=0.0001), 0.05)
    assert small.data[0].customdata[0] == "< 0.001"
    none = draw_asl_curves(curve.assign(p=1.0), 0.05)
    assert none.layout.xaxis.range[1] == pytest.approx(5.25)


def test_tau_stands_over_its_interval_and_bold_when_shown_to_differ():
    tau = pd.DataFrame(
        {
            "first": ["x", "x", "y", "w"],
            "second": ["y", "z", "z", "z"],
            "tau": [0.9, 1.0, float("nan"), 0.5],
            "low": [0.8, 1.0, float("nan"), float("nan")],
            "high": [0.95, 1.0, float("nan"), float("nan")],
            "differ": pd.array([True, False, None, None], dtype="boolean"),
        }
    )
    cells, _ = draw_tau_intervals(tau, ["x", "y", "z", "w"]).data
    assert list(cells.x) == ["x", "y", "z", "w"]
    assert cells.text.tolist() == [
        ["", "<b>0.900<br>[0.800, 0.950]</b>", "1.000<br>[1.000, 1.000]", ""],
        ["<b>0.900<br>[0.800, 0.950]</b>", "", "–", ""],
        ["1.000<br>[1.000, 1.000]", "–", "", "0.500"],
        ["", "", "0.500", ""],
    ]
    assert cells.z[0][2] > cells.z[0][1]
    assert cells.customdata[1][0] == pytest.approx(0.9)


def test_overlaps_read_from_the_row_to_the_column():
    overlap = pd.DataFrame(
        {
            "first": ["x"], "second": ["y"], "only_first": [2], "both": [29],
            "only_second": [5], "share": [29 / 36],
        }
    )  # fmt: skip
    figure = draw_overlaps(overlap, ["x", "y"])
    cells, _ = figure.data
    assert cells.text.tolist() == [["", "2/29/5<br>(80.6%)"], ["5/29/2<br>(80.6%)", ""]]
    assert cells.z[0][1] == pytest.approx(29 / 36)
    assert "row only / both / the column only" in figure.layout.xaxis.title.text


def test_many_conditions_have_smaller_figures():
    names = list("uvwxyz")
    rows = [(a, b, 1, 1, 1, 1 / 3) for a in names for b in names if a < b]
    columns = ["first", "second", "only_first", "both", "only_second", "share"]
    figure = draw_overlaps(pd.DataFrame(rows, columns=columns), names)
    assert figure.data[1].textfont.size < 12


def test_the_better_of_two_names_the_column_and_significance_has_a_dot():
    pairs = pd.DataFrame(
        [("a", "b", -0.2, -0.3, -0.1, 0.01), ("a", "c", 0.05, -0.1, 0.2, 0.4)],
        columns=["first", "second", "difference", "low", "high", "p"],
    )
    heat, _ = draw_significance_matrix(pairs, ["b", "a", "c"], 0.05, "AP").data
    assert (list(heat.x), list(heat.y)) == (["b", "a"], ["a", "c"])
    assert heat.z[0][0] == 1
    assert heat.z[1][1] == pytest.approx(0.25)
    assert [list(row) for row in heat.text] == [["0.200 ●", ""], ["", "0.050"]]
    assert heat.customdata[0][0] == "0.200 [0.100, 0.300], p = 0.010"
    assert heat.customdata[1][1] == "0.050 [−0.100, 0.200], p = 0.400"
    assert pd.isna(heat.z[1][0])


def test_many_systems_have_dots_only_in_low_rows_and_a_small_p_is_not_told_as_zero():
    names = [f"s{number:02}" for number in range(37)]
    rows = [(a, b, 0.1, 0.0, 0.2, 0.0001) for a in names for b in names if a < b]
    columns = ["first", "second", "difference", "low", "high", "p"]
    figures = [
        draw_significance_matrix(
            pd.DataFrame(rows, columns=columns).query("first in @some and second in @some"),
            some,
            0.05,
            "AP",
        )
        for some in (names[:13], names[:30], names)
    ]
    assert {text for figure in figures for row in figure.data[0].text for text in row} == {"●", ""}
    assert figures[2].data[0].customdata[0][0] == "0.100 [0.000, 0.200], p < 0.001"
    assert figures[1].layout.height < 580
    assert figures[2].layout.height < 525
    assert figures[2].layout.yaxis.tickfont.size < 11


def test_few_systems_have_their_differences_in_rows_that_are_high_enough():
    names = [f"s{number:02}" for number in range(12)]
    rows = [(a, b, -0.1, -0.2, 0.0, 0.2) for a in names for b in names if a < b]
    columns = ["first", "second", "difference", "low", "high", "p"]
    figure = draw_significance_matrix(pd.DataFrame(rows, columns=columns), names, 0.05, "AP")
    assert {text for row in figure.data[0].text for text in row} == {"−0.100", ""}
    assert figure.layout.height / 12 > 2 * figure.data[1].textfont.size


def test_a_difference_without_limits_is_told_without_them():
    pairs = pd.DataFrame(
        [("a", "b", 0.0, np.nan, np.nan, 1.0)],
        columns=["first", "second", "difference", "low", "high", "p"],
    )
    heat, _ = draw_significance_matrix(pairs, ["a", "b"], 0.05, "AP").data
    assert heat.customdata[0][0] == "0.000, p = 1.000"
