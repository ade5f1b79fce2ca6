"""Means over topics: their intervals against scipy."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.agreement.intervals import LOG_ODDS
from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.reports.mean_limits import ESTIMATED
from core.reports.scores import (
    ALIKE,
    NO_TOPIC,
    NOTHING_TO_FIND,
    ONE_TOPIC,
    JudgedRuns,
    Scores,
    ScoresQuestion,
    average_topics,
    describe_means,
    judge_runs,
    score_topics,
)
from core.versions.judgements import put_on_scale
from core.wording import drop_marks
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


def test_without_a_highest_score_one_is_estimated():
    values = [1.0, 4.0, 3.5, 9.0]
    (row,) = average_topics(scores_of(one=values).assign(measure="DCG@10")).to_dict("records")
    highest = 9 + 1.2 * stats.t.ppf(0.975, 3) * (9 - np.mean(values))
    wanted = limits_of_mean([value / highest for value in values], fewer=1)
    assert [row["low"] / highest, row["high"] / highest] == pytest.approx(wanted)
    assert row["interval"] == ESTIMATED


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


def runs_of(**documents: dict[str, list[str]]) -> pd.DataFrame:
    """Return runs from the documents that each system gives for each topic."""
    rows = [
        (system, topic, document, place)
        for system, topics in documents.items()
        for topic, own in topics.items()
        for place, document in enumerate(own, start=1)
    ]
    return pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])


QRELS = pd.DataFrame(
    [("1", "a", 2), ("1", "b", 0), ("2", "a", 1)], columns=["topic_id", "document_id", "level"]
)
RUNS = runs_of(s={"1": ["b", "a"], "2": ["a"]}, t={"1": ["a", "b"], "9": ["a"]})


@pytest.fixture
def report() -> Scores:
    judged = judge_runs(RUNS, put_on_scale(QRELS), "mine")
    return Scores(judged, ScoresQuestion(("P(rel=2)@1", "AP", "RBP(p=0.5)")))


def test_systems_are_ranked_by_each_measure(report):
    ranks = report.means.pivot(index="system", columns="measure", values="rank")
    assert ranks["P(rel=2)@1"].to_dict() == {"s": 2, "t": 1}
    assert ranks["AP"].to_dict() == {"s": 1, "t": 2}
    assert report.systems == ["t", "s"]
    assert report.sort(report.by_topic)["system"].iloc[0] == "t"
    assert (report.means["units"] == report.means["topics"]).all()


def test_the_answer_names_the_best_by_the_first_measure(report):
    assert drop_marks(report.answer) == "t leads with P(rel=2)@1 1.000 over 1 topic."


def test_what_the_reader_has_to_know_is_noted_with_what_it_is_of(report):
    report = Scores(report.judged, ScoresQuestion(("P(rel=2)@1", "ERR@2")))
    top, unknown, missing, differ, empty = report.notes
    assert unknown == "mine: topics of the runs without a judgement, left out: 1 (9)"
    assert missing == "judged topics without a line of t, which score 0: 1 (2)"
    assert differ.startswith("mine: the means are over different topics: P(rel=2)@1 1, ERR@2 2")
    assert empty == "mine: topics with nothing to find for P(rel=2)@1, left out: 1 (2)"
    assert top.startswith("mine: ERR@2: the highest level that occurs, 2,")
    assert report.assumptions == report.notes[:3]


def test_numbers_of_topics_are_shown_by_measure_where_they_differ(report):
    table = report.side_by_side
    assert table["system"].tolist() == ["t", "s"]
    assert table["judged@1"].tolist() == [1.0, 1.0]
    assert table["topics P(rel=2)@1"].tolist() == [1, 1]
    assert table["topics AP"].tolist() == [2, 2]
    assert table["residual RBP(p=0.5)"].gt(0).all()
    alike = Scores(report.judged, ScoresQuestion(("AP", "P(rel=3)@2"))).side_by_side
    assert list(alike) == ["system", "AP", "judged", "topics"]
    assert "<td>t</td>" in report._repr_html_()


def test_a_measure_without_a_score_says_why(report):
    nothing = Scores(report.judged, ScoresQuestion(("P(rel=3)@1",)))
    assert nothing.answer == f"No system has a score: {NO_TOPIC}."
    assert f"P(rel=3)@1: {NO_TOPIC}" in nothing.notes
    assert nothing.counted.empty
    first, *_ = nothing.means.to_dict("records")
    assert describe_means(nothing, first)["rank"] is None


def test_a_row_as_json_has_it(report):
    row = report.means[report.means["measure"] == "AP"].iloc[0].to_dict()
    entry = describe_means(report, row)
    assert entry["interval"] == {
        "method": LOG_ODDS,
        "unit": "topic",
        "n": 2,
        "of": "mean score of this system, over topics like these",
    }
    assert (entry["system"], entry["topic"], entry["rank"], entry["topics"]) == ("s", None, 1, 2)
    assert "residual" not in entry
    by_topic = report.by_topic
    own = by_topic[by_topic["measure"] == "RBP(p=0.5)"].iloc[0].to_dict()
    assert set(describe_means(report, own)) == {
        *("system", "measure", "topic", "value", "residual", "judged")
    }


def test_each_measure_is_computed_from_what_it_takes(report):
    rankings = report.rankings
    words, samples = (compile_rankings(RUNS, put_on_scale(QRELS)) for _ in range(2))
    judged = JudgedRuns(rankings, "", None, lambda: words, lambda: samples)
    given = {name: judged.find_rankings(parse_measure(name)) for name in ("AP", "TBG", "xinfAP")}
    assert list(map(id, given.values())) == list(map(id, (rankings, words, samples)))
    assert judge_runs(RUNS, put_on_scale(QRELS), topics=["2"]).rankings.topics == ("2",)
    mixed = Scores(judged, ScoresQuestion(("AP", "TBG", "RR"))).by_topic
    assert mixed["measure"].unique().tolist() == ["AP", "TBG", "RR"]
    bare = JudgedRuns(rankings)
    assert bare.find_rankings(parse_measure("xinfAP")) is rankings


def test_no_measure_is_refused(report):
    with pytest.raises(BadInput, match="at least one measure"):
        _ = Scores(report.judged, ScoresQuestion(())).by_topic


def test_systems_are_compared_under_what_counts(report):
    facts = {"qrels": "mine"}
    found = report.condition("AP", facts, "mine", topics=["1"], topic_set="half")
    assert found.facts == {"qrels": "mine", "measure": "AP"}
    assert (found.judged_topics, found.topics, found.topic_set) == (1, {"1"}, "half")
    assert list(found.scores) == ["system", "topic_id", "measure", "value", "judged"]
    assert report.condition("AP", facts).judged_topics == 2
    with pytest.raises(TooLittleData):
        report.condition("AP", facts, topics=["7"])


def test_what_is_estimated_from_a_sample_says_that_there_is_none(report):
    measure = parse_measure("xinfAP")
    found = Scores(report.judged, ScoresQuestion((str(measure),)))
    assert set(found.by_topic["reason"]) == {measure.lack}
    assert found.means["reason"].str.endswith(measure.lack).all()
