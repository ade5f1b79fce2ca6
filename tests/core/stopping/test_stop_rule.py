"""The stop rule."""

import numpy as np
import pytest

from core.errors import BadInput
from core.stopping.expected import ExpectedTau
from core.stopping.stop_rule import StopRule
from tests.each import each


def expected(tau=0.95, low=0.9, best=0.96):
    return ExpectedTau(tau, low, 1.0, "s1", best, np.empty(0))


def test_a_rule_proposes_where_both_are_met():
    assert StopRule().proposes(expected())
    assert not StopRule().proposes(expected(low=0.89))
    assert not StopRule().proposes(expected(best=0.94))
    nothing = float("nan")
    assert not StopRule().proposes(expected(nothing, nothing, nothing))


def test_what_is_not_asked_for_need_not_be_met():
    assert StopRule(best_stays=0).proposes(expected(best=0.1))
    assert StopRule(tau_low=-1).proposes(expected(low=-0.5))
    nothing = float("nan")
    assert not StopRule(best_stays=0).proposes(expected(nothing, nothing, nothing))


def test_a_rule_is_told_and_stored():
    rule = StopRule(0.9, 0.8, "nDCG@10", 50)
    assert rule.tell() == "P(best stays) ≥ 0.9 and lower limit of τ ≥ 0.8"
    assert StopRule(0, 0.8).tell() == "lower limit of τ ≥ 0.8"
    assert StopRule(0.5, -1).tell() == "P(best stays) ≥ 0.5"
    assert StopRule.from_json(rule.to_json()) == rule


@each("values", [(1.1, 0.9), (0.9, -1.1), (0, -1), (0.9, 0.9, "AP", 0), (float("nan"), 0.9)])
def test_a_rule_out_of_range_is_refused(values):
    with pytest.raises(BadInput):
        StopRule(*values)


@each("text", ["", "[]", '{"other": 1}', '{"best_stays": 2}'])
def test_a_text_that_is_no_rule_is_refused(text):
    with pytest.raises(BadInput):
        StopRule.from_json(text)
