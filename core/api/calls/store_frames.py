"""A store's content as frames, for reading only.

Stores that are open for reading: each file once in a process, however many ask for it.

The database opens a file once only. But in a notebook a cell that opens a store is run again while
what it opened before is still there.
"""

import os
import threading
import weakref
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from core.analysis.collection.collection_frames import CollectionFrames
from core.errors import NotFound, StoreUnusable
from core.place import Place, read_place
from core.store.file.database import find_file
from core.store.opening import has_store
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


def open_store(path: str | os.PathLike[str], *, names: bool = False) -> "StoreFrames":
    """Open a store for reading.

    Neither the store nor anything beside it is changed. While it is open, no server can start on
    it: close it, or use it in a ``with`` block.

    Parameters
    ----------
    path : str or path
        The store's file; or the address of its database, ``postgresql://user@host/name``, which
        servers may go on using.
    names : bool, default False
        Show assessors by id and name. Otherwise codes stand for both, the same ones as in files
        that Dissent exports. A store that has no signing key beside it has other codes each time.

    Raises
    ------
    NotFound
        There is no such file.
    StoreInUse
        A server or a command holds the store.
    StoreUnusable
        The file is no store, is damaged, or was written by another version of Dissent.

    Examples
    --------
    >>> import dissent
    >>> with dissent.open_store("study.duckdb") as store:  # doctest: +SKIP
    ...     labels = store.labels("DL19")
    ...     qrels = store.qrels("all, median", "DL19")
    """
    place = read_place(os.fspath(path))
    if not has_store(place):
        raise NotFound(f"There is no store {place}.")
    return StoreFrames(place, names=names)


class StoreFrames(CollectionFrames):
    """An open store; ``open_store`` makes it.

    Most methods take the name or id of a collection, which may be left out where the store has
    only one. They raise NotFound where there is no such collection, and BadInput where several
    could be meant. Each call returns a frame of its own.
    """

    def __init__(self, place: Place, *, names: bool) -> None:
        super().__init__(names=names)
        self.path = find_file(place) if isinstance(place, Path) else place
        self._held = hold(self.path)
        self._let_go = weakref.finalize(self, let_go, self.path)

    def close(self) -> None:
        """Let go of the file; closing it again does nothing."""
        self._let_go()

    def __enter__(self) -> "StoreFrames":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def _store(self) -> Store:
        if not self._let_go.alive:
            raise StoreUnusable(f"The store {self.path} was closed; open it again.")
        return self._held
