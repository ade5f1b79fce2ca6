"""Judging where runs have been right so far: the MaxMean bandit over runs."""

from dataclasses import dataclass

import numpy as np

from core.orders.base import EQUAL, NOTHING, ORDERS, TOPICS, Choice, Chooser, Known, Order
from core.orders.candidates import Candidates, Floats


class _MaxMean(Chooser):
    """Every run that holds a judged document is credited with its label."""

    def __init__(self, candidates: Candidates, known: Known, seed: int, topics: str) -> None:
        super().__init__(candidates, known, seed, topics)
        shape = len(candidates.topics), len(candidates.systems)
        self._relevant, self._judged = np.zeros(shape), np.zeros(shape)
        self._counted = np.full(len(candidates), np.nan)
        self._credit(known.item, self.relevance[known.item])

    def learn(self, item: np.ndarray, relevance: Floats) -> None:
        super().learn(item, relevance)
        self._credit(item, relevance)

    def _credit(self, item: np.ndarray, relevance: Floats) -> None:
        topic, holds = self.candidates.topic[item], self.candidates.rank[item] > 0
        before = self._counted[item]
        gained = np.nan_to_num(relevance) - np.nan_to_num(before)
        judged = (~np.isnan(relevance)).astype(float) - ~np.isnan(before)
        np.add.at(self._relevant, topic, holds * gained[:, np.newaxis])
        np.add.at(self._judged, topic, holds * judged[:, np.newaxis])
        self._counted[item] = relevance

    def choose_topic(self, left: np.ndarray) -> int:
        if self.topics == EQUAL:
            return super().choose_topic(left)
        worth = self._means().max(axis=1, where=self._has_left(), initial=-1.0)
        return int(np.where(left > 0, worth, -np.inf).argmax())

    def _means(self) -> Floats:
        means: Floats = (self._relevant + 1) / (self._judged + 2)
        return means

    def _has_left(self) -> np.ndarray:
        topics = [self.candidates.of(topic) for topic in range(len(self.candidates.topics))]
        held = [
            (self.candidates.rank[place][~self.is_chosen[place]] > 0).any(axis=0)
            for place in topics
        ]
        return np.array(held)

    def choose_items(self, topic: int, number: int) -> Choice:
        place = self.candidates.of(topic)
        ranks = self.candidates.rank[place].astype(np.int64)
        free = ~self.is_chosen[place]
        means = self._means()[topic]
        items, systems = [], []
        for _ in range(number):
            has = (ranks[free] > 0).any(axis=0)
            system = int(np.where(has, means, -np.inf).argmax())
            left = np.flatnonzero(free & (ranks[:, system] > 0))
            best = left[ranks[left, system].argmin()]
            free[best] = False
            items.append(place.start + best)
            systems.append(system)
        return Choice(np.array(items), np.array(systems), np.full(number, np.nan))


@ORDERS.register
@dataclass(frozen=True)
class MaxMean(Order):
    """The next document of the run that has been right most often, by its posterior mean."""

    topics: str = EQUAL

    name = "max-mean"
    description = "the next document of the run whose judged documents are relevant most often"
    reference = "Losada, Parapar & Barreiro (2017), IP&M 53, doi:10.1016/j.ipm.2017.04.005"
    examples = ("max-mean", "max-mean(topics='shared')")
    suggested = ("max-mean",)
    is_adaptive = True
    shares_topics = True

    def __post_init__(self) -> None:
        if self.topics not in TOPICS:
            raise ValueError(f"topics is one of: {', '.join(TOPICS)}")

    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        """Return what chooses from these candidates, given what is known."""
        return _MaxMean(candidates, known, seed, self.topics)
