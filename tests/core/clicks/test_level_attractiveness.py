"""Attractiveness by level: known worlds, and what is refused."""

import numpy as np
import pytest

from core.clicks.click_model import parse_click_model
from core.clicks.level_attractiveness import attractiveness_by_level, pool_levels
from core.errors import BadInput
from tests.core.clicks.worlds import ATTRACTIVE, LEVELS, draw_log
from tests.each import each


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
