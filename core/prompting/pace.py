"""How fast is asked: so many requests a minute, and nothing while the server wants a pause."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from core.errors import BadInput

LONGEST_PAUSE = 60.0
"""Seconds before an item is asked again, where the server does not say how long."""


@dataclass(frozen=True)
class Pacing:
    """How fast a job runs.

    Parameters
    ----------
    concurrency : int
        Requests that are under way at once.
    per_minute : float, optional
        Requests that are sent in a minute, at most; as fast as it goes by default.
    pause : float
        Seconds after which an item is first asked again; it doubles with each try.
    """

    concurrency: int = 4
    per_minute: float | None = None
    pause: float = 1.0

    def __post_init__(self) -> None:
        if not 1 <= self.concurrency <= 256:
            raise BadInput("from 1 to 256 requests can be under way at once", field="concurrency")
        if self.per_minute is not None and not self.per_minute > 0:
            raise BadInput("requests in a minute are a number above 0", field="per_minute")

    def pause_after(self, failed: int, share: float) -> float:
        """Return the seconds until an item is asked again.

        Parameters
        ----------
        failed : int
            How often asking it has failed, from 1.
        share : float
            In [0, 1], drawn at random, so that not all come back at once.
        """
        longest = min(LONGEST_PAUSE, self.pause * 2.0 ** min(failed - 1, 30))
        return longest * (1 + share) / 2


class RateLimiter:
    """Spaces the requests of all threads.

    Parameters
    ----------
    per_minute : float, optional
        Requests a minute, evenly; as fast as it goes by default.
    clock : callable
        Returns seconds that only go forward.
    """

    def __init__(
        self, per_minute: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._apart = 60 / per_minute if per_minute else 0.0
        self._clock = clock
        self._lock = threading.Lock()
        self._next = clock()

    def take_turn(self) -> float:
        """Take the next turn and return the seconds until it comes."""
        with self._lock:
            turn = max(self._next, self._clock())
            self._next = turn + self._apart
            return turn - self._clock()

    def hold(self, seconds: float) -> None:
        """Let no turn come for some time."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)

    def wait(self, stop: threading.Event) -> bool:
        """Wait for one's turn; tells whether it came before everything stopped."""
        return not stop.wait(max(0.0, self.take_turn()))
