"""The burn-up, the stability of the ranking and labels per item as figures."""

import numpy as np
import pandas as pd

from core.figures.progress import draw_burn_up, draw_judged_times, draw_stability

START = pd.Timestamp("2026-01-05 10:00")
GIVEN = pd.DataFrame({"time": [START, START + pd.Timedelta(hours=2)], "judged": [0, 40]})


def test_a_burn_up_has_what_was_given_and_the_line_of_what_is_required():
    figure = draw_burn_up(GIVEN, 1514)
    (judged,) = figure.data
    assert list(judged.y) == [0, 40]
    assert judged.line.shape == "hv"
    assert figure.layout.shapes[0].y0 == 1514
    assert figure.layout.annotations[0].text == "required: 1,514"
    assert figure.layout.yaxis.range[1] > 1514
    assert figure.layout.xaxis.title.text == "time (UTC)"
    assert figure.layout.yaxis.title.text == "judgements of the round"


def test_a_forecast_is_a_band_round_a_dashed_line():
    later = START + pd.Timedelta(hours=3)
    ahead = pd.DataFrame({"time": [later], "low": [50], "value": [60], "high": [80]})
    low, high, median, judged = draw_burn_up(GIVEN, 100, ahead).data
    assert (list(low.y), list(high.y), list(median.y)) == ([50], [80], [60])
    assert high.fill == "tonexty"
    assert median.line.dash == "dash"
    assert judged.mode == "lines"


def test_a_single_point_is_seen_and_nothing_required_is_no_axis_of_nothing():
    figure = draw_burn_up(GIVEN.head(1), 0)
    assert figure.data[0].mode == "lines+markers"
    assert figure.layout.yaxis.range[1] > 0


def test_stability_has_a_point_for_each_state_and_the_line_it_is_held_against():
    rows = pd.DataFrame({"share": [0.1, 0.2, 0.3], "tau": [np.nan, -0.4, 0.95]})
    figure = draw_stability(rows, 0.9)
    assert list(figure.data[0].x) == [0.1, 0.2, 0.3]
    assert figure.layout.shapes[0].y0 == 0.9
    assert figure.layout.yaxis.range[0] < -0.4
    assert figure.layout.yaxis.title.text == "τ with today"


def test_labels_per_item_write_their_counts_and_mark_k():
    counts = pd.DataFrame(
        {"facet": ["page", "page", "snippet"], "assessors": [1, 3, 2], "items": [7, 8, 9]}
    )
    figure = draw_judged_times(counts, 2)
    page, snippet = figure.data
    assert (list(page.x), list(page.y), page.texttemplate) == ([1, 3], [7, 8], "%{y:,}")
    assert list(snippet.y) == [9]
    assert page.marker.pattern.shape != snippet.marker.pattern.shape
    assert figure.layout.shapes[0].x0 == 1.5
    assert figure.layout.xaxis.title.text == "assessors who judged an item (line: k = 2)"
