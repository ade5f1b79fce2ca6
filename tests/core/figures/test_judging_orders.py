"""The figure of orders of judging."""

import numpy as np
import pandas as pd

from core.figures.stopping import draw_orders, shorten_order

ORDERS = pd.DataFrame(
    {
        "order": ["depth-first"] * 3 + ["max-mean"] * 3,
        "share": [0.1, 0.5, 1.0] * 2,
        "judged": [10, 50, 100] * 2,
        "relevant_found": [0.2, 0.6, 1.0] * 2,
        "tau": [np.nan, 0.8, 1.0, 0.7, 0.95, 1.0],
        "low": [np.nan, 0.7, 0.9, 0.6, np.nan, 0.9],
        "high": [np.nan, 0.9, 1.0, 0.8, np.nan, 1.0],
    }
)


def test_each_order_is_a_line_of_its_own_with_its_name_at_the_end():
    figure = draw_orders(ORDERS, "AP")
    first, second = figure.data
    assert (list(first.x), list(first.y)) == ([0.5], [0.8])
    assert (list(second.x), list(second.y)) == ([0.1, 0.5], [0.7, 0.95])
    assert first.line.dash != second.line.dash
    assert first.marker.symbol != second.marker.symbol
    texts = [one.text for one in figure.layout.annotations]
    assert ["depth-first" in texts[0], "max-mean" in texts[1]] == [True, True]
    assert list(second.customdata[0]) == [10, 0.2, " [0.600, 0.800]"]
    assert second.customdata[1][2] == ""
    assert "AP" in figure.layout.yaxis.title.text
    assert figure.layout.yaxis.range[0] < 0.7


def test_nothing_known_is_an_empty_figure():
    figure = draw_orders(ORDERS[ORDERS["share"] == 1], "AP")
    assert not figure.data
    assert not figure.layout.annotations


def test_an_order_is_short_by_the_values_of_its_parameters():
    assert shorten_order("hedge") == "hedge"
    assert shorten_order("max-mean(credit='chosen')") == "max-mean(chosen)"
