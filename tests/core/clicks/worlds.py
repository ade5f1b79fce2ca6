"""Small logs of simulated clicks, from known parameters."""

import numpy as np

from core.clicks.click_log import ClickLog
from core.clicks.click_model import CLICK_MODELS, parse_click_model
from core.clicks.fitting import Fit
from core.clicks.prediction import set_parameters, simulate

EVERY = [text for entry in CLICK_MODELS for text in entry.examples]
HIDDEN = [
    text for text in EVERY if text in ("PBM", "PBM(free)", "UBM", "UBM(free)", "DCM", "SDBN", "DBN")
]
LEVELS = np.array([0, 1, 1, 2, 2, np.nan])
ATTRACTIVE = np.array([0.15, 0.3, 0.4, 0.5, 0.6, 0.75])
BROWSED = np.array([[1, 0, 0, 0], [0.7, 0.9, 0, 0], [0.5, 0.6, 0.8, 0], [0.3, 0.4, 0.5, 0.7]])
PARAMETERS = {
    "attractiveness": ATTRACTIVE,
    "satisfaction": ATTRACTIVE[::-1],
    "rate": 0.3,
    "PBM": np.array([1, 0.8, 0.6, 0.4]),
    "UBM": BROWSED,
    "DCM": np.array([0.4, 0.55, 0.7, 0.5]),
    "DBN": np.array([0.8]),
}


def set_world(text: str) -> Fit:
    """Return a model of six documents on four ranks, with parameters that are known."""
    model = parse_click_model(text)
    likelihood = model.on(6, 4, LEVELS)
    known = {
        name: np.broadcast_to(
            PARAMETERS[model.name if name in ("examination", "continuation") else name],
            likelihood.shape(name),
        )
        for name in likelihood.axes
    }
    return set_parameters(model, 6, 4, known, LEVELS)


def deal(pages: int, rng: np.random.Generator) -> np.ndarray:
    """Return lists of four of six documents; some are shorter."""
    item = rng.permuted(np.tile(np.arange(6), (pages, 1)), axis=1)[:, :4].astype(np.int32)
    item[np.arange(4) >= rng.integers(2, 9, size=(pages, 1))] = -1
    return item


def make_log(item: np.ndarray, clicked: np.ndarray, session=None) -> ClickLog:
    pages = len(item)
    session = np.arange(pages) // 2 if session is None else np.asarray(session)
    names = tuple(f"d{at}" for at in range(max(int(item.max(initial=0)) + 1, 6)))
    none = np.zeros(pages, dtype=np.int64)
    return ClickLog(("q",), names, session, none, item.astype(np.int32), clicked.astype(bool))


def draw_log(text: str, pages: int, seed: int = 0) -> ClickLog:
    rng = np.random.default_rng(seed)
    item = deal(pages, rng)
    return make_log(item, simulate(set_world(text), item, rng))
