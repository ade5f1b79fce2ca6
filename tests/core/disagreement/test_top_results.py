import numpy as np
import pandas as pd
import pytest

from core.agreement.ratings import ratings_from_labels
from core.disagreement.top_results import (
    count_doubly_judged,
    effective_top_results,
    further_topics,
)
from core.disagreement.user_disagreement import estimate_top_probability
from core.errors import BadInput


def rate(make_labels, rows, levels=(0, 1, 2, 3)):
    return ratings_from_labels(make_labels(rows), "page", levels)


def test_the_intuition_of_figure_4(make_labels):
    # One Key, four HRel and three Rel by the assessor, worth 1, 1/2 and 1/3.
    levels = [3] + [2] * 4 + [1] * 3
    ratings = rate(make_labels, [("t", f"d{at}", "u3", level) for at, level in enumerate(levels)])
    table = effective_top_results(ratings, {0: 0, 1: 1 / 3, 2: 1 / 2, 3: 1}, 3)
    assert table[["topic_id", "items", "top_results"]].to_numpy().tolist() == [["t", 8, 1]]
    assert table["effective"].tolist() == [pytest.approx(4)]


def test_several_labels_on_an_item_share_it(make_labels):
    rows = [("t", "d", "a", 3), ("t", "d", "b", 1), ("t", "e", "a", 1), ("u", "d", "a", 0)]
    table = effective_top_results(rate(make_labels, rows), {0: 0, 1: 0.4, 3: 1}, 3)
    assert table["topic_id"].tolist() == ["t", "u"]
    assert table["items"].tolist() == [2, 1]
    assert table["top_results"].tolist() == [0.5, 0]
    assert table["effective"].tolist() == pytest.approx([0.7 + 0.4, 0])


def test_unknown_and_absent_weights(make_labels):
    ratings = rate(make_labels, [("t", "d", "a", 1), ("u", "d", "a", 2)])
    table = effective_top_results(ratings, {1: np.nan, 2: 0.5}, 3)
    assert table["effective"].isna().tolist() == [True, False]
    assert table["reason"].tolist() == ["a level given in this topic has an unknown weight", ""]
    with pytest.raises(BadInput, match="level 1 has no weight"):
        effective_top_results(ratings, {2: 0.5}, 3)
    with pytest.raises(BadInput, match="field 'top'"):
        effective_top_results(ratings, {1: 0, 2: 0.5}, 7)


def test_half_the_width_takes_four_times_the_topics(dl19_labels):
    ratings = ratings_from_labels(dl19_labels, "page")
    estimates = estimate_top_probability(ratings, 3)
    now = (estimates["high"] - estimates["low"]).tolist()
    assert count_doubly_judged(ratings) == 22
    table = further_topics(estimates, ratings, now[1] / 2)
    assert " ".join(table.columns) == "level topics width further reason"
    assert table["width"].tolist() == now
    assert table["further"][1] == 3 * 22
    expected = [np.ceil(22 * (2 * width / now[1]) ** 2 - 1e-9) - 22 for width in now]
    assert table["further"].tolist() == expected
    assert (further_topics(estimates, ratings, 1)["further"] == 0).all()


def test_resampling_more_topics_narrows_as_the_formula_says(dl19_labels):
    # Four copies of every topic: the interval is half as wide, but for the scale of log odds.
    copies = [
        dl19_labels.assign(topic_id=dl19_labels["topic_id"] + f"-{copy}") for copy in range(4)
    ]
    once, often = (
        ratings_from_labels(labels, "page") for labels in (dl19_labels, pd.concat(copies))
    )
    before, after = (estimate_top_probability(ratings, 3) for ratings in (once, often))
    half = (before["high"] - before["low"]) / 2
    assert (after["high"] - after["low"]).tolist() == pytest.approx(half.tolist(), rel=0.2)


def test_unknown_widths_say_why(make_labels):
    ratings = rate(make_labels, [("t", "d", "a", 0), ("t", "d", "b", 1), ("u", "d", "a", 1)])
    estimates = estimate_top_probability(ratings, 3)
    table = further_topics(estimates, ratings, 0.1)
    assert table["topics"].tolist() == [1] * 4
    assert table["further"].isna().all()
    assert table["reason"].tolist() == estimates["reason"].tolist()
    flat = rate(make_labels, [(t, "d", name, 3) for t in "tu" for name in "ab"])
    estimates = estimate_top_probability(flat, 3)
    row = further_topics(estimates, flat, 0.1).iloc[3]
    assert row["width"] == pytest.approx(1 - 0.025**0.5)
    assert row["further"] > 0
    for width in (0, -1, np.nan):
        with pytest.raises(BadInput, match="field 'width'"):
            further_topics(estimates, flat, width)
