"""Figures of worked examples."""

import pandas as pd

from core.figures.learn import draw_lines, draw_rank_pairs, draw_terms


def lines() -> pd.DataFrame:
    values = [1, 0.5, 0.7, 0.1, 0.1, 0.2]
    return pd.DataFrame({"series": ["P"] * 3 + ["r"] * 3, "rank": [1, 2, 3] * 2, "value": values})


def test_each_series_is_a_line_of_its_own_look():
    figure = draw_lines(lines(), "rank", x="rank", y="value")
    assert [trace.name for trace in figure.data] == ["P", "r"]
    assert list(figure.data[1].y) == [0.1, 0.1, 0.2]
    assert len({trace.line.dash for trace in figure.data}) == 2
    assert len({trace.marker.symbol for trace in figure.data}) == 2
    assert figure.layout.xaxis.title.text == "rank"
    assert not figure.layout.shapes


def test_a_line_shows_where_the_reader_stands():
    (line,) = draw_lines(lines(), "rank", x="rank", y="value", at=2).layout.shapes
    assert (line.x0, line.x1) == (2, 2)


def test_a_long_curve_has_no_markers():
    curve = pd.DataFrame({"series": "w", "p": [i / 100 for i in range(101)], "value": 0.5})
    assert draw_lines(curve, "p", x="p", y="w", step=0.1).data[0].mode == "lines"


def test_documents_stand_at_their_two_places():
    ranks = pd.DataFrame({"document": ["a", "b"], "first": [1, 2], "second": [2, 1]})
    figure = draw_rank_pairs(ranks)
    assert list(figure.data[0].x) == [1, 2]
    assert list(figure.data[0].y) == [2, 1]
    assert list(figure.data[0].text) == ["a", "b"]
    assert list(figure.data[0].textposition) == ["bottom center", "top center"]
    assert list(figure.layout.yaxis.range) == [3, 0]


def test_terms_that_count_are_filled_and_the_others_outlined():
    terms = pd.DataFrame(
        {"others": [0, 1, 2], "chance": [0.49, 0.42, 0.09], "counts": [False, True, True]}
    )
    counts, too_few = draw_terms(terms).data
    assert list(counts.y) == [0.42, 0.09]
    assert list(too_few.y) == [0.49]
    assert too_few.marker.color == "rgba(0,0,0,0)"
    assert [trace.name for trace in draw_terms(terms[terms["counts"]]).data] == ["counts"]
