"""To which page a click belongs: the latest of its session that shows the document."""

import numpy as np
from numpy.typing import NDArray

from core.collection.click_logs.packing import Integers, Mask

BEFORE, NOWHERE = -2, -1
"""A click before any page of its session, and one on what none of them has shown."""


def credit_clicks(
    document: NDArray[np.int32],
    session: Integers,
    before: Integers,
    wanted: NDArray[np.int32],
    session_of_click: Integers,
) -> tuple[Mask, Integers]:
    """Return what was clicked on each page.

    Parameters
    ----------
    document : array, shape (n_pages, depth)
        What each page showed; -1 where the list is shorter.
    session : array, shape (n_pages,)
        The session of each page; those of one follow each other.
    before, wanted, session_of_click : array, shape (n_clicks,)
        How many pages stand before a click, on which document it is, and its session.

    Returns
    -------
    clicked : array of bool, shape (n_pages, depth)
    page : array, shape (n_clicks,)
        The page that each click belongs to; BEFORE or NOWHERE where there is none.
    """
    latest = before - 1
    own = latest >= 0
    own[own] = session[latest[own]] == session_of_click[own]
    page = np.where(own, NOWHERE, BEFORE)
    rows = np.flatnonzero(own)
    found = (document[latest[rows]] == wanted[rows, np.newaxis]).any(axis=1)
    page[rows[found]] = latest[rows[found]]
    rest = rows[~found]
    if len(rest):
        page[rest] = _look_back(document, session, latest[rest], wanted[rest])
    clicked = np.zeros(document.shape, dtype=bool)
    credited = np.flatnonzero(page >= 0)
    hit = document[page[credited]] == wanted[credited, np.newaxis]
    at, rank = np.nonzero(hit)
    clicked[page[credited][at], rank] = True
    return clicked, page


def _look_back(
    document: NDArray[np.int32], session: Integers, latest: Integers, wanted: NDArray[np.int32]
) -> Integers:
    """Return the latest page from ``latest`` back that shows each document; NOWHERE if none."""
    first = np.searchsorted(session, session[latest])
    has_click = np.zeros(int(session.max()) + 1, dtype=bool)
    has_click[session[latest]] = True
    pages = np.flatnonzero(has_click[session])
    at, rank = np.nonzero(document[pages] >= 0)
    count = np.int64(len(document))
    keys = np.sort(document[pages[at], rank] * count + pages[at])
    place = np.searchsorted(keys, wanted * count + latest, side="right") - 1
    found = place >= 0
    page = np.where(found, keys[np.maximum(place, 0)] - wanted * count, NOWHERE)
    # A smaller key is of another document, or of a page before the session's first.
    return np.where(found & (page >= first), page, NOWHERE)
