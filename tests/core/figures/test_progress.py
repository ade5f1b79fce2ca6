"""Labels over time and labels per item as figures."""

import pandas as pd

from core.figures.progress import draw_judged_times, draw_labels_by_time


def test_labels_over_time_are_stacked_bars_as_wide_as_their_interval():
    start = pd.Timestamp("2026-01-05 10:00")
    counts = pd.DataFrame(
        {
            "time": [start, start, start + pd.Timedelta(hours=2)],
            "facet": ["page", "snippet", "page"],
            "labels": [3, 4, 5],
            "interval": "hour",
        }
    )
    figure = draw_labels_by_time(counts)
    page, snippet = figure.data
    assert (page.name, list(page.y)) == ("page", [3, 5])
    assert (snippet.name, list(snippet.y)) == ("snippet", [4])
    assert page.width == 3_600_000
    assert page.marker.pattern.shape != snippet.marker.pattern.shape
    assert figure.layout.barmode == "stack"
    assert figure.layout.yaxis.title.text == "labels per hour"


def test_labels_per_item_write_their_counts_and_mark_k():
    counts = pd.DataFrame(
        {"facet": ["page", "page", "snippet"], "assessors": [1, 3, 2], "items": [7, 8, 9]}
    )
    figure = draw_judged_times(counts, 2)
    page, snippet = figure.data
    assert (list(page.x), list(page.y), list(page.text)) == ([1, 3], [7, 8], [7, 8])
    assert list(snippet.y) == [9]
    assert figure.layout.shapes[0].x0 == 1.5
    assert figure.layout.xaxis.title.text == "assessors who judged an item (line: k = 2)"
