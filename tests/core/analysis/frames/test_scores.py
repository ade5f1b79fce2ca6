"""Means over topics: their intervals against scipy, and how often these hold the truth."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.analysis.frames.scores import (
    NO_TOPIC,
    NOTHING_TO_FIND,
    ONE_TOPIC,
    average_topics,
    score_topics,
)
from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings


def scores_of(**values: list[float]) -> pd.DataFrame:
    """Return scores of systems on the topics 0, 1 …"""
    rows = [
        {"system": system, "topic_id": str(topic), "measure": "AP", "value": value, "judged": 1.0}
        for system, own in values.items()
        for topic, value in enumerate(own)
    ]
    return pd.DataFrame(rows)


def test_intervals_are_those_of_student():
    values = [0.1, 0.4, 0.35, 0.9]
    (row,) = average_topics(scores_of(one=values)).to_dict("records")
    low, high = stats.t.interval(0.95, 3, np.mean(values), stats.sem(values))
    assert (row["low"], row["high"]) == pytest.approx((low, high))
    assert (row["value"], row["topics"], row["reason"]) == (pytest.approx(0.4375), 4, "")


def test_without_spread_or_topics_there_is_a_reason():
    table = average_topics(scores_of(one=[0.5], none=[np.nan, np.nan]))
    assert table["reason"].tolist() == [ONE_TOPIC, NO_TOPIC]
    assert table["topics"].tolist() == [1, 0]
    assert table["value"].tolist()[0] == 0.5
    assert table[["low", "high"]].isna().all(axis=None)


@pytest.mark.parametrize("topics", [10, 25, 50])
def test_the_interval_holds_the_mean_as_often_as_it_says(topics):
    """Skewed scores between 0 and 1, as of nDCG; 4,000 sets of topics drawn."""
    rng = np.random.default_rng(5)
    drawn = rng.beta(2, 1.2, (4_000, topics))
    rows = pd.DataFrame(
        {
            "system": np.repeat(np.arange(4_000), topics),
            "topic_id": np.tile(np.arange(topics), 4_000),
            "measure": "nDCG",
            "value": drawn.ravel(),
            "judged": 1.0,
        }
    )
    table = average_topics(rows)
    holds = (table["low"] <= 2 / 3.2) & (table["high"] >= 2 / 3.2)
    assert 0.935 <= holds.mean() <= 0.965


def test_a_topic_with_nothing_to_find_is_there_with_its_reason():
    runs = pd.DataFrame(
        {"system": "s", "topic_id": ["1", "2"], "document_id": "d", "score": 1.0, "rank": 1}
    )
    qrels = pd.DataFrame(
        {"topic_id": ["1", "2"], "iteration": "0", "document_id": "d", "level": [1, 0]}
    )
    rankings = compile_rankings(runs, qrels)
    table = score_topics(rankings, [parse_measure("AP")]).set_index("topic_id")
    assert table["reason"].to_dict() == {"1": "", "2": NOTHING_TO_FIND}
    assert table["value"]["1"] == 1
    assert np.isnan(table["value"]["2"])
    every = score_topics(rankings, [parse_measure("AP")], empty_topics=True)
    assert every["value"].tolist() == [1, 0]
