"""Users of a fitted click model click on levels as the model that made the log did."""

import numpy as np
import pandas as pd
import pytest

from core.analysis.clicks.fitted_users import learn_user
from core.clicks.click_log import ClickLog
from core.clicks.click_model import parse_click_model
from core.errors import BadInput, TooLittleData
from tests.each import each

ATTRACTIVE = np.array([0.1, 0.4, 0.8])
EXAMINED = np.array([1.0, 0.6, 0.3])
ITEMS = 30


def make_log(rng: np.random.Generator, pages: int = 20_000) -> tuple[ClickLog, pd.DataFrame]:
    """Return clicks by a position-based model on one query, and levels 0 to 2."""
    level = np.arange(ITEMS) % 3
    item = rng.permuted(np.tile(np.arange(ITEMS, dtype=np.int32), (pages, 1)), axis=1)[:, :3]
    clicked = rng.random(item.shape) < ATTRACTIVE[level[item]] * EXAMINED
    names = tuple(f"d{at}" for at in range(ITEMS))
    number = np.arange(pages)
    log = ClickLog(("t",), names, number, np.zeros(pages, dtype=np.int64), item, clicked)
    return log, pd.DataFrame({"topic_id": "t", "document_id": names, "level": level})


@each("text", ["PBM", "UBM"])
def test_they_click_as_the_log_was_clicked(text: str):
    rng = np.random.default_rng(3)
    log, qrels = make_log(rng)
    user = learn_user(parse_click_model(text), log, qrels)
    assert user.relevance.tolist() == [0, 0.5, 1]
    for share, attractive in zip((0, 0.5, 1), ATTRACTIVE, strict=True):
        clicked = user.click(np.full((40_000, 3), share), rng)
        assert clicked.mean(axis=0) == pytest.approx(attractive * EXAMINED, abs=0.03)


def test_unjudged_documents_play_no_part():
    log, qrels = make_log(np.random.default_rng(4), pages=2_000)
    user = learn_user(parse_click_model("PBM"), log, qrels[qrels["level"] != 1])
    assert user.relevance.tolist() == [0, 1]


def test_without_judgements_of_the_log_or_with_a_model_by_level_there_are_no_users():
    log, qrels = make_log(np.random.default_rng(5), pages=100)
    with pytest.raises(TooLittleData, match="no document of the click log is judged"):
        learn_user(parse_click_model("PBM"), log, qrels.assign(topic_id="other"))
    with pytest.raises(BadInput, match="goes by levels"):
        learn_user(parse_click_model("level-CTR"), log, qrels)
