"""What may be sent and spent: counted before a request is sent, and put right after it."""

import threading
from dataclasses import dataclass

MILLION = 1_000_000


@dataclass(frozen=True)
class Prices:
    """What a million tokens cost, in any currency, as long as it is one."""

    input: float
    output: float

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Return what a request costs.

        Examples
        --------
        >>> Prices(2.0, 8.0).cost(1_000_000, 500_000)
        6.0
        """
        return (input_tokens * self.input + output_tokens * self.output) / MILLION


@dataclass(frozen=True)
class Limits:
    """The most requests that are sent, and the most money that is spent; None: without a limit."""

    requests: int | None = None
    money: float | None = None


class Budget:
    """What is left, for all threads.

    A request is counted at the most that it can cost until it is known what it did cost, so that
    what is on its way never exceeds the limits.

    Parameters
    ----------
    limits : Limits
    sent : int
        Requests that were sent before.
    spent : float
        What they cost.
    """

    def __init__(self, limits: Limits, sent: int = 0, spent: float = 0.0) -> None:
        self._limits = limits
        self._sent, self._spent, self._reserved = sent, spent, 0.0
        self._changed = threading.Condition()

    def reserve(self, cost: float, stop: threading.Event) -> str:
        """Count a request before it is sent; returns why it may not be sent, or nothing.

        Where only what others have reserved is in the way, it waits until that is settled.
        """
        with self._changed:
            while not stop.is_set():
                if reason := self._refuse_for_good(cost):
                    return reason
                if self._has_room(self._reserved + cost):
                    self._sent += 1
                    self._reserved += cost
                    return ""
                self._changed.wait(1.0)
            return "it was stopped"

    def settle(self, reserved: float, cost: float) -> None:
        """Put a request's cost in place of what was reserved for it."""
        with self._changed:
            self._reserved -= reserved
            self._spent += cost
            self._changed.notify_all()

    def _refuse_for_good(self, cost: float) -> str:
        most = self._limits.requests
        if most is not None and self._sent >= most:
            return f"the budget of {most:,} requests is used up"
        if not self._has_room(cost):
            return (
                f"the budget of {self._limits.money:g} does not allow another request: "
                f"{self._spent:.4g} is spent, and the next one can cost {cost:.4g}"
            )
        return ""

    def _has_room(self, more: float) -> bool:
        return self._limits.money is None or self._spent + more <= self._limits.money
