"""Judging at random: a simple random sample of each topic's pool."""

from dataclasses import dataclass

import numpy as np

from core.orders.base import EQUAL, NOTHING, ORDERS, Choice, Chooser, Known, Order
from core.orders.candidates import Candidates, Integers
from core.orders.samples import DrawnSample


class _Random(Chooser):
    def __init__(self, candidates: Candidates, known: Known, seed: int, share: float) -> None:
        super().__init__(candidates, known, seed, EQUAL)
        self._sizes = np.diff(candidates.first)
        self._planned = np.ceil((share * self._sizes).round(9)).astype(np.int64)
        self._is_sample = share < 1
        self._shuffled: dict[int, Integers] = {}

    @property
    def left_of(self) -> Integers:
        """How many items of each topic are still to be chosen, shape (n_topics,)."""
        left: Integers = np.maximum(self._planned - self.chosen_of, 0)
        return left

    def choose_items(self, topic: int, number: int) -> Choice:
        if topic not in self._shuffled:
            shuffled = np.random.default_rng([self.seed, topic]).permutation(self._sizes[topic])
            self._shuffled[topic] = self.candidates.first[topic] + shuffled
        items = self._shuffled[topic]
        item = items[~self.is_chosen[items]][:number]
        return Choice(item, np.full(number, -1), np.full(number, self._probability(topic)))

    def _probability(self, topic: int) -> float:
        return float(self._planned[topic] / self._sizes[topic]) if self._is_sample else np.nan


@ORDERS.register
@dataclass(frozen=True)
class Random(Order):
    """Each topic's items in random order, the same share of each topic.

    Parameters
    ----------
    share : float, default 1
        In (0, 1]: how much of each topic's pool is wanted, at least an item. Below 1 the order
        ends there, and every item of a topic is in the sample with the probability chosen/pool.
        At 1 it goes on until all are judged or somebody stops; the probability is then not
        known when an item is chosen: it is chosen/pool at the moment of stopping.
    """

    share: float = 1.0

    name = "random"
    description = "a simple random sample of each topic's pool"
    reference = "Cochran (1977), Sampling Techniques, 3rd edition, section 5.2"
    examples = ("random", "random(share=0.2)")
    suggested = ("random",)

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError("share lies above 0 and up to 1")

    @property
    def has_probabilities(self) -> bool:
        """Whether a sample is planned."""
        return self.share < 1

    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        """Return what chooses from these candidates, given what is known."""
        return _Random(candidates, known, seed, self.share)

    def draw(self, candidates: Candidates, seed: int = 1) -> DrawnSample:
        """Return the sample that this order chooses from these candidates: one stratum a topic."""
        chooser = _Random(candidates, NOTHING, seed, self.share)
        place = np.full(len(candidates), -1)
        probability = np.empty(len(candidates))
        for topic, number in enumerate(chooser.left_of):
            chosen = chooser.choose_items(topic, int(number))
            place[chosen.item] = np.arange(number)
            probability[candidates.of(topic)] = chosen.probability[0]
        return DrawnSample(np.zeros(len(candidates), dtype=np.int64), probability, place)
