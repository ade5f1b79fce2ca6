"""Two systems, topic by topic: what rounding sets apart, who is higher, and where most."""

import pandas as pd
import pytest

from core.reports import two_systems
from core.reports.scores import Scores, ScoresQuestion, judge_runs
from core.reports.two_systems import TwoSystems, TwoSystemsQuestion
from core.versions.judgements import put_on_scale
from core.wording import drop_marks, plain_with_facts

NAMES = {"t1": "one", "t2": "two", "t3": "three"}


def compared(measure: str = "AP", values: tuple[float, ...] = (0.1 + 0.2, 0.1, 1.0, 0.0)):
    """Return systems a and b with scores by hand on four topics."""
    run = pd.DataFrame({"system": ["a", "b"], "topic_id": "t1", "document_id": "d", "rank": 1})
    qrels = pd.DataFrame({"topic_id": ["t1"], "document_id": ["d"], "level": [1]})
    scores = Scores(judge_runs(run, put_on_scale(qrels)), ScoresQuestion((measure,)))
    rows = pd.DataFrame(
        {
            "system": ["a"] * 4 + ["b"] * 4,
            "topic_id": ["t1", "t2", "t3", "t4"] * 2,
            "measure": measure,
            "value": [0.3, 0.5, 0.9, 0.1, *values],
            "judged": 0.5,
        }
    )
    vars(scores)["counted"] = rows
    return TwoSystems(scores, TwoSystemsQuestion("a", "b", measure), NAMES)


def test_differences_of_rounding_are_none():
    rows = compared().table("topics")
    assert rows["difference"].tolist() == pytest.approx([0, 0.4, -0.1, 0.1])
    assert rows["difference"].iloc[0] == 0
    assert rows["first"].tolist() == [0.3, 0.5, 0.9, 0.1]
    assert rows["second"].tolist() == pytest.approx([0.3, 0.1, 1.0, 0.0])
    assert set(rows["judged_first"]) == set(rows["judged_second"]) == {0.5}
    assert rows["name"].tolist() == ["one", "two", "three", "t4"]


def test_words_count_topics_and_name_those_furthest_apart():
    found = compared()
    assert drop_marks(found.answer) == (
        "By AP, a is higher on 2 of 4 topics, b on 1, and they are equal on 1. The mean difference "
        "is +0.100. Furthest apart: two (+0.400), t4 (+0.100), three (−0.100)."
    )
    assert "**a** is higher" in plain_with_facts(found.answer)
    assert "Lower is better by this measure" in compared("E@10").answer
    same = compared(values=(0.3, 0.5, 0.9, 0.1))
    assert "Furthest apart" not in same.answer
    assert same.furthest.empty


def test_topics_as_far_apart_as_those_that_are_named_are_counted(monkeypatch):
    monkeypatch.setattr(two_systems, "FAR", 2)
    found = compared(values=(0.8, 0.0, 0.4, 0.1))
    assert drop_marks(found.answer).endswith(
        "Furthest apart: one (−0.500), two (+0.500), and 1 other topic as far."
    )
    assert "as far" not in compared(values=(0.8, 0.0, 0.5, 0.1)).answer


def test_a_small_difference_is_not_told_as_none():
    answer = drop_marks(compared(values=(0.3, 0.5, 0.9, 0.0999)).answer)
    assert answer.endswith("difference is +0.000025. Furthest apart: t4 (+0.00010).")


def test_without_a_topic_that_counts_there_is_nothing_to_find():
    found = compared()
    vars(found.scores)["counted"] = found.scores.counted[:0]
    assert found.answer == "Nothing to find for AP on any topic."
