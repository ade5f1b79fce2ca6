"""The report of a comparison: what its tables say of themselves, and on which topics it is."""

import numpy as np
import pandas as pd
import pytest

from core.comparison.conditions import Condition, examine_condition
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput
from core.reports.compare import DIFFERENT_TOPICS, CompareQuestion, SystemComparison
from core.reports.conditions import ScoredCondition
from core.reports.report import stack_tables
from core.wording import drop_marks

TEST = SignificanceTest("t")


def scored(name: str, topics: int = 6, seed: int = 0, measure: str = "AP") -> ScoredCondition:
    """Return scores of three systems on so many topics, drawn at random."""
    values = np.random.default_rng(seed).random((topics, 3)) * [0.5, 0.7, 1]
    rows = [
        (f"s{system}", f"t{topic}", values[topic, system], 1.0)
        for topic in range(topics)
        for system in range(3)
    ]
    frame = pd.DataFrame(rows, columns=["system", "topic_id", "value", "judged"])
    nobody = pd.DataFrame({"system": [], "topic_id": []})
    return ScoredCondition(name, frame, "", topics, nobody, {"qrels": name, "measure": measure})


@pytest.mark.parametrize("unit", ["topic", "system", "hollander-wolfe"])
def test_every_table_with_limits_says_what_they_are_of(unit):
    found = SystemComparison([scored("x"), scored("y", seed=1)], CompareQuestion(TEST, unit))
    for name, about in found.tables.items():
        (row, *_) = found.table(name).to_dict("records")
        assert ("low" in row) == bool(about.of), name
        if about.of:
            told = found.describe_interval(name, row)
            assert told["of"].startswith(f"{about.of}, over ")
            assert told["n"] in (3, 6)
    assert found.table("generalisability")["value"].between(0, 1).all()
    long = stack_tables({name: found.table(name) for name in found.tables})
    assert set(long["table"]) == set(found.tables)


def test_the_answer_is_the_first_sentence_with_its_facts_marked():
    found = SystemComparison([scored("x"), scored("y", seed=1)], CompareQuestion(TEST))
    assert drop_marks(found.answer) == found.verdict[0] != found.answer


def refuse(*asked: object) -> Condition:
    raise AssertionError("tested")


def test_orders_need_no_test_and_a_measure_may_be_the_better_the_lower():
    given = [scored("x"), scored("y", seed=1)]
    found = SystemComparison(given, CompareQuestion(TEST), refuse)
    tested = SystemComparison(given, CompareQuestion(TEST))
    pd.testing.assert_frame_equal(found.orders, tested.comparison.orders)
    assert drop_marks(found.tell_orders()).endswith(tested.verdict[1])
    lower = SystemComparison([scored("x", measure="E")], CompareQuestion(TEST), refuse)
    falling = found.ranked[found.ranked["condition"] == "x"]["system"].tolist()
    assert lower.ranked["system"].tolist() == falling[::-1]


def test_too_little_to_test_leaves_tables_without_a_row():
    found = SystemComparison([scored("x", topics=1)], CompareQuestion(TEST))
    assert found.ranking["reason"].tolist() == ["one topic has no spread, so the mean has no "
                                                "interval"] * 3  # fmt: skip
    for name in ("pairs", "orders", "overlap", "letters", "posterior", "variance"):
        assert found.table(name).empty, name
    assert found.answer
    assert "two topics" in found.power["reason"][0]


def test_common_topics_are_those_of_the_question():
    given = [scored("x"), scored("y", topics=4)]
    apart, common = (
        SystemComparison(given, CompareQuestion(TEST, common_topics=one)) for one in (False, True)
    )
    assert apart.notes[0] == DIFFERENT_TOPICS
    assert DIFFERENT_TOPICS not in common.notes
    # Four to six topics: what they cannot show is told of both.
    assert all("may be unseen on 4 topics" in one.notes[-1] for one in (apart, common))
    assert apart.power["topics"].tolist() == [6, 4]
    assert common.power["topics"].tolist() == [4, 4]
    other = scored("z").on_topics(frozenset({"t5"}))
    with pytest.raises(BadInput, match="no topic counts under all conditions"):
        SystemComparison([given[1], other], CompareQuestion(common_topics=True)).table("power")


def test_each_condition_is_tested_once_and_tests_can_be_ended():
    made = []

    def examine(name, *others):
        made.append(name)
        return examine_condition(name, *others)

    found = SystemComparison([scored("x"), scored("y", seed=1)], CompareQuestion(TEST), examine)
    assert made == []
    for name in found.tables:
        found.table(name)
    assert made == ["x", "y"]

    def stop(share: float, name: str) -> None:
        raise KeyboardInterrupt

    asked = CompareQuestion(SignificanceTest(samples=100))
    with pytest.raises(KeyboardInterrupt):
        _ = SystemComparison([scored("x")], asked, progress=stop).comparison
