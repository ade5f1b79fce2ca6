"""Means over topics: their intervals against scipy."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.agreement.intervals import LOG_ODDS
from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.reports.scores import (
    ALIKE,
    NO_TOPIC,
    NOTHING_TO_FIND,
    ONE_TOPIC,
    STUDENT,
    average_topics,
    score_topics,
)
from core.versions.judgements import put_on_scale
from tests.core.agreement.leaving_out import limits_of_mean


def scores_of(**values: list[float]) -> pd.DataFrame:
    """Return scores of systems on the topics 0, 1 …"""
    rows = [
        {"system": system, "topic_id": str(topic), "measure": "AP", "value": value, "judged": 1.0}
        for system, own in values.items()
        for topic, value in enumerate(own)
    ]
    return pd.DataFrame(rows)


def test_limits_are_those_of_student_on_log_odds():
    values = [0.1, 0.4, 0.35, 0.9]
    (row,) = average_topics(scores_of(one=values)).to_dict("records")
    assert [row["low"], row["high"]] == pytest.approx(limits_of_mean(values, fewer=1))
    assert (row["value"], row["topics"], row["reason"]) == (pytest.approx(0.4375), 4, "")
    assert (row["interval"], row["unit"]) == (LOG_ODDS, "topic")


def test_without_a_highest_score_they_are_those_of_student():
    values = [1.0, 4.0, 3.5, 9.0]
    (row,) = average_topics(scores_of(one=values).assign(measure="DCG@10")).to_dict("records")
    wanted = stats.t.interval(0.95, 3, np.mean(values), stats.sem(values))
    assert (row["low"], row["high"]) == pytest.approx(wanted)
    assert row["interval"] == STUDENT


def test_the_same_score_everywhere_has_no_limits_where_there_is_no_highest_score():
    (row,) = average_topics(scores_of(one=[2.0] * 5).assign(measure="DCG@10")).to_dict("records")
    assert np.isnan([row["low"], row["high"]]).all()
    assert row["reason"] == ALIKE


def test_topics_that_score_nothing_leave_room_above():
    (row,) = average_topics(scores_of(one=[0.0] * 5)).to_dict("records")
    assert (row["low"], row["high"]) == pytest.approx((0, 1 - 0.025 ** (1 / 5)))


def test_the_same_score_everywhere_has_wide_limits():
    (row,) = average_topics(scores_of(one=[0.5] * 5)).to_dict("records")
    unseen = 1 - 0.025 ** (1 / 5)
    assert (row["low"], row["high"]) == pytest.approx((0.5 - 0.5 * unseen, 0.5 + 0.5 * unseen))
    assert row["reason"] == ""


def test_without_spread_or_topics_there_is_a_reason():
    table = average_topics(scores_of(one=[0.5], none=[np.nan, np.nan]))
    assert table["reason"].tolist() == [ONE_TOPIC, NO_TOPIC]
    assert table["topics"].tolist() == [1, 0]
    assert table["value"].tolist()[0] == 0.5
    assert table[["low", "high"]].isna().all(axis=None)


def test_a_topic_with_nothing_to_find_is_there_with_its_reason():
    runs = pd.DataFrame(
        {"system": "s", "topic_id": ["1", "2"], "document_id": "d", "score": 1.0, "rank": 1}
    )
    qrels = pd.DataFrame(
        {"topic_id": ["1", "2"], "iteration": "0", "document_id": "d", "level": [1, 0]}
    )
    rankings = compile_rankings(runs, put_on_scale(qrels))
    table = score_topics(rankings, [parse_measure("AP")]).set_index("topic_id")
    assert table["reason"].to_dict() == {"1": "", "2": NOTHING_TO_FIND}
    assert table["value"]["1"] == 1
    assert np.isnan(table["value"]["2"])
    every = score_topics(rankings, [parse_measure("AP")], empty_topics=True)
    assert every["value"].tolist() == [1, 0]
