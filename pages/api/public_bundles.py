"""The study bundles of public pages: each made once for all readers, by one thread of its own."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.analysis.base.study import Study
from core.bundle.public import make_public_bundle
from core.store.content.public_pages import PublicPage
from core.store.store import Store

FRESH_FOR = 60.0
"""Seconds in which labels alone do not have a bundle made again."""

_MOST_KEPT = 4


Sent = TypeVar("Sent")


@dataclass(frozen=True)
class _MadeBundle(Generic[Sent]):
    state: tuple[int, int]
    at: float
    sent: Sent | None


class PublicBundles(Generic[Sent]):
    """The bundles of one store's public pages, held in memory as they are sent.

    Parameters
    ----------
    store : Store
        The store.
    wrap : callable
        What makes of a bundle's bytes what is sent.
    """

    def __init__(self, store: Store, wrap: Callable[[bytes], Sent]) -> None:
        self.store = store
        self._wrap = wrap
        self._lock = threading.Lock()
        self._made: dict[str, _MadeBundle[Sent]] = {}
        self._making: dict[tuple[str, int], Future[Sent | None]] = {}
        self._maker = ThreadPoolExecutor(1, thread_name_prefix="public-bundle")

    def find(self, page: PublicPage) -> "Future[Sent | None]":
        """Return the bundle of a page as it is or will be made; None where there is none to have.

        What somebody has changed, consent say, has it made anew; labels only when it has aged.
        """
        state = self.store.state(page.collection_id)
        with self._lock:
            made = self._made.get(page.code)
            if made is not None and made.state[1] == state[1]:
                is_fresh = time.monotonic() - made.at < FRESH_FOR
                if made.state == state or is_fresh:
                    done: Future[Sent | None] = Future()
                    done.set_result(made.sent)
                    return done
            key = page.code, state[1]
            if key not in self._making:
                self._making[key] = self._maker.submit(self._make, page, key)
            return self._making[key]

    def _make(self, page: PublicPage, key: tuple[str, int]) -> Sent | None:
        try:
            state = self.store.state(page.collection_id)
            study = Study(self.store, page.collection_id, is_masked=True)
            content = make_public_bundle(study, page.choice)
            sent = None if content is None else self._wrap(content)
            made = _MadeBundle(state, time.monotonic(), sent)
            with self._lock:
                self._made.pop(page.code, None)
                self._made = dict([*self._made.items()][-_MOST_KEPT + 1 :])
                self._made[page.code] = made
            return sent
        finally:
            with self._lock:
                self._making.pop(key, None)

    def close(self) -> None:
        """Make nothing any more."""
        self._maker.shutdown(wait=True, cancel_futures=True)
