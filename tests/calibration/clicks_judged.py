"""The intervals of clicks beside judges, as the product computes them."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from core.clicks.click_lift import Worths, click_lift
from core.clicks.click_log import ClickLog
from core.clicks.click_model import parse_click_model
from core.clicks.click_rates import (
    attractiveness_by_level,
    rates_by_level,
    rates_by_level_and_rank,
    rates_by_rank,
)
from core.clicks.label_prediction import predict_levels
from core.clicks.preference_rule import PREFERENCE_RULES
from tests.calibration.clicks import SAMPLED, SESSIONS, SIZES, draw, set_world
from tests.calibration.coverage import Coverage, Estimates, Family, Simulate, count

LEVELS = np.array([0.0, 0, 1, 1, 2])
"""Of the five documents, which are the more attractive the higher."""

RULES = [entry() for entry in PREFERENCE_RULES]
PBM = parse_click_model("PBM")
MANY = 200_000
"""Sessions from which the true value is taken."""

PAGE = 8
"""Results of a topic."""

Analyse = Callable[[ClickLog], Estimates]


def _rates(log: ClickLog) -> Estimates:
    parts = (
        rates_by_rank(log).assign(level=""),
        rates_by_level(log, LEVELS).assign(rank=""),
        rates_by_level_and_rank(log, LEVELS),
    )
    return {
        f"level {level} rank {rank}": (value, low, high)
        for part in parts
        for level, rank, value, low, high in part[
            ["level", "rank", "value", "low", "high"]
        ].to_numpy()
    }


def _lift(log: ClickLog) -> Estimates:
    rows = click_lift(RULES, log, Worths(LEVELS))[["rule", "lift", "low", "high"]].to_numpy()
    return {str(name): tuple(found) for name, *found in rows}


def _attractiveness(log: ClickLog) -> Estimates:
    rows = attractiveness_by_level(PBM, log, LEVELS)[["level", "value", "low", "high"]]
    return {f"level {level:g}": tuple(found) for level, *found in rows.to_numpy()}


def _simulate(analyse: Analyse, name: str) -> Simulate:
    """Return what simulates sessions of a click model."""

    def simulate_studies(size: int, studies: int) -> list[Coverage]:
        world, rng = set_world(name), np.random.default_rng([size, studies])
        truth = _find_truth(analyse, name)
        drawn = [analyse(draw(world, SESSIONS * size, rng)) for _ in range(studies)]
        return _count(drawn, truth, name, size)

    return simulate_studies


@cache
def _find_truth(analyse: Analyse, name: str) -> Estimates:
    return analyse(draw(set_world(name), MANY, np.random.default_rng(1)))


def _count(drawn: list[Estimates], truth: Estimates, name: str, size: int) -> list[Coverage]:
    return [
        replace(
            count(np.array([one[what] for one in drawn], dtype=float), truth[what][0]),
            what=what,
            model=name,
            size=size,
            studies=len(drawn),
        )
        for what in truth
    ]


def _predict(topics: int, rng: np.random.Generator) -> Estimates:
    """Return areas where a signal tells something of levels, in some topics more than in others."""
    item = np.arange(topics * PAGE, dtype=np.int32).reshape(topics, PAGE)
    number = np.arange(topics)
    names = tuple(map(str, range(item.size)))
    none = np.zeros(item.shape, dtype=np.bool_)
    log = ClickLog(tuple(map(str, number)), names, number, number, item, none)
    levels = rng.integers(0, 3, item.shape) - 0.3 * np.arange(PAGE)
    levels = np.clip(np.round(levels), 0, 2)
    levels[:, 0], levels[:, -1] = 2, 0
    told = rng.gamma(1, 1, size=(topics, 1)) * levels
    signal = told + rng.normal(size=item.shape)
    found = predict_levels(log, levels.ravel(), {"signal": signal.ravel()})
    areas = {
        name: tuple(one) for name, *one in found[["predictor", "value", "low", "high"]].to_numpy()
    }
    rows = found.iloc[1:][["predictor", "difference", "difference_low", "difference_high"]]
    return areas | {f"{name}, beside rank": tuple(one) for name, *one in rows.to_numpy()}


def _simulate_topics(size: int, studies: int) -> list[Coverage]:
    rng = np.random.default_rng([size, studies])
    truth = _predict(5_000, np.random.default_rng(1))
    return _count([_predict(size, rng) for _ in range(studies)], truth, "linear", size)


FAMILIES = (
    Family(
        "Click-through rates",
        SAMPLED,
        {name: _simulate(_rates, name) for name in ("PBM", "UBM")},
        SIZES,
    ),
    Family(
        "Lift of clicks over position",
        SAMPLED,
        {name: _simulate(_lift, name) for name in ("PBM", "rank-CTR", "UBM")},
        SIZES,
    ),
    Family("Attractiveness by level", SAMPLED, {"PBM": _simulate(_attractiveness, "PBM")}, SIZES),
    Family("Predicting levels", "topics", {"linear": _simulate_topics}, (21, 50)),
)
