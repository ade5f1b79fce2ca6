"""How often each source is heard in the log: the rest of a minute is counted and summed up."""

import time
from collections.abc import Callable, Hashable
from typing import Any

MINUTE = 60.0
SOURCES = 1_000
"""So many sources are told apart in a minute; all others are one, so strangers fill no memory."""

OTHERS: dict[str, Any] = {"event": "too many different events", "level": "warning"}
_OTHERS_ALLOWED = 20


class Rate:
    """Counts what each source says in a minute, and keeps what it said last when it was too much.

    Parameters
    ----------
    clock : callable
        Seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends = 0.0
        self._said: dict[Hashable, int] = {}
        self._last: dict[Hashable, dict[str, Any]] = {}

    @property
    def is_over(self) -> bool:
        """Whether the minute has passed."""
        return self._clock() >= self._ends

    def admit(self, source: Hashable, allowed: int, fields: dict[str, Any]) -> bool:
        """Count one event and tell whether it is to be written."""
        if source not in self._said and len(self._said) >= SOURCES:
            source, allowed, fields = None, _OTHERS_ALLOWED, OTHERS
        said = self._said[source] = self._said.get(source, 0) + 1
        if said <= allowed:
            return True
        self._last[source] = {**fields, "more": said - allowed}
        return False

    def begin_minute(self) -> list[dict[str, Any]]:
        """Return a sum for each source that said more than was written, and count anew."""
        sums = list(self._last.values())
        self._said.clear()
        self._last.clear()
        self._ends = self._clock() + MINUTE
        return sums
