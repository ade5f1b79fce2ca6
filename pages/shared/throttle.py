"""How often something may happen in a while; kept in memory, for this process."""

import ipaddress
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable

from starlette.requests import HTTPConnection

_ONE_HOUSEHOLD = 64
"""Bits of an IPv6 address that are given out together: the rest is the visitor's to choose."""


def address_of(request: HTTPConnection) -> str:
    """Return by what to count where a request comes from; of an IPv6 address, its network."""
    given = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(given.partition("%")[0])
    except ValueError:
        return given
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), _ONE_HOUSEHOLD), strict=False))


class Backoff:
    """Makes whoever fails wait, twice as long after each further failure.

    Parameters
    ----------
    free : int
        How many failures cost nothing.
    longest : float
        The longest wait in seconds; what has not failed for so long is forgotten.
    clock : callable
        Tells seconds.
    """

    def __init__(
        self, free: int, longest: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._free, self._longest, self._clock = free, longest, clock
        self._failures: dict[str, tuple[int, float]] = {}
        self._swept = clock()
        self._lock = threading.Lock()

    def wait(self, key: str) -> float:
        """Return for how many seconds a key may not try again; 0 when it may now."""
        with self._lock:
            number, last = self._failures.get(key, (0, 0.0))
            return max(0.0, last + self._pause(number) - self._clock())

    def fail(self, key: str) -> None:
        """Note a failure."""
        with self._lock:
            now = self._clock()
            self._sweep(now)
            number, last = self._failures.get(key, (0, now))
            self._failures[key] = (number if now - last < self._longest else 0) + 1, now

    def forgive(self, key: str) -> None:
        """Take one failure back."""
        with self._lock:
            number, last = self._failures.get(key, (0, 0.0))
            self._failures[key] = max(0, number - 1), last

    def clear(self, key: str) -> None:
        """Forget the failures of a key that has succeeded."""
        with self._lock:
            self._failures.pop(key, None)

    def _sweep(self, now: float) -> None:
        """Forget what is over; not each time, as there may be very many keys."""
        if now - self._swept >= self._longest:
            self._swept = now
            self._failures = {
                known: failed
                for known, failed in self._failures.items()
                if now - failed[1] < self._longest
            }

    def _pause(self, number: int) -> float:
        return (
            0.0 if number <= self._free else min(2.0 ** min(number - self._free, 30), self._longest)
        )


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
        self._swept = time.monotonic()
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
        """Return when it happened lately, and forget what is over."""
        now = time.monotonic()
        if now - self._swept >= self._seconds:  # not each time: there may be very many keys
            self._swept = now
            for known in list(self._times):
                self._forget(known, now)
        self._forget(key, now)
        return self._times.get(key, deque())

    def _forget(self, key: str, now: float) -> None:
        times = self._times.get(key)
        while times and times[0] < now - self._seconds:
            times.popleft()
        if not times:
            self._times.pop(key, None)
