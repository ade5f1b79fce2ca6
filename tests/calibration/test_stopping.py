"""What is told at stops comes true: on made-up pools, and on real ones where they are there."""

import numpy as np
import pandas as pd
import pytest

from core.figures.stopping import draw_reliability
from core.measures.catalogue import parse_measure
from tests.calibration.stopping import (
    MODELS,
    Stop,
    calibration_error,
    find_stops,
    read_folder,
    take_part,
    tell_reliability,
)
from tests.short import few, long


def make_stop(best_stays: float, stayed: bool) -> Stop:
    return Stop("depth-first", 0.1, 0.8, 0.7, 0.9, 0.8, best_stays, stayed)


def test_reliability_counts_what_came_true():
    stops = [make_stop(0.1, False), make_stop(0.15, True), make_stop(1.0, True)]
    rows = tell_reliability(stops)
    assert rows["stops"].tolist() == [2, 1]
    assert rows["observed"].tolist() == [0.5, 1.0]
    assert rows["predicted"].tolist() == pytest.approx([0.125, 1.0])
    assert calibration_error(rows) == pytest.approx(0.25)
    assert len(draw_reliability(rows).data[0].x) == 2


@long
def test_limits_hold_and_the_best_stays_as_told_on_made_up_pools():
    stops = []
    for seed in range(12):
        for model in MODELS[:3]:
            pool, relevance = model.draw(8, np.random.default_rng([3, seed]))
            stops += find_stops(pool, relevance, model.order, (0.1, 0.3), seed)
    table = pd.DataFrame(stops)
    held = (table["low"] <= table["true"] + 1e-9) & (table["true"] <= table["high"] + 1e-9)
    assert len(table) > 60
    assert held.mean() > 0.88
    assert calibration_error(tell_reliability(stops)) < 0.2


@long
@pytest.mark.parametrize("text", few(["AP", "nDCG@10"]))
def test_limits_hold_on_trec_2(shared_data, long_form, text):
    pool, level = read_folder(shared_data / "trec2")
    assert (len(pool), len(pool.topics), len(pool.systems)) == (26_359, 25, 38)
    stops = []
    orders = ("depth-first", "max-mean") if long_form else ("depth-first",)
    shares = (0.1, 0.3) if long_form else (0.3,)
    for seed in range(3 if long_form else 1):
        some = take_part(pool, level, np.random.default_rng([5, seed]))
        for order in orders:
            stops += find_stops(*some, order, shares, seed, parse_measure(text))
    held = [one.low - 1e-9 <= one.true <= one.high + 1e-9 for one in stops]
    assert np.mean(held) >= 10 / 12
