"""What an unpooled run would lose, in tables and in words."""

import pandas as pd
import pytest

from core.comparison.choices import LEFT_OUT_TEST
from core.comparison.left_out_runs import LeftOutRuns
from core.errors import BadInput, TooLittleData
from core.reports.unpooled import (
    BESIDE,
    NOT_SAMPLED,
    UNTESTED,
    Unpooled,
    UnpooledQuestion,
    list_measures,
)
from core.versions.judgements import put_on_scale
from core.wording import drop_marks, plain_with_facts
from tests.core.comparison.test_left_out_runs import DEPTH, study
from tests.each import each

__all__ = ["study"]


def ask(runs, qrels, **asked) -> Unpooled:
    return Unpooled(runs, put_on_scale(qrels), UnpooledQuestion(("AP",), **asked))


def test_the_depth_is_told_from_the_judgements(study):
    found, given = (ask(*study, depth=depth) for depth in (None, DEPTH))
    assert found.depth == given.depth == DEPTH
    pd.testing.assert_frame_equal(found.falls, given.falls)
    runs, qrels = study
    with pytest.raises(BadInput, match="say the depth"):
        _ = ask(runs, qrels.assign(document_id="x" + qrels["document_id"])).depth


def test_who_loses_most_and_who_brought_most_stand_first(study):
    found = ask(*study)
    assert found.falls["rank_fall"].is_monotonic_decreasing
    assert found.shares["share"].is_monotonic_decreasing
    assert len(found.falls) == len(found.found.falls)
    assert found.notes == (NOT_SAMPLED, f"significant: {LEFT_OUT_TEST}, α = 0.05")


def test_a_team_of_a_system_without_a_run_is_refused(study):
    with pytest.raises(BadInput, match="no run of system 'z9'"):
        _ = ask(*study, teams=(("a1", "a"), ("z9", "z"))).found


def test_condensed_lists_stand_beside():
    assert list_measures("P@5") == ("P@5", "P(judged_only=True)@5", *BESIDE)
    condensed = "AP(judged_only=True)"
    assert list_measures("AP") == ("AP", condensed, "nDCG@10", "bpref", *BESIDE[4:])
    assert list_measures(condensed)[:2] == (condensed, "AP")
    assert list_measures("bpref") == ("bpref", "AP", "nDCG@10", *BESIDE[3:])


def made_of(fall, ranks, worst, systems=(1, 1)):
    """Return what was found of two runs whose mean falls are these."""
    falls = pd.DataFrame(
        {
            **{"team": ["x", "y"], "system": ["x", "y"], "measure": "AP", "topics": 5},
            **{"fall": [fall, fall], "rank_fall": [worst, 2 * ranks - worst]},
            **{"lost": 0, "significant": 1},
        }
    )
    shares = pd.DataFrame({"team": ["x", "y"], "systems": systems})
    report = Unpooled(falls, put_on_scale(pd.DataFrame({"level": []})), UnpooledQuestion(("AP",)))
    vars(report)["found"] = LeftOutRuns(falls, shares.assign(share=0.5), 10)
    return report


@each(
    ("found", "says"),
    [
        (
            made_of(0.0123, 2.5, 4),
            "A run that had not contributed to the pool would lose 0.012 AP and 2.5 ranks on "
            "average over 2 runs; at worst 4 ranks (x).",
        ),
        (
            made_of(-0.0123, 0.5, 1, (2, 1)),
            "A run whose team had not contributed to the pool would gain 0.012 AP and lose 0.5 "
            "ranks on average over 2 runs; at worst 1 rank (x).",
        ),
        (
            made_of(0, 0, 0),
            "A run that had not contributed to the pool would keep its AP and its rank on average "
            "over 2 runs; no run would fall in rank.",
        ),
        (
            made_of(0, 1, 1),
            "A run that had not contributed to the pool would keep its AP and lose 1.0 ranks on "
            "average over 2 runs; at worst 1 rank (x and y).",
        ),
        (
            made_of(0.0001, 0.01, 1),
            "A run that had not contributed to the pool would lose under 0.001 AP and under 0.1 "
            "ranks on average over 2 runs; at worst 1 rank (x).",
        ),
        (
            made_of(-0.02, 0, 2),
            "A run that had not contributed to the pool would keep its rank and gain 0.020 AP on "
            "average over 2 runs; at worst 2 ranks (x).",
        ),
        (
            made_of(0.5, -1, -1),
            "A run that had not contributed to the pool would lose 0.500 AP and gain 1.0 ranks on "
            "average over 2 runs; no run would fall in rank.",
        ),
        (
            made_of(-0.5, -1, -1),
            "A run that had not contributed to the pool would gain 0.500 AP and 1.0 ranks on "
            "average over 2 runs; no run would fall in rank.",
        ),
    ],
)
def test_the_answer_is_a_sentence(found, says):
    assert drop_marks(found.answer) == drop_marks(found.answer_by("AP")) == says
    assert "**" in plain_with_facts(found.answer)


def test_where_nothing_of_the_pool_is_judged_nothing_is_told(study):
    runs, qrels = study
    with pytest.raises(TooLittleData, match="can lose nothing"):
        _ = ask(runs, qrels.assign(document_id="x" + qrels["document_id"]), depth=DEPTH).answer


def test_on_one_topic_nothing_is_tested_and_that_is_said(study):
    runs, qrels = (one[one["topic_id"] == study[1]["topic_id"].iloc[0]] for one in study)
    found = ask(runs, qrels, depth=DEPTH)
    assert found.notes == (NOT_SAMPLED, UNTESTED)
    assert not found.summary["significant"].any()


@each("alpha", [0, 1, 2, float("nan")])
def test_an_alpha_that_is_none_is_refused(alpha):
    with pytest.raises(BadInput, match="between 0 and 1"):
        UnpooledQuestion(("AP",), alpha=alpha)
