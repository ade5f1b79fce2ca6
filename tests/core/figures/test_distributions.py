"""The spread of scores: all points, rows in order."""

import pandas as pd

from core.figures.distributions import draw_distributions, draw_level_distributions, draw_spread
from core.figures.line_names import LONGEST

SCORES = pd.DataFrame(
    {
        "system": ["b", "b", "a&c", "a&c"],
        "topic": ["t1", "t2", "t1", "t2"],
        "value": [0.9, 0.3, 0.2, 0.4],
    }
)


def test_every_score_is_a_point_in_the_row_of_its_system():
    figure = draw_distributions(SCORES, "system", "topic", "AP")
    (box,) = figure.data
    assert box.type == "box"
    assert list(box.x) == [0.9, 0.3, 0.2, 0.4]
    assert list(box.y) == [0, 0, 1, 1]
    assert list(box.text) == ["t1", "t2", "t1", "t2"]
    assert box.boxpoints == "all"
    assert box.boxmean
    assert figure.layout.xaxis.title.text == "AP"


def test_rows_are_named_from_the_top_in_the_order_of_the_scores():
    axis = draw_distributions(SCORES, "system", "topic", "AP").layout.yaxis
    assert list(axis.tickvals) == [0, 1]
    assert list(axis.ticktext) == ["b", "a&amp;c"]
    assert axis.range[0] > axis.range[1]


def test_rows_can_be_topics():
    figure = draw_distributions(SCORES.sort_values("topic"), "topic", "system", "AP")
    assert list(figure.layout.yaxis.ticktext) == ["t1", "t2"]
    assert set(figure.data[0].text) == {"b", "a&amp;c"}


def test_many_rows_have_room():
    many = pd.concat([SCORES.assign(system=f"s{number}") for number in range(37)])
    figure = draw_distributions(many, "system", "topic", "AP")
    assert figure.layout.height > 37 * 18


def test_a_spread_counts_every_value_and_has_a_line_at_the_median():
    values = pd.Series([0.0, 0.1, 0.1, 0.5, 1.0])
    figure = draw_spread(values, x="κ", y="pairs")
    (bars,) = figure.data
    assert sum(bars.y) == 5
    assert bars.y[0] == 1
    (line,) = figure.layout.shapes
    assert (line.x0, line.x1) == (0.1, 0.1)
    assert figure.layout.xaxis.title.text == "κ"


def test_axes_of_counts_separate_thousands():
    axis = draw_spread(pd.Series([0.0, 0.1]), x="κ", y="pairs").layout.yaxis
    assert (axis.separatethousands, axis.exponentformat) == (True, "none")


def rows_of(*versions: str) -> pd.DataFrame:
    return pd.DataFrame(
        [
            (version, written, documents, documents / 10)
            for version in versions
            for written, documents in [("Non", 7), ("Rel", 3)]
        ],
        columns=["version", "written", "documents", "share"],
    )


def test_each_version_has_a_panel_with_counts_on_its_bars():
    figure = draw_level_distributions(rows_of("b", "a", "c"))
    assert [bar.name for bar in figure.data] == ["b", "a", "c"]
    assert [list(bar.x) for bar in figure.data] == [["Non", "Rel"]] * 3
    assert list(figure.data[0].y) == [0.7, 0.3]
    assert list(figure.data[0].text) == ["7", "3"]
    assert [note.text for note in figure.layout.annotations] == ["b", "a", "c"]
    assert (figure.data[0].xaxis, figure.data[2].xaxis) == ("x", "x3")
    assert figure.layout.yaxis.tickformat == ".0%"


def test_counts_over_bars_have_thousands_separated():
    rows = rows_of("a").assign(documents=[14541, 3])
    assert list(draw_level_distributions(rows).data[0].text) == ["14,541", "3"]


def test_panels_share_one_scale_of_shares():
    figure = draw_level_distributions(rows_of("a", "b", "c"))
    axes = [figure.layout.yaxis, figure.layout.yaxis2, figure.layout.yaxis3]
    assert {tuple(axis.range) for axis in axes} == {(0, 0.875)}


def test_one_version_and_long_names_fit():
    figure = draw_level_distributions(rows_of("n" * 60))
    assert len(figure.layout.annotations[0].text) == LONGEST
    assert figure.data[0].name == "n" * 60


def test_names_are_no_markup():
    assert "<b>" not in draw_level_distributions(rows_of("<b>x")).layout.annotations[0].text
