"""Judging a run for as long as it is right: move-to-front pooling."""

from dataclasses import dataclass

import numpy as np

from core.orders.base import EQUAL, NOTHING, ORDERS, TOPICS, Chooser, Known, Order
from core.orders.candidates import Candidates, Floats
from core.orders.from_runs import FromRuns

RELEVANT = 0.5
"""From which share of labels a document counts as relevant."""


class _MoveToFront(FromRuns):
    """A run's priority is minus the number of its misses since its last relevant document."""

    def _priorities(self, topic: int) -> Floats:
        systems = len(self.candidates.systems)
        brought = self.from_system[topic] >= 0
        system = self.from_system[topic][brought]
        # What has no label yet is a miss until it has one: meanwhile another run is tried.
        is_relevant = self.relevance[self.items[topic][brought]] >= RELEVANT
        place = np.arange(len(system))
        last = np.full(systems, -1)
        np.maximum.at(last, system[is_relevant], place[is_relevant])
        missed = system[place > last[system]]
        return -np.bincount(missed, minlength=systems).astype(np.float64)

    def rate_runs(self, topic: int, number: int) -> Floats:
        return np.tile(self._priorities(topic), (number, 1))

    def rate_again(self, scores: Floats, system: int) -> None:
        scores[:, system] -= 1

    def rate_topic(self, topic: int) -> float:
        return float(self._priorities(topic).max(where=self.has_left(topic), initial=-np.inf))

    def share(self, worth: Floats) -> int:
        return int(np.where(worth == worth.max(), self.shares, np.inf).argmin())


@ORDERS.register
@dataclass(frozen=True)
class MoveToFront(Order):
    """Down a run for as long as its documents are relevant, then the run with most priority.

    All runs begin with the highest priority. A document that is not relevant lowers that of its
    run by one, a relevant one makes it the highest again. A document counts as relevant when half
    of its labels say so, and as not relevant while it has none.

    Parameters
    ----------
    topics : {'equal', 'shared'}
        Local: each topic has its own priorities and the same share is judged. Global: the run
        with most priority in any topic is next, of equal ones that of the least judged topic.
    """

    topics: str = EQUAL

    name = "move-to-front"
    description = "down a run for as long as its documents are relevant, then the next run"
    reference = "Cormack, Palmer & Clarke (1998), SIGIR, doi:10.1145/290941.291009"
    examples = ("move-to-front", "move-to-front(topics='shared')")
    suggested = ("move-to-front",)
    is_adaptive = True
    shares_topics = True

    def __post_init__(self) -> None:
        if self.topics not in TOPICS:
            raise ValueError(f"topics is one of: {', '.join(TOPICS)}")

    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        """Return what chooses from these candidates, given what is known."""
        return _MoveToFront(candidates, known, seed, self.topics)
