"""Small logs of simulated clicks, from known parameters."""

from typing import Any

import numpy as np

from core.clicks.click_log import ClickLog
from core.clicks.click_model import CLICK_MODELS, parse_click_model
from core.clicks.fitting import Fit
from core.clicks.likelihood import Likelihood
from core.clicks.prediction import set_parameters, simulate

LEVELS = np.array([0, 1, 1, 2, 2, np.nan])
ATTRACTIVE = np.array([0.15, 0.3, 0.4, 0.5, 0.6, 0.75])
BROWSED = np.array([[1, 0, 0, 0], [0.7, 0.9, 0, 0], [0.5, 0.6, 0.8, 0], [0.3, 0.4, 0.5, 0.7]])
RATE = {"rate": 0.3}
BY_ITEM = {"attractiveness": ATTRACTIVE}
SATISFIED = {**BY_ITEM, "satisfaction": ATTRACTIVE[::-1]}

KNOWN = {
    "CTR": RATE,
    "rank-CTR": RATE,
    "document-CTR": RATE,
    "level-CTR": RATE,
    "level-rank-CTR": RATE,
    "PBM": {**BY_ITEM, "examination": np.array([1, 0.8, 0.6, 0.4])},
    "UBM": {**BY_ITEM, "examination": BROWSED},
    "cascade": BY_ITEM,
    "DCM": {**BY_ITEM, "continuation": np.array([0.4, 0.55, 0.7, 0.5])},
    "SDBN": SATISFIED,
    "DBN": {**SATISFIED, "continuation": np.array([0.8])},
}
"""What each model is simulated with. A model that is missing here fails."""


def make_likelihood(text: str) -> Likelihood[Any]:
    """Return a model on six documents and four ranks."""
    return parse_click_model(text).on(6, 4, LEVELS)


EVERY = [text for entry in CLICK_MODELS for text in entry.examples]
HIDDEN = [text for text in EVERY if not make_likelihood(text).is_closed]


def set_world(text: str) -> Fit:
    """Return a model of six documents on four ranks, with parameters that are known."""
    model, likelihood = parse_click_model(text), make_likelihood(text)
    known = {
        name: np.broadcast_to(KNOWN[model.name][name], likelihood.shape(name))
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
