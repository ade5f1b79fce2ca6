"""Who leads, and who is not shown to differ from it."""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from core.comparison.conditions import examine_condition
from core.comparison.significance_test import SignificanceTest
from core.measures.ranking import compile_rankings
from core.reports.leaderboard import Leaderboard, LeaderboardQuestion
from core.reports.scores import JudgedRuns, Scores, ScoresQuestion, judge_runs
from core.versions.judgements import put_on_scale
from core.wording import plain_with_facts
from tests.each import each

TEST = SignificanceTest()

TOPICS = [f"t{number}" for number in range(12)]


def lead(
    values: dict[str, Sequence[float]], others: dict[str, object], untested: str = ""
) -> Leaderboard:
    """Return a leaderboard of scores by topic, with what a test finds of each pair with the best.

    Parameters
    ----------
    others : mapping of system to p
        None where nothing was tested.
    """
    run = pd.DataFrame(
        [(system, "t", "d", 1, 1.0) for system in values],
        columns=["system", "topic_id", "document_id", "rank", "score"],
    )
    qrels = pd.DataFrame({"topic_id": ["t"], "document_id": ["d"], "level": [1]})
    scores = Scores(judge_runs(run, put_on_scale(qrels)), ScoresQuestion(("AP",)))
    rows = [
        {"system": system, "topic_id": str(at), "measure": "AP", "value": value, "judged": 1.0,
         "residual": np.nan, "reason": ""}
        for system, own in values.items()
        for at, value in enumerate(own)
    ]  # fmt: skip
    vars(scores)["by_topic"] = pd.DataFrame(rows)
    best = next(iter(values))
    pairs = pd.DataFrame(
        [(best, other, p) for other, p in others.items() if p is not None],
        columns=["first", "second", "p"],
    )
    found = SimpleNamespace(pairs=pairs, reason=untested)
    return Leaderboard(scores, LeaderboardQuestion("AP", TEST), lambda *given: found)


SPREAD = [0.3, 0.5, 0.7]
SAID = r"\(single\-step randomised max\-t test, α = 0\.05\)"
LIMITS = r"\[0\.072, 0\.928\] over 3 topics"


@each(
    ("values", "others", "untested", "answer"),
    [
        (
            {"a": SPREAD, "b": [0.4, 0.4, 0.4], "c": [0.1, 0.1, 0.1]},
            {"b": 0.2, "c": 0.01},
            "",
            "**a** leads with AP **0\\.500** LIMITS; **1 of 2 others** is not shown to differ from "
            "it \\(single\\-step randomised max\\-t test, α = 0\\.05\\)\\.",
        ),
        (
            {"a": SPREAD, "b": [0.4, 0.4, 0.4], "c": [0.1, 0.1, 0.1]},
            {"b": 0.02, "c": 0.01},
            "",
            "**a** leads with AP **0\\.500** LIMITS; **all 2 others are shown to be worse** "
            "TEST\\.",
        ),
        (
            {"a": SPREAD, "b": [0.4, 0.4, 0.4]},
            {"b": 0.02},
            "",
            "**a** leads with AP **0\\.500** LIMITS; **the other is shown to be worse** TEST\\.",
        ),
        (
            {"a": SPREAD, "b": [0.4, 0.4, 0.4], "c": [0.1, 0.1, 0.1]},
            {"b": None, "c": 0.01},
            "",
            "**a** leads with AP **0\\.500** LIMITS; **1 of 2 others** is not shown to differ from "
            "it TEST\\.",
        ),
        ({"a": SPREAD}, {}, "", "**a** is the only system\\: AP **0\\.500** LIMITS\\."),
        (
            {"a": SPREAD, "b": SPREAD},
            {"b": 1.0},
            "",
            "**a** and **b** share the first rank with AP **0\\.500** LIMITS\\.",
        ),
        (
            dict.fromkeys("abcd", SPREAD),
            dict.fromkeys("bcd", 1.0),
            "",
            "**4 systems** share the first rank with AP **0\\.500** LIMITS\\.",
        ),
        (
            {"a*": SPREAD, "b": [0.4, 0.4, 0.4]},
            {"b": None},
            "one topic is too few",
            r"**a\*** leads with AP **0\.500** LIMITS; differences are not tested\: one topic is "
            r"too few\.",
        ),
        ({"a": [0.5]}, {}, "", "**a** is the only system\\: AP **0\\.500** over 1 topic\\."),
    ],
)
def test_the_answer_says_who_leads_and_how_sure_that_is(values, others, untested, answer):
    said = plain_with_facts(lead(values, others, untested).answer)
    assert said == answer.replace("LIMITS", LIMITS).replace("TEST", SAID)


def test_who_is_worse_than_those_that_share_the_first_rank_differs_from_each():
    values = {"a": [0.2, 0.5, 0.8], "b": [0.5, 0.5, 0.5], "c": [0.1, 0.1, 0.1]}
    report = lead(values, {})
    pairs = [("a", "b", 1.0), ("a", "c", 0.01), ("c", "b", 0.3)]
    tested = pd.DataFrame(pairs, columns=["first", "second", "p"])
    found = SimpleNamespace(pairs=tested, reason="")
    report = Leaderboard(report.scores, report.question, lambda *given: found)
    assert report.ranking["p"].tolist()[1:] == [1.0, 0.3]
    assert "**the other** is not shown to differ from them" in plain_with_facts(report.answer)


@pytest.fixture
def judged() -> JudgedRuns:
    """Twelve topics with one relevant document each; s1 finds it first, the others late."""
    qrels = pd.DataFrame(
        [(topic, f"d{n}", int(n == 0)) for topic in TOPICS for n in range(9)],
        columns=["topic_id", "document_id", "level"],
    )
    runs = pd.DataFrame(
        [
            (system, topic, f"d{(n + shift + at * (shift > 0) % 2) % 9}", n + 1, 9.0 - n)
            for system, shift in (("s1", 0), ("s2", 5), ("s3", 4))
            for at, topic in enumerate(TOPICS)
            for n in range(9)
        ],
        columns=["system", "topic_id", "document_id", "rank", "score"],
    )
    return JudgedRuns(compile_rankings(runs, put_on_scale(qrels, 3)))


def test_each_system_is_tested_against_the_best(judged):
    scores = Scores(judged, ScoresQuestion(("AP", "RR")))
    report = Leaderboard(scores, LeaderboardQuestion("RR", TEST))
    rows = report.ranking
    own = scores.counted[scores.counted["measure"] == "RR"]
    pairs = examine_condition("RR", own, TEST).pairs
    assert rows["system"].iloc[0] == "s1"
    assert rows["rank"].tolist()[0] == 1
    assert pd.isna(rows["differs"].iloc[0])
    for row in rows.iloc[1:].itertuples():
        both = pairs[(pairs[["first", "second"]] == row.system).any(axis=1)]
        both = both[(both[["first", "second"]] == "s1").any(axis=1)]
        assert row.p == both["p"].item()
        assert row.differs == (row.p < TEST.alpha)
    assert rows["differs"].iloc[1:].any()
    assert report.notes == scores.notes
    assert report.describe_interval("ranking", rows.iloc[0])["n"] == len(TOPICS)


def test_without_scores_there_is_no_row_and_a_reason(judged):
    scores = Scores(judged, ScoresQuestion(("P(rel=2)@5",)))
    report = Leaderboard(scores, LeaderboardQuestion("P(rel=2)@5"))
    assert report.ranking.empty
    assert report.answer.startswith("No system has a score: no judged topic has anything to find")


def test_where_no_difference_could_be_shown_that_is_said(judged):
    """Two topics have four signs: no p is below a half, however far systems are apart."""
    rankings = judged.rankings
    for topics, can in ((2, False), (12, True)):
        scores = Scores(judged, ScoresQuestion(("RR",)))
        own = scores.by_topic[scores.by_topic["topic_id"].isin(rankings.topics[:topics])]
        vars(scores)["by_topic"] = own
        answer = Leaderboard(scores, LeaderboardQuestion("RR", TEST)).answer
        assert ("; with 2 topics no p can be below 0.500" in answer) != can
