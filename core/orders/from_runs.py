"""Choosing the next document of a run: what bandits over runs and move-to-front have in common."""

from abc import abstractmethod

import numpy as np

from core.orders.base import EQUAL, Choice, Chooser, Known
from core.orders.candidates import ABSENT, Candidates, Floats, Integers, Mask


class FromRuns(Chooser):
    """Chooses a run, and of it the document at the best rank that has not been chosen.

    Runs that are equally good stand in a random order, another one for each topic.
    """

    def __init__(self, candidates: Candidates, known: Known, seed: int, topics: str) -> None:
        super().__init__(candidates, known, seed, topics)
        self._held: dict[int, Mask] = {}
        self._first_of_equals: dict[int, Integers] = {}
        self._worth = np.full(len(candidates.topics), np.nan)

    def held(self, topic: int) -> Mask:
        """Return which items each run has, shape (n_systems, n_items of the topic)."""
        if topic not in self._held:
            self._held[topic] = self.candidates.places_of(topic) < ABSENT
        return self._held[topic]

    def has_left(self, topic: int) -> Mask:
        """Return which runs have items of a topic that have not been chosen."""
        return np.asarray((self.held(topic) & self.free(topic)).any(axis=1))

    def free(self, topic: int) -> Mask:
        """Return which items of a topic have not been chosen, shape (n_items of the topic,)."""
        return ~self.is_chosen[self.candidates.of(topic)]

    def chosen(self, topic: int) -> Integers:
        """Return what has been chosen of a topic, in that order, counted from its first item."""
        inside: Integers = self.items[topic] - self.candidates.first[topic]
        return inside

    def find_best(self, topic: int, score: Floats) -> int:
        """Return the run with the highest score, of equal ones the first in random order."""
        if topic not in self._first_of_equals:
            rng = np.random.default_rng([self.seed, topic])
            self._first_of_equals[topic] = rng.permutation(len(self.candidates.systems))
        order = self._first_of_equals[topic]
        return int(order[score[order].argmax()])

    def choose(self, number: int) -> Choice | None:
        """Choose up to so many items of one topic; None where everything has been chosen."""
        choice = super().choose(number)
        if choice is not None:
            self._worth[self.candidates.topic[choice.item]] = np.nan
        return choice

    def learn(self, item: Integers, relevance: Floats) -> None:
        """Take in labels: the relevance of chosen items as it is now, NaN where it was undone."""
        super().learn(item, relevance)
        self._worth[self.candidates.topic[item]] = np.nan

    def choose_topic(self, left: Integers) -> int:
        """Return the topic to go on with: the least judged, or the one that is worth most."""
        if self.topics == EQUAL:
            return super().choose_topic(left)
        for topic in np.flatnonzero(np.isnan(self._worth) & (left > 0)):
            self._worth[topic] = self.rate_topic(int(topic))
        return self.share(np.where(left > 0, self._worth, -np.inf))

    @abstractmethod
    def rate_topic(self, topic: int) -> float:
        """Return how good the best run of a topic is that has items left."""

    @abstractmethod
    def share(self, worth: Floats) -> int:
        """Return the topic to go on with, from how good the best run of each is."""

    @abstractmethod
    def rate_runs(self, topic: int, number: int) -> Floats:
        """Return how good each run is for the next so many items, shape (number, n_systems)."""

    def rate_again(self, scores: Floats, system: int) -> None:
        """Change the scores of the items that are left after one was chosen from a run."""

    def choose_items(self, topic: int, number: int) -> Choice:
        """Return so many items, each the next of the run that is then the best."""
        places, held, free = self.candidates.places_of(topic), self.held(topic), self.free(topic)
        left, scores = (held & free).sum(axis=1), self.rate_runs(topic, number)
        item, system = np.empty(number, dtype=np.int64), np.empty(number, dtype=np.int64)
        for at in range(number):
            system[at] = self.find_best(topic, np.where(left > 0, scores[at], -np.inf))
            item[at] = np.where(free, places[system[at]], ABSENT).argmin()
            free[item[at]] = False
            left -= held[:, item[at]]
            self.rate_again(scores[at + 1 :], int(system[at]))
        item += self.candidates.first[topic]
        return Choice(item, system, np.full(number, np.nan))
