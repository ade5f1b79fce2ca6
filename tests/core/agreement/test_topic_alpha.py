"""Agreement by topic from counts alone."""

import numpy as np
import pandas as pd
import pytest

from core.agreement.multi_rater import krippendorff_alpha
from core.agreement.multi_rater_counts import level_counts, sum_items
from core.agreement.ratings import Ratings, ratings_from_labels
from core.agreement.topic_alpha import alpha_by_topic


def rate(levels: dict[str, list[tuple[int, ...]]]) -> Ratings:
    rows = [
        (topic, f"d{item}", f"a{who}", level)
        for topic, items in levels.items()
        for item, given in enumerate(items)
        for who, level in enumerate(given)
    ]
    labels = pd.DataFrame(rows, columns=["topic_id", "document_id", "assessor_id", "level"])
    labels = labels.assign(facet="page", engine="", occasion=0, state="level")
    return ratings_from_labels(labels, "page", [0, 1, 2])


def test_each_topic_has_its_alpha_with_limits_the_lowest_first():
    rng = np.random.default_rng(1)
    random = [tuple(pair) for pair in rng.integers(0, 3, (40, 2)).tolist()]
    alike = [(n % 3, n % 3, n % 3) for n in range(20)] + [(0, 1, 0)]
    ratings = rate({"same": alike, "random": random})
    table = alpha_by_topic(ratings)
    assert table["topic_id"].tolist() == ["random", "same"]
    assert table["items"].tolist() == [40, 21]
    counts = level_counts(ratings)
    for row in table.itertuples():
        own = counts.counts[counts.topic == ratings.topics.index(row.topic_id)]
        alpha = float(krippendorff_alpha(sum_items(own, counts.levels), "ordinal"))
        assert row.value == pytest.approx(alpha)
        assert row.low <= row.value <= row.high
    assert table["low"].iloc[0] < 0 < table["low"].iloc[1]


def test_topics_with_few_items_or_one_level_are_left_out():
    few = [(0, 1)] * 9 + [(0,)] * 30
    assert alpha_by_topic(rate({"few": few, "one level": [(1, 1)] * 20})).empty


def test_without_labels_there_is_no_topic():
    assert alpha_by_topic(rate({"t": [(0,)]})).empty


def draw_items(rng: np.random.Generator, number: int) -> list[tuple[int, ...]]:
    """Return levels by three assessors who give an item's own level with probability .6."""
    own = rng.integers(0, 3, (number, 1))
    other = rng.integers(0, 3, (number, 3))
    return [tuple(row) for row in np.where(rng.random((number, 3)) < 0.6, own, other).tolist()]


def test_limits_hold_the_agreement_that_many_items_would_show():
    rng = np.random.default_rng(4)
    truth = alpha_by_topic(rate({"t": draw_items(rng, 20_000)}))["value"].item()
    topics = {f"t{number}": draw_items(rng, 30) for number in range(600)}
    table = alpha_by_topic(rate(topics))
    held = (table["low"] <= truth) & (truth <= table["high"])
    assert 0.93 <= held.mean() <= 0.985
