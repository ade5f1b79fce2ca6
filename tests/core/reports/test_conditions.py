"""Conditions on common topics, and what they are called."""

import pandas as pd
import pytest

from core.errors import TooLittleData
from core.reports.conditions import (
    ScoredCondition,
    count_different_topics,
    keep_common_topics,
    limit_topics,
    name_conditions,
    tabulate_conditions,
)


def condition(topics: str, topic_set: str = "", **facts: str) -> ScoredCondition:
    scores = pd.DataFrame({"system": "s", "topic_id": list(topics), "value": 0.5, "judged": 0.25})
    missing = pd.DataFrame({"system": ["s", "s"], "topic_id": ["a", "z"]})
    told = {"qrels": "q", "measure": "AP", **facts}
    return ScoredCondition("one", scores, topic_set, 4, missing, told)


def test_common_topics_are_those_of_the_same_topic_set():
    given = [condition("abc"), condition("bcd"), condition("xy", "easy")]
    kept = keep_common_topics(given)
    assert ["".join(sorted(one.topics)) for one in kept] == ["bc", "bc", "xy"]
    assert count_different_topics(given)
    assert not count_different_topics(kept)


def test_what_a_condition_rests_on():
    (row,) = tabulate_conditions([condition("ab")]).to_dict("records")
    assert (row["topics"], row["left_out"], row["unanswered"]) == (2, 2, 1)
    assert (row["judged"], row["measure"]) == (0.25, "AP")


def test_names_say_what_differs():
    by_measure = [condition("a", measure="AP"), condition("a", measure="RR")]
    assert [one.name for one in name_conditions(by_measure)] == ["AP", "RR"]
    by_two = [condition("a", "x", qrels="p"), condition("a", "y", qrels="q")]
    assert [one.name for one in name_conditions(by_two)] == ["p, x", "q, y"]
    assert [one.name for one in name_conditions([condition("a")])] == ["q"]


def test_nothing_left_is_refused():
    scores = condition("ab").scores
    assert limit_topics(scores, ["b"])["topic_id"].tolist() == ["b"]
    with pytest.raises(TooLittleData, match="nothing is relevant"):
        limit_topics(scores, ["c"])
