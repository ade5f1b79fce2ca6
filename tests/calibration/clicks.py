"""The intervals of click models, as the product computes them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from core.clicks.click_log import ClickLog
from core.clicks.click_model import parse_click_model
from core.clicks.evaluation import compare_surprise, surprise
from core.clicks.fitting import Fit, fit
from core.clicks.limits import parameter_limits
from core.clicks.prediction import set_parameters, simulate
from tests.calibration.coverage import Coverage, Family, Simulate, count

SESSIONS = 20
"""In each unit of size."""

MANY = 20_000
SIZES = 10, 50
SLOW = {"DCM": (10,), "SDBN": (10,), "DBN": (10,)}
"""Those that go down lists, tried with few sessions only."""

SAMPLED = f"sessions, {SESSIONS} times"
ATTRACTIVE = [0.2, 0.35, 0.5, 0.6, 0.7]
EXAMINED = [1, 0.8, 0.6, 0.4]
BROWSED = [[1, 0, 0, 0], [0.7, 0.85, 0, 0], [0.5, 0.6, 0.8, 0], [0.3, 0.4, 0.5, 0.7]]

WORLDS: Mapping[str, dict[str, list]] = {
    "rank-CTR": {"rate": [0.5, 0.3, 0.15, 0.05]},
    "PBM": {"attractiveness": ATTRACTIVE, "examination": EXAMINED},
    "UBM": {"attractiveness": ATTRACTIVE, "examination": BROWSED},
    "cascade": {"attractiveness": ATTRACTIVE},
    "DCM": {"attractiveness": ATTRACTIVE, "continuation": [0.4, 0.55, 0.7, 0.5]},
    "SDBN": {"attractiveness": ATTRACTIVE, "satisfaction": ATTRACTIVE[::-1]},
    "DBN": {
        "attractiveness": ATTRACTIVE,
        "satisfaction": ATTRACTIVE[::-1],
        "continuation": [0.8],
    },
}
"""Five documents on four ranks."""


def set_world(name: str) -> Fit:
    """Return a model with its parameters."""
    return set_parameters(parse_click_model(name), 5, 4, WORLDS[name])


def draw(world: Fit, sessions: int, rng: np.random.Generator) -> ClickLog:
    """Return a log of lists that are dealt at random; every other session has a second page."""
    session = np.sort(np.concatenate([np.arange(sessions), np.arange(0, sessions, 2)]))
    start = rng.integers(5, size=len(session))
    item = ((start[:, np.newaxis] + np.arange(4)) % 5).astype(np.int32)
    clicked = simulate(world, item, rng)
    none = np.zeros(len(session), dtype=np.int64)
    return ClickLog(("q",), tuple("abcde"), session, none, item, clicked)


def _simulate_parameters(name: str) -> Simulate:
    def simulate_studies(size: int, studies: int) -> list[Coverage]:
        world, rng = set_world(name), np.random.default_rng([size, studies])
        keys = ["parameter", "item", "rank", "previous"]
        found: dict[tuple, list[tuple[float, float, float]]] = {}
        for study in range(studies):
            log = draw(world, SESSIONS * size, rng)
            table = parameter_limits(fit(world.model, log), log, seed=study)
            known = table[table["reason"] == ""]
            for *key, value, low, high in known[[*keys, "value", "low", "high"]].to_numpy():
                found.setdefault(tuple(key), []).append((value, low, high))
        return [
            replace(
                count(np.array(rows, dtype=float), _find_truth(name, key)),
                what=f"{name}: {' '.join(str(one) for one in key if one not in ('', 0))}",
                model=name,
                size=size,
                studies=studies,
            )
            for key, rows in found.items()
            if len(rows) > studies / 2
        ]

    return simulate_studies


def _find_truth(name: str, key: tuple) -> float:
    parameter, item, rank, previous = key
    values = np.array(WORLDS[name][parameter], dtype=float)
    if item:
        return float(values["abcde".index(item)])
    if values.ndim == 2:
        return float(values[rank - 1, previous])
    return float(values[max(rank - 1, 0)])


@cache
def _train() -> tuple[Fit, Fit]:
    """Return a right and a plain model, fitted once."""
    log = draw(set_world("PBM"), 500, np.random.default_rng(0))
    right, plain = (fit(parse_click_model(name), log) for name in ("PBM", "rank-CTR"))
    return right, plain


def _predict(log: ClickLog, draws: int, rng: np.random.Generator) -> dict[str, list[float]]:
    bits = {str(one.model): np.stack(surprise(one, log)) for one in _train()}
    frame = compare_surprise(bits, log, "rank-CTR", draws=draws, rng=rng).frame.set_index("model")
    row = frame.loc["PBM"]
    found = {}
    for value, start in (
        ("perplexity", ""),
        ("difference", "difference_"),
        ("conditional", "conditional_"),
        ("conditional_difference", "conditional_difference_"),
    ):
        found[value] = [row[value], row[f"{start}low"], row[f"{start}high"]]
    return found


def _simulate_predicting(size: int, studies: int) -> list[Coverage]:
    world, rng = set_world("PBM"), np.random.default_rng([size, studies])
    truth = _predict(draw(world, MANY, np.random.default_rng(1)), 2, rng)
    drawn = [_predict(draw(world, SESSIONS * size, rng), 1_000, rng) for _ in range(studies)]
    return [
        replace(
            count(np.array([one[what] for one in drawn]), truth[what][0]),
            what=what,
            model="PBM",
            size=size,
            studies=studies,
        )
        for what in truth
    ]


FAMILIES = (
    *(
        Family(
            f"Parameters: {name}",
            SAMPLED,
            {name: _simulate_parameters(name)},
            SLOW.get(name, SIZES),
        )
        for name in WORLDS
    ),
    Family("Perplexity, and its differences", SAMPLED, {"PBM": _simulate_predicting}, SIZES),
)
