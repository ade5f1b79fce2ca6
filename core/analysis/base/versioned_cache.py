"""Results that are kept until what they were computed from has moved on."""

import operator
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    state: object = None
    result: Any = None


class VersionedCache:
    """Keeps one result for each key: that of the latest state asked for.

    Threads that ask for the same key wait until one of them has computed it. A computation may
    ask for other keys, but never for its own.

    Parameters
    ----------
    most : int
        How many keys are kept; beyond them the one that was asked for longest ago goes.
    serves : callable
        Tells whether a result of one state serves who asks for another; only the same does,
        unless this says otherwise.
    """

    def __init__(self, most: int, serves: Callable[[Any, Any], bool] = operator.eq) -> None:
        self._most, self._serves = most, serves
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()

    def get(self, key: Hashable, state: object, compute: Callable[[], Any]) -> Any:
        """Return the result for a key in a state other than None, computed if need be."""
        entry = self._entry(key)
        with entry.lock:
            if entry.state is None or not self._serves(entry.state, state):
                entry.result, entry.state = compute(), state
            return entry.result

    def _entry(self, key: Hashable) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            if len(self._entries) > self._most:
                self._entries.popitem(last=False)
        return entry
