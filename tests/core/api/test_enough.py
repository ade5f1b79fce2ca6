"""From Python, whether enough is judged is what the report says."""

import pandas as pd

import dissent
from core.reports.enough import EnoughQuestion, ask_of_runs
from core.stopping.stop_rule import StopRule
from core.versions.judgements import put_on_scale
from tests.core.comparison.test_left_out_runs import study

__all__ = ["study"]


def test_python_finds_what_the_report_finds(study):
    runs, qrels = study[0], study[1][::2]
    found = dissent.enough(runs, qrels, "P@3", level=2, depth=4, tau_low=0.3, label_price=2)
    rule = StopRule(0.95, 0.3, "P(rel=2)@3", 4)
    expected = ask_of_runs(runs, put_on_scale(qrels), EnoughQuestion("P(rel=2)@3", 4, rule))
    pd.testing.assert_frame_equal(found.expected, expected.expected)
    assert found.answer == expected.answer
    assert found.cost["money"].iloc[-1] == 2 * found.cost["labels"].iloc[-1]


def test_the_depth_is_that_of_the_runs(study):
    runs, qrels = study
    assert dissent.enough(runs, qrels).question == EnoughQuestion("AP", int(runs["rank"].max()))
