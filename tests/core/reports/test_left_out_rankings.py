"""What leaving out assessors does to a ranking: beside the ordinary way, and beside chance."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.agreement.assessor_null import FEWEST_SHUFFLES
from core.comparison.rank_correlation import kendall_tau
from core.comparison.ties import tie_close
from core.reports.assessors import AssessorQuality, read_assessors
from core.reports.groups import read_rule
from core.reports.left_out_rankings import NO_RUNS, RankingQuestion
from core.reports.scores import Scores, ScoresQuestion, judge_runs
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels
from core.wording import drop_marks
from tests.calibration.label_models import LEVELS, MODELS, label_rows

ITEMS = 12
MEAN = read_rule("all, mean", "page")


def study(topics: int = 6, seed: int = 1, *, partial: bool = False) -> pd.DataFrame:
    """Return labels of six people of whom the first sees what he likes in every third document."""
    rng = np.random.default_rng(seed)
    levels = MODELS[1].draw(topics, 6, rng)[:, :ITEMS]
    liked = np.arange(ITEMS) % 3 == 0
    levels[:, liked, 0], levels[:, ~liked, 0] = LEVELS[-1], LEVELS[0]
    if partial:
        levels = np.where(rng.random(levels.shape) < 0.9, levels, -1)
    return label_rows(levels)


def rank_systems(rows: pd.DataFrame, systems: int = 8, seed: int = 2) -> pd.DataFrame:
    """Return runs, the later the more of what the first person likes."""
    rng = np.random.default_rng(seed)
    mean = rows.groupby(["topic_id", "document_id"])["level"].mean().reset_index()
    liked = mean["document_id"].str[1:].astype(int) % 3 == 0
    parts = []
    for system in range(systems):
        score = 0.5 * mean["level"] + system / systems * liked + 0.4 * rng.normal(size=len(mean))
        run = mean.assign(system=f"s{system}", score=score)
        rank = run.groupby("topic_id")["score"].rank(ascending=False).astype(int)
        parts.append(run.assign(rank=rank)[["system", "topic_id", "document_id", "rank", "score"]])
    return pd.concat(parts, ignore_index=True)


def judge(rows: pd.DataFrame, **asked: object) -> AssessorQuality:
    ranking = RankingQuestion(**{"rule": MEAN, **asked})
    return read_assessors(rows, "page", list(LEVELS), ranking=ranking)


def score(rows: pd.DataFrame, runs: pd.DataFrame) -> pd.Series:
    version = qrels_from_labels(rows, MEAN, None, LEVELS[-1])
    means = Scores(judge_runs(runs, version, "all"), ScoresQuestion(("nDCG@10",))).means
    return means.set_index("system")["value"].sort_index()


def test_the_ranking_without_somebody_is_that_of_the_labels_of_the_others():
    rows = study(partial=True)
    runs = rank_systems(rows)
    found = judge(rows, runs=runs)
    kappa = found.assessors.set_index("assessor_id")["kappa_mean"].sort_values()
    table = found.leaving_out_ranking.set_index("left_out")
    assert table.index.tolist() == [1, 2, 3]
    for number, tau in table["tau"].items():
        stay = rows[~rows["assessor_id"].isin(kappa.index[:number])]
        both = (tie_close(score(one, runs)) for one in (rows, stay))
        assert tau == pytest.approx(kendall_tau(*both))
    assert table["topics"].tolist() == [6] * 3
    assert not table["reason"].any()


def test_who_likes_what_one_system_shows_moves_the_ranking_more_than_chance():
    rows = study(8)
    found = judge(rows, runs=rank_systems(rows, 12))
    row = found.leaving_out_ranking.set_index("left_out").loc[1]
    assert row["tau"] < min(row["within_items_low"], row["within_topics_low"])
    assert row["beyond"]
    told = drop_marks(found.ranking_answer)
    assert told.startswith(
        "The ranking of 12 systems by nDCG@10 under 'all, mean' without the assessor who agrees "
        f"least with the others has Kendall's τ-b {row['tau']:.3f} to that by all labels, more "
        "than this choice moves it by chance: where labels are dealt anew within items it is "
    )
    assert ", and within topics 0." in told


def test_where_nobody_differs_it_is_not_shown():
    rows = label_rows(MODELS[1].draw(6, 6, np.random.default_rng(4))[:, :ITEMS])
    found = judge(rows, runs=rank_systems(rows))
    assert not found.leaving_out_ranking["beyond"].any()
    assert (found.leaving_out_ranking["tau"] < 1).any()
    told = drop_marks(found.ranking_answer)
    assert " to that by all labels, not shown to be more than this choice moves it by" in told
    assert len(found.dealt.within_items.alpha) > FEWEST_SHUFFLES


def test_with_few_topics_it_cannot_be_said():
    rows = study(4)
    found = judge(rows, runs=rank_systems(rows))
    table = found.leaving_out_ranking
    assert table[["p", "within_topics"]].isna().all(axis=None)
    assert table[["tau", "within_items"]].notna().all(axis=None)
    assert not table["beyond"].any()
    told = drop_marks(found.ranking_answer)
    assert "; whether it moves more than by chance cannot be said, as how topics are" in told
    assert "within topics" not in told


def test_only_the_topics_that_are_named_count():
    rows = study()
    runs = rank_systems(rows)
    found = judge(rows, runs=runs, topics=["t00001", "t00002"])
    assert found.leaving_out_ranking["topics"].tolist() == [2] * 3
    nothing = judge(rows, runs=runs, topics=["t9"])
    assert nothing.ranking_answer == ""


def lack(**asked: object) -> list[str]:
    found = judge(study(5), **asked)
    assert found.ranking_answer == ""
    table = found.leaving_out_ranking
    assert len(table) == 3
    assert table.drop(columns=["left_out", "beyond", "topics", "reason"]).isna().all(axis=None)
    assert not table["beyond"].any()
    return table["reason"].unique().tolist()


def test_why_there_is_no_ranking_is_told():
    runs = rank_systems(study(5))
    assert lack() == [NO_RUNS]
    assert lack(runs=runs[:0]) == [NO_RUNS]
    (why,) = lack(runs=runs, rule=QrelsRule("sums", "page", combine="sum"))
    assert why == (
        "the version 'sums' cannot be made of some labels, as 'sum' is not of the labels of one "
        "group alone"
    )
    (why,) = lack(runs=runs, measure="TBG")
    assert why.endswith(" needs more than levels")
    (why,) = lack(runs=runs[runs["system"] == "s0"])
    assert why == "one system has no order, and systems that are all alike neither"
    alone = study(5)
    found = judge(alone[alone["assessor_id"] == "a1"], runs=runs)
    assert found.leaving_out_ranking.empty
    assert found.ranking_answer == ""


def test_without_a_rule_it_is_the_usual_one():
    rows = study(5)
    found = judge(rows, runs=rank_systems(rows), rule=None)
    assert "under 'all, median, in whole levels'" in found.ranking_answer
    other = replace(RankingQuestion(), measure="AP")
    assert other.describe("page") == "AP under 'all, median, in whole levels'"
    write = found.tables["leaving_out_ranking"].columns["p"].write
    assert write is not None
    assert [write(one) for one in (0.5, float("nan"))] == ["0.500", ""]
