"""Stores that are open for reading: each file once in a process, however many ask for it.

The database opens a file once only. But in a notebook a cell that opens a store is run again while
what it opened before is still there.
"""

import threading
from dataclasses import dataclass

from core.place import Place
from core.store.store import Store


@dataclass
class _HeldStore:
    store: Store
    holders: int


_HELD: dict[Place, _HeldStore] = {}
# One thread may enter twice: what it drops while it opens a store is collected then and there.
_LOCK = threading.RLock()


def hold(place: Place) -> Store:
    """Return the store of a file, opened unless it is; ``let_go`` has to follow."""
    with _LOCK:
        held = _HELD.get(place) or _HeldStore(Store(place, read_only=True), 0)
        held.holders += 1
        _HELD[place] = held
        return held.store


def let_go(place: Place) -> None:
    """Close the store of a file if nobody else holds it."""
    with _LOCK:
        held = _HELD[place]
        held.holders -= 1
        if not held.holders:
            del _HELD[place]
            held.store.close()
