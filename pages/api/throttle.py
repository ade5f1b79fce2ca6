"""How often something may happen in a while; kept in memory, for this process."""

import threading
import time
from collections import defaultdict, deque


class Throttle:
    """Lets a thing of a key happen at most so often within so many seconds.

    Parameters
    ----------
    most : int
        How often.
    seconds : float
        The length of the window that slides along.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._times: defaultdict[str, deque[float]] = defaultdict(deque)
        self._lock = threading.Lock()

    def is_full(self, key: str) -> bool:
        """Tell whether it may not happen now."""
        with self._lock:
            return len(self._recent(key)) >= self._most

    def count(self, key: str) -> None:
        """Note that it has happened."""
        with self._lock:
            self._recent(key)
            self._times[key].append(time.monotonic())

    def _recent(self, key: str) -> deque[float]:
        """Return when it happened lately, and forget the rest."""
        limit = time.monotonic() - self._seconds
        for known in list(self._times):
            times = self._times[known]
            while times and times[0] < limit:
                times.popleft()
            if not times:
                del self._times[known]
        return self._times.get(key, deque())
