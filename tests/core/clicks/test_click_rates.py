"""Click-through rates: counted by hand, with limits by session."""

import numpy as np
import pytest

from core.clicks.click_model import parse_click_model
from core.clicks.click_rates import (
    FEW,
    NEVER_SHOWN,
    attractiveness_by_level,
    pool_levels,
    rates_by_level,
    rates_by_level_and_rank,
    rates_by_rank,
)
from core.errors import BadInput
from tests.core.clicks.worlds import ATTRACTIVE, LEVELS, draw_log, make_log
from tests.each import each

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


@each("name", ["PBM", "UBM", "DCM"])
def test_levels_are_as_attractive_as_their_documents(name):
    log = draw_log(name, 3000)
    found = attractiveness_by_level(parse_click_model(name), log, LEVELS, draws=30)
    assert found["items"].tolist() == [1, 2, 2, 1]
    wanted = [0.15, 0.35, 0.55, 0.75]
    assert found["value"].tolist() == pytest.approx(wanted, abs=0.05)
    assert np.isnan(found["level"].iloc[-1])
    assert (found["low"] < found["value"]).all()
    assert (found["value"] < found["high"]).all()


def test_pooling_keeps_pages_and_clicks():
    log = draw_log("PBM", 50)
    pooled, known = pool_levels(log, LEVELS)
    assert pooled.items == ("0", "1", "2", "unjudged")
    assert (pooled.shown == log.shown).all()
    assert pooled.clicked is log.clicked
    given = np.where(log.shown, LEVELS[log.item], -1)
    assert np.array_equal(np.where(pooled.shown, known[pooled.item], -1), given, equal_nan=True)
    assert len(ATTRACTIVE) == len(log.items)


def test_a_model_without_attractiveness_is_refused():
    with pytest.raises(BadInput, match="rank-CTR has no attractiveness"):
        attractiveness_by_level(parse_click_model("rank-CTR"), draw_log("PBM", 9), LEVELS)
    with pytest.raises(BadInput, match="level-CTR has no attractiveness"):
        attractiveness_by_level(parse_click_model("level-CTR"), draw_log("PBM", 9), LEVELS)
