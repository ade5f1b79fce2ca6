"""Judging from the top: what any run has at rank 1 first, then at rank 2, and so on."""

from dataclasses import dataclass

import numpy as np

from core.orders.base import EQUAL, NOTHING, ORDERS, Choice, Chooser, Known, Order
from core.orders.candidates import Candidates


class _DepthFirst(Chooser):
    def choose_items(self, topic: int, number: int) -> Choice:
        place = self.candidates.of(topic)
        left = place.start + np.flatnonzero(~self.is_chosen[place])
        by_rank = np.argsort(self.candidates.best_rank[left], kind="stable")[:number]
        item = left[by_rank]
        return Choice(item, np.full(len(item), -1), np.full(len(item), np.nan))


@ORDERS.register
@dataclass(frozen=True)
class DepthFirst(Order):
    """Items by the best rank that any run gives them; equal ranks by document id."""

    name = "depth-first"
    description = "from the top of every run down: the depth-k pool, for growing k"
    reference = "Sparck Jones & van Rijsbergen (1975), British Library Report 5266"
    examples = ("depth-first",)
    suggested = ("depth-first",)
    is_drawn = False

    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        """Return what chooses from these candidates, given what is known."""
        return _DepthFirst(candidates, known, seed, EQUAL)
