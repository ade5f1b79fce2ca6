"""Stratified samples: of each band of ranks a share of its own."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.orders.base import ORDERS
from core.orders.candidates import Candidates, Floats, Integers
from core.orders.samples import SampleOrder, TopicSample


@ORDERS.register
@dataclass(frozen=True)
class Stratified(SampleOrder):
    """Items by the best rank that any run gives them, fewer and fewer further down.

    Of each stratum a fixed number is drawn without replacement, so that all its items have the same
    probability: that number divided by the size of the stratum. The number is the rate times the
    size, rounded up. Higher strata are judged first.

    Parameters
    ----------
    until : tuple of int, default (10, 30)
        The last rank of each stratum but the lowest, which holds all the rest.
    rates : tuple of float, default (1.0, 0.3, 0.1)
        The share of each stratum that is drawn, one more than ``until`` has ranks.
    budget : int, optional
        How many items of each topic are drawn: all rates are raised or lowered by one factor, none
        above 1. A stratum that is not empty has at least one item drawn, so that a budget below
        the number of strata is exceeded.
    """

    until: tuple[int, ...] = (10, 30)
    rates: tuple[float, ...] = (1.0, 0.3, 0.1)
    budget: int | None = None

    name = "stratified"
    description = "a random sample, denser at the top; its scores are estimated by xinfAP"
    reference = "Yilmaz, Kanoulas & Aslam (2008), SIGIR, doi:10.1145/1390334.1390437"
    examples = (
        "stratified",
        "stratified(until=(10,), rates=(1.0, 0.25))",
        "stratified(until=(), rates=(0.2,))",
        "stratified(budget=40)",
    )
    suggested = ("stratified",)

    def __post_init__(self) -> None:
        if not all(first < second for first, second in pairwise((0, *self.until))):
            raise ValueError("until lists ranks from 1, each above the one before")
        if len(self.rates) != len(self.until) + 1:
            raise ValueError("rates has one share more than until has ranks")
        if not all(0 < rate <= 1 for rate in self.rates):
            raise ValueError("a rate is a share above 0 and at most 1")
        if self.budget is not None and self.budget < 1:
            raise ValueError("budget is a number of items from 1")
        object.__setattr__(self, "until", tuple(map(int, self.until)))
        object.__setattr__(self, "rates", tuple(map(float, self.rates)))

    def draw_topic(
        self, candidates: Candidates, own: slice, rng: np.random.Generator
    ) -> TopicSample:
        """Return what is drawn of the items of one topic, which lie at ``own``."""
        # A rank that ends a stratum belongs to it.
        stratum = np.searchsorted(np.array(self.until), candidates.best_rank[own], side="left")
        size = np.bincount(stratum, minlength=len(self.rates))
        number = self._count(size)
        probability = (number / np.maximum(size, 1))[stratum]
        chosen = [
            rng.permutation(np.flatnonzero(stratum == one))[: number[one]]
            for one in range(len(size))
        ]
        return TopicSample(stratum, probability, np.concatenate(chosen))

    def _count(self, size: Integers) -> Integers:
        """Return how many items are drawn of each stratum, shape (n_strata,)."""
        rates = np.array(self.rates)
        if self.budget is None:
            # 0.1 · 30 is to be 3 and not, for a rounding in the last place, 4.
            number: Integers = np.ceil(rates * size - 1e-9).astype(np.int64)
            return number
        return _share_budget(rates, size, self.budget)


def _share_budget(rates: Floats, size: Integers, budget: int) -> Integers:
    """Return how many items of each stratum make up a budget: one each, the rest by the rates."""
    first = np.minimum(size, 1)
    size = size - first
    budget = int(np.clip(budget - first.sum(), 0, size.sum()))
    low, high = 0.0, 1 / rates.min()
    for _ in range(60):
        middle = (low + high) / 2
        wanted = np.minimum(middle * rates, 1) @ size
        low, high = (low, middle) if wanted >= budget else (middle, high)
    exact = np.minimum(high * rates, 1) * size
    number = np.floor(exact + 1e-9).astype(np.int64)
    by_remainder = np.argsort(number - exact, kind="stable")
    number[by_remainder[: budget - int(number.sum())]] += 1
    drawn: Integers = first + number
    return drawn
