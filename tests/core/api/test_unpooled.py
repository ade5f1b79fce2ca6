"""From Python, unpooled runs are what the command finds."""

import pandas as pd

import dissent
from core.reports.unpooled import Unpooled, UnpooledQuestion
from core.versions.judgements import put_on_scale
from tests.core.comparison.test_left_out_runs import study

__all__ = ["study"]


def test_python_finds_what_the_analysis_finds(study):
    runs, qrels = study
    teams = {"a1": "a", "a2": "a"}
    found = dissent.unpooled(runs, qrels.drop(columns="iteration"), "P@3", teams=teams, level=2)
    question = UnpooledQuestion(("P(rel=2)@3",), teams=tuple(teams.items()))
    expected = Unpooled(runs, put_on_scale(qrels), question)
    pd.testing.assert_frame_equal(found.falls, expected.falls)
    pd.testing.assert_frame_equal(found.shares, expected.shares)
    several = dissent.unpooled(runs, qrels, ["AP", "bpref"], depth=3)
    assert several.depth == 3
    assert several.summary["measure"].tolist() == ["AP", "bpref"]
