"""Limits of means, and the note on topics that are too few and too skewed for them."""

import numpy as np
import pandas as pd
import pytest

from core.comparison.significance_test import SignificanceTest
from core.reports.compare import CompareQuestion, SystemComparison
from core.reports.leaderboard import Leaderboard, LeaderboardQuestion
from core.reports.mean_limits import FEW, FEWEST, limit_means, tell_skewed_topics
from core.reports.scores import Scores, ScoresQuestion, judge_runs
from core.versions.judgements import put_on_scale

SKEWED = [0.9, 0.01, 0.001, 0.005, 0.04]
EVEN = [0.9, 0.5, 0.3, 0.4, 0.2]


def scores_of(measure: str, *systems: list[float]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"system": f"s{at}", "measure": measure, "value": value}
            for at, own in enumerate(systems)
            for value in own
        ]
    )


def test_without_a_highest_score_limits_follow_the_unit_of_the_scores():
    values = np.array([1.0, 4.0, 3.5, 9.0])
    found = [
        limit_means(*_sum_up(scale * values), np.array([4.0]), np.array([np.inf]))
        for scale in (1, 100)
    ]
    assert np.ravel(found[1]) == pytest.approx(100 * np.ravel(found[0]))


def _sum_up(values: np.ndarray) -> tuple[np.ndarray, ...]:
    return tuple(np.array([one]) for one in (values.mean(), values.std(ddof=1), values.max()))


def test_they_are_above_0_and_lie_more_to_the_side_of_the_tail():
    values = np.array([0.2, 0.1, 0.4, 0.3, 12.0])
    (low,), (high,) = limit_means(*_sum_up(values), np.array([5.0]), np.array([np.inf]))
    assert 0 < low < values.mean()
    assert high - values.mean() > 2 * (values.mean() - low)


@pytest.mark.parametrize("values", [[3.0], [3.0, 3.0, 3.0]])
def test_of_one_topic_or_of_topics_alike_there_are_none(values):
    with np.errstate(all="raise"):
        deviation = np.nan if len(values) == 1 else 0.0
        parts = (np.array([one]) for one in (3.0, deviation, 3.0, float(len(values)), np.inf))
        assert np.isnan(np.ravel(limit_means(*parts))).all()


@pytest.mark.parametrize(("end", "turn"), [("0", False), ("1", True)])
def test_few_topics_that_crowd_at_an_end_are_told(end: str, turn: bool):
    values = [1 - one for one in SKEWED] if turn else SKEWED
    (note,) = tell_skewed_topics(scores_of("AP", values, values, EVEN))
    assert note == (
        "limits of mean AP may hold less often than in 95 of 100 studies: most of the 5 topics "
        f"score near {end} and a few far from it; simulated so, they held in 81 to 95 of 100, "
        "of scores still more skewed in as few as 65"
    )


def test_the_fewest_are_those_of_a_very_skewed_model():
    scores = np.random.default_rng(7).beta(0.05, 0.5, (20_000, 3))
    low, high = limit_means(*_by_study(scores), np.full(len(scores), 3.0), np.ones(len(scores)))
    true = 0.05 / 0.55
    assert ((low <= true) & (true <= high)).mean() == pytest.approx(FEWEST / 100, abs=0.01)


def _by_study(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return scores.mean(axis=1), scores.std(axis=1, ddof=1), scores.max(axis=1)


def test_of_several_systems_less_is_needed():
    less = [0.9, 0.02, 0.01, 0.04, 0.05]
    assert len(tell_skewed_topics(scores_of("AP", less, less))) == 1


def test_without_a_highest_score_topics_crowd_at_0():
    (note,) = tell_skewed_topics(scores_of("CG", [100 * one for one in SKEWED]))
    assert "mean CG" in note
    assert "near 0" in note
    assert tell_skewed_topics(scores_of("CG", [200 - 100 * one for one in SKEWED])) == []


@pytest.mark.parametrize(
    "systems",
    [
        pytest.param([EVEN], id="topics are spread evenly"),
        pytest.param([SKEWED, EVEN], id="of half of the systems only"),
        pytest.param([SKEWED * (FEW // 5 + 1)], id="topics are many"),
        pytest.param([[0.9, 0.0, 0.0, 0.0, 0.04]], id="the median is at the end"),
        pytest.param([[0.9, 0.02, 0.01, 0.04, 0.05]], id="of one system, less crowded"),
        pytest.param([[np.nan] * 5], id="no topic has a score"),
    ],
)
def test_other_topics_are_not_told(systems):
    assert tell_skewed_topics(scores_of("AP", *systems)) == []


def test_geometric_means_have_no_limits_to_tell_of():
    assert tell_skewed_topics(scores_of("GMAP", SKEWED)) == []


def test_each_measure_is_told_of_by_itself():
    both = pd.concat([scores_of("AP", SKEWED), scores_of("RR", EVEN), scores_of("nDCG", SKEWED)])
    assert [note.split()[3] for note in tell_skewed_topics(both)] == ["AP", "nDCG"]


def rank_first_hits(ranks: list[int]) -> Scores:
    """Return scores of a run whose only relevant documents are at these ranks, a topic each."""
    rows = [
        ("s", f"t{topic}", f"d{rank}", rank)
        for topic, place in enumerate(ranks)
        for rank in range(1, place + 1)
    ]
    runs = pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])
    hits = [(f"t{topic}", f"d{place}", 1) for topic, place in enumerate(ranks)]
    qrels = pd.DataFrame(hits, columns=["topic_id", "document_id", "level"])
    return Scores(judge_runs(runs, put_on_scale(qrels), "mine"), ScoresQuestion(("RR",)))


@pytest.mark.parametrize(("ranks", "told"), [([1, 90, 80, 60, 99], 1), ([1, 2, 2, 3, 4], 0)])
def test_reports_of_scores_and_of_a_comparison_tell_it(ranks: list[int], told: int):
    scores = rank_first_hits(ranks)
    board = Leaderboard(scores, LeaderboardQuestion("RR"))
    compared = SystemComparison(
        [scores.condition("RR", {"qrels": "mine"}, "mine")], CompareQuestion(SignificanceTest("t"))
    )
    for report in (scores, board, compared):
        begun = [one for one in report.notes if one.startswith("mine: limits of mean RR may hold")]
        assert len(begun) == told
