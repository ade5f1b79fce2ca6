"""Distributions of levels as figures."""

import pandas as pd

from core.figures.line_names import LONGEST
from core.figures.versions import draw_level_distributions


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
