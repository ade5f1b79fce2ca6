"""A simulation that runs while somebody watches: started, paused, made faster."""

import threading
import time
from collections.abc import Callable

from core.assessment.simulated.simulated_round import SimulatedRound

RATES = (12, 60, 240)
"""Judgements a minute, from the usual to the fastest."""

PATIENCE = 180.0
"""Seconds without anybody watching after which it pauses."""

NOTHING_LEFT, NOBODY_WATCHED, FAILED = "nothing left", "nobody watched", "failed"


class Simulation:
    """Simulated assessors who judge one item after another in a thread of its own.

    Parameters
    ----------
    work : SimulatedRound
        Who judges what.
    complain : callable
        Called with an error that ends a run.
    patience : float
        Seconds without `watch` after which it pauses.
    clock : callable
        Returns seconds that only go forward.

    Attributes
    ----------
    why_paused : str
        Why it stopped by itself: ``NOTHING_LEFT``, ``NOBODY_WATCHED`` or ``FAILED``; empty when it
        was paused by somebody, or has not been started.
    """

    def __init__(
        self,
        work: SimulatedRound,
        complain: Callable[[Exception], None],
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._work, self._complain = work, complain
        self._patience, self._clock = patience, clock
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._thread: threading.Thread | None = None
        self._paused, self._ended = True, False
        self._speed = 0
        self._watched = clock()
        self.why_paused = ""

    @property
    def collection_id(self) -> str:
        """The collection in which is judged."""
        return self._work.collection_id

    @property
    def is_judging(self) -> bool:
        """Whether it has been started and goes on."""
        return not self._paused

    @property
    def rate(self) -> int:
        """How many judgements are made in a minute."""
        return RATES[self._speed]

    @property
    def may_be_faster(self) -> bool:
        """Whether there is a higher rate."""
        return self._speed < len(RATES) - 1

    def count_given(self) -> int:
        """Return how many items the simulated assessors have judged."""
        return self._work.count_given()

    def watch(self) -> None:
        """Note that somebody is watching."""
        self._watched = self._clock()

    def start(self) -> None:
        """Judge from now on at the usual rate; nothing happens while it goes on, or after `end`."""
        with self._lock:
            if self.is_judging or self._ended:
                return
            self._join()
            self.watch()
            self._paused, self._speed, self.why_paused = False, 0, ""
            self._woken.clear()
            self._thread = threading.Thread(target=self._run, name="simulation", daemon=True)
            self._thread.start()

    def faster(self) -> None:
        """Judge at the next higher rate, at once."""
        with self._lock:
            self._speed = min(self._speed + 1, len(RATES) - 1)
            self._woken.set()

    def pause(self) -> None:
        """Stop judging; waits for a judgement that is being made."""
        with self._lock:
            self._paused = True
            self._join()

    def end(self) -> None:
        """Pause for good, before the store is closed."""
        with self._lock:
            self._paused = self._ended = True
            self._join()

    def _join(self) -> None:
        self._woken.set()
        if self._thread:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while self.is_judging:
            begun = self._clock()
            if reason := self._go_on():
                self.why_paused, self._paused = reason, True
                return
            self._woken.wait(max(60 / self.rate - (self._clock() - begun), 0))
            self._woken.clear()

    def _go_on(self) -> str:
        """Judge one item; returns why there is no more to be judged, or nothing."""
        if self._clock() - self._watched > self._patience:
            return NOBODY_WATCHED
        try:
            return "" if self._work.judge_next() else NOTHING_LEFT
        except Exception as error:
            self._complain(error)
            return FAILED
