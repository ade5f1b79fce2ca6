"""A worked example for a class: six made-up results, known users, and clicks of a reader."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.clicks.click_log import ClickLog, Floats, Integers, Mask
from core.clicks.click_model import parse_click_model
from core.clicks.prediction import set_parameters, simulate

ATTRACTIVE = np.array([0.3, 0.25, 0.4, 0.2, 0.35, 0.7])
"""Of each result: the last is the best."""

EXAMINED = np.array([1, 0.7, 0.5, 0.35, 0.25, 0.18])
"""Of each rank."""

RESULTS = len(ATTRACTIVE)
PBM = parse_click_model("PBM")


@dataclass(frozen=True, eq=False)
class ClickedList:
    """A list that a reader was shown.

    Parameters
    ----------
    order : sequence of int
        The results from the top down.
    clicked : sequence of bool
        By rank.
    """

    order: Sequence[int]
    clicked: Sequence[bool]


def order_of(page: int, *, mixed: bool) -> Integers:
    """Return the results of a page from the top down; mixed, or always the same.

    Every six mixed pages have each result once at each rank.
    """
    places = np.arange(RESULTS)
    if not mixed:
        return places
    turn, shift = divmod(page, RESULTS)
    dealt = np.random.default_rng(turn).permutation(RESULTS)
    return dealt[(places + shift) % RESULTS]


def simulate_users(users: int, *, mixed: bool) -> ClickLog:
    """Return clicks of users who follow the position-based model, one page each.

    Parameters
    ----------
    users : int
    mixed : bool
        Whether lists differ from page to page.
    """
    item = np.array([order_of(page, mixed=mixed) for page in range(users)], dtype=np.int32)
    item = item.reshape(users, RESULTS)
    world = {"attractiveness": ATTRACTIVE, "examination": EXAMINED}
    fit = set_parameters(PBM, RESULTS, RESULTS, world)
    return _make_log(item, simulate(fit, item, np.random.default_rng(1)))


def add_lists(log: ClickLog, lists: Sequence[ClickedList]) -> ClickLog:
    """Return a log with the lists of a reader behind it, each a session of its own."""
    if not lists:
        return log
    item = np.array([one.order for one in lists], dtype=np.int32)
    clicked = np.array([one.clicked for one in lists], dtype=np.bool_)
    return _make_log(np.vstack([log.item, item]), np.vstack([log.clicked, clicked]))


def share_clicked(log: ClickLog) -> Floats:
    """Return how often each result was clicked, wherever it stood; NaN where never shown."""
    shown, clicks = (
        np.bincount(log.item[where], minlength=RESULTS) for where in (log.shown, log.clicked)
    )
    found = np.full(RESULTS, np.nan)
    np.divide(clicks, shown, out=found, where=shown > 0)
    return found


def _make_log(item: Integers, clicked: Mask) -> ClickLog:
    pages = np.arange(len(item))
    names = tuple(str(one) for one in range(RESULTS))
    none = np.zeros(len(item), dtype=np.int64)
    return ClickLog(("",), names, pages, none, item.astype(np.int32), clicked)
