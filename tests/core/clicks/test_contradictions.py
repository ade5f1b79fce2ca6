"""Contradictions of people and clicks: planted ones are found, chance ones are as many as said."""

import numpy as np
import pytest

from core.clicks.click_model import parse_click_model
from core.clicks.contradictions import HIGH, LOW, find_contradictions, middle_level
from core.clicks.fitting import fit
from core.clicks.prediction import set_parameters, simulate
from core.errors import BadInput, TooLittleData
from tests.core.clicks.worlds import draw_log, make_log
from tests.each import each
from tests.short import long

PBM = parse_click_model("PBM")
EXAMINED = np.array([1, 0.7, 0.5, 0.35])


def plant(seed: int, pages: int = 8_000, items: int = 200):
    """Return a log, levels and the truth: some high results are unattractive, some low not."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(0, 4, size=items).astype(float)
    wrong = rng.random(items) < 0.1
    likes = (levels >= 2) ^ wrong
    attractive = np.where(likes, rng.beta(6, 6, items), rng.beta(2, 18, items))
    levels[:5] = np.nan
    item = np.stack([rng.choice(items, 4, replace=False) for _ in range(pages)]).astype(np.int32)
    world = set_parameters(PBM, items, 4, {"attractiveness": attractive, "examination": EXAMINED})
    return make_log(item, simulate(world, item, rng)), levels, attractive


@pytest.fixture(scope="module")
def planted():
    log, levels, attractive = plant(0)
    return find_contradictions(fit(PBM, log), log, levels, 2), levels, attractive


def test_planted_contradictions_are_found(planted):
    found, levels, attractive = planted
    assert found.compared == 195
    assert found.low_mean < found.high_mean
    high = np.flatnonzero((levels >= 2) & (attractive < found.low_mean - 0.08))
    low = np.flatnonzero((levels < 2) & (attractive > found.high_mean + 0.1))
    listed = {int(name.removeprefix("d")) for name in found.frame["item"]}
    assert {*high, *low} <= listed
    assert set(found.frame["side"]) == {HIGH, LOW}
    assert found.frame["probability"].is_monotonic_decreasing
    assert found.frame["false_share"].is_monotonic_increasing
    assert (found.frame["probability"] > 0.5).all()


@long
def test_as_many_are_chance_as_it_says():
    said, true = [], []
    for seed in range(12):
        log, _, attractive = plant(seed, pages=1_500)
        levels = plant(seed, pages=1)[1]
        found = find_contradictions(fit(PBM, log), log, levels, 2)
        place = found.frame["item"].str.removeprefix("d").astype(int)
        value = attractive[place]
        is_high = found.frame["side"] == HIGH
        wrong = np.where(is_high, value >= found.low_mean, value <= found.high_mean)
        said.append((1 - found.frame["probability"]).sum())
        true.append(wrong.sum())
    assert 0 < sum(true) <= sum(said)


@each("name", ["DCM", "UBM"])
def test_other_models_tell_them_too(name):
    log = draw_log(name, 2000)
    levels = np.array([2, 1, 1, 2, 2, 2.0])
    found = find_contradictions(fit(parse_click_model(name), log), log, levels, 2)
    assert found.frame["item"].tolist() == ["d0"]


def test_what_cannot_be_told_is_refused():
    log = draw_log("PBM", 200)
    fitted = fit(PBM, log)
    with pytest.raises(TooLittleData, match="no result is judged at least 9"):
        find_contradictions(fitted, log, np.arange(6.0), 9)
    with pytest.raises(TooLittleData, match="no result is judged below 0"):
        find_contradictions(fitted, log, np.arange(6.0), 0)
    with pytest.raises(TooLittleData, match="no more attractive than others"):
        find_contradictions(fitted, log, -np.arange(6.0), -2)
    few = log.select(log.session < 9)
    with pytest.raises(TooLittleData, match="9 sessions cannot tell what single results"):
        find_contradictions(fit(PBM, few), few, np.arange(6.0), 2)
    silent = make_log(log.item, np.zeros(log.item.shape))
    with pytest.raises(TooLittleData, match="no judged result was clicked"):
        find_contradictions(fit(PBM, silent), silent, np.arange(6.0), 2)
    with pytest.raises(BadInput, match="rank-CTR has no attractiveness"):
        find_contradictions(fit(parse_click_model("rank-CTR"), log), log, np.arange(6.0), 2)


def test_high_begins_above_the_middle():
    assert middle_level(np.array([0, 1, 2, np.nan])) == 2
    assert middle_level(np.array([0.0, 1])) == 1
    with pytest.raises(TooLittleData, match="two levels"):
        middle_level(np.array([1.0, np.nan]))
