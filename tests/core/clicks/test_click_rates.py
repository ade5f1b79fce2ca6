"""Click-through rates: counted by hand, with limits by session."""

import numpy as np
import pytest

from core.clicks.click_rates import (
    FEW,
    NEVER_SHOWN,
    rates_by_level,
    rates_by_level_and_rank,
    rates_by_rank,
)
from tests.core.clicks.worlds import LEVELS, draw_log, make_log

ITEM = np.array([[0, 1, 2], [1, 5, -1], [0, 2, -1]])
CLICKED = np.array([[1, 0, 1], [1, 1, 0], [0, 0, 0]])


def test_rates_are_counted():
    log = make_log(ITEM, CLICKED, [0, 0, 1])
    by_rank = rates_by_rank(log)
    assert by_rank["rank"].tolist() == [1, 2, 3]
    assert by_rank["shown"].tolist() == [3, 3, 1]
    assert by_rank["clicks"].tolist() == [2, 1, 1]
    assert by_rank["value"].tolist() == pytest.approx([2 / 3, 1 / 3, 1])
    assert by_rank["reason"].tolist() == ["", "", FEW]
    by_level = rates_by_level(log, LEVELS)
    assert by_level["level"].tolist()[:2] == [0, 1]
    assert np.isnan(by_level["level"].iloc[-1])
    assert by_level["shown"].tolist() == [2, 4, 1]
    assert by_level["clicks"].tolist() == [1, 2, 1]


def test_a_level_that_a_rank_never_has_says_so():
    log = make_log(ITEM, CLICKED, [0, 0, 1])
    found = rates_by_level_and_rank(log, LEVELS)
    assert len(found) == 3 * 3
    assert found["shown"].sum() == log.shown.sum()
    empty = found[found["shown"] == 0]
    assert len(empty)
    assert set(empty["reason"]) == {NEVER_SHOWN}
    assert empty["value"].isna().all()


def test_limits_hold_the_rate_and_narrow_with_sessions():
    few, many = (rates_by_rank(draw_log("PBM", pages)) for pages in (60, 6000))
    for found in (few, many):
        assert (found["low"] < found["value"]).all()
        assert (found["value"] < found["high"]).all()
        assert set(found["unit"]) == {"session"}
    assert ((many["high"] - many["low"]) < (few["high"] - few["low"])).all()
