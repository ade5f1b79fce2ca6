"""Bandits over runs: a run is an arm, and a relevant document is what it pays."""

from dataclasses import dataclass

import numpy as np

from core.orders.base import EQUAL, TOPICS, Known, Order
from core.orders.candidates import Candidates, Floats, Integers
from core.orders.from_runs import FromRuns

ALL, CHOSEN = CREDITS = ("all", "chosen")
"""Which runs a label tells of: all that have the document, or the one that it was chosen from."""

_DIGITS = 12


@dataclass(frozen=True)
class Bandit(Order):
    """Base of the bandits over runs.

    Each topic has its own bandit, and each run a Beta posterior from the uniform prior. A label
    counts as the share of its assessors' labels that say relevant: .5 is half a success and half
    a failure. An item without a label counts neither way.

    Parameters
    ----------
    credit : {'all', 'chosen'}
        Which runs a label tells of: all that have the document, or the one it was chosen from.
    rate : float, default 1
        In (0, 1]: how much a label still counts after each further label of its topic; 1 forgets
        nothing.
    topics : {'equal', 'shared'}
        The same share of each topic's pool; or a topic is judged in proportion to the chance that
        its next document is relevant.
    """

    credit: str = ALL
    rate: float = 1.0
    topics: str = EQUAL

    is_adaptive = True
    shares_topics = True

    def __post_init__(self) -> None:
        if self.credit not in CREDITS:
            raise ValueError(f"credit is one of: {', '.join(CREDITS)}")
        if not 0 < self.rate <= 1:
            raise ValueError("rate lies above 0 and up to 1")
        if self.topics not in TOPICS:
            raise ValueError(f"topics is one of: {', '.join(TOPICS)}")


class BanditChooser(FromRuns):
    """A bandit at work: what is known of each run, and how topics share.

    Notes
    -----
    Shared topics are served by highest averages (D'Hondt): next is the topic with the largest
    ratio of its best run's posterior mean to the number of its items chosen, plus one. No topic
    starves, and one that has nothing left to find soon waits.
    """

    def __init__(self, candidates: Candidates, known: Known, seed: int, order: Bandit) -> None:
        super().__init__(candidates, known, seed, order.topics)
        self._order = order
        self._counts: dict[int, tuple[Floats, Floats]] = {}

    def learn(self, item: Integers, relevance: Floats) -> None:
        """Take in labels: the relevance of chosen items as it is now, NaN where it was undone."""
        super().learn(item, relevance)
        for topic in set(self.candidates.topic[item].tolist()):
            self._counts.pop(topic, None)

    def count(self, topic: int) -> tuple[Floats, Floats]:
        """Return for each run how many labels say relevant and not, each shape (n_systems,)."""
        if topic not in self._counts:
            self._counts[topic] = self._count(topic)
        return self._counts[topic]

    def _count(self, topic: int) -> tuple[Floats, Floats]:
        relevance = self.relevance[self.items[topic]]
        known = ~np.isnan(relevance)
        relevance = relevance[known]
        weight = self._order.rate ** np.arange(len(relevance) - 1, -1, -1.0)
        if self._order.credit == ALL:
            credited = self.held(topic)[:, self.chosen(topic)[known]]
        else:
            systems = np.arange(len(self.candidates.systems))
            credited = systems[:, np.newaxis] == self.from_system[topic][known]
        # Equal counts are to be equal, in whatever order they were added up.
        counts = credited.astype(np.float64)
        total, relevant = ((counts @ one).round(_DIGITS) for one in (weight, weight * relevance))
        return relevant, np.maximum(total - relevant, 0)

    def means(self, topic: int) -> Floats:
        """Return the posterior mean of each run, shape (n_systems,)."""
        relevant, other = self.count(topic)
        means: Floats = (relevant + 1) / (relevant + other + 2)
        return means

    def rate_topic(self, topic: int) -> float:
        """Return the highest posterior mean of a run that has items left."""
        return float(self.means(topic).max(where=self.has_left(topic), initial=0.0))

    def share(self, worth: Floats) -> int:
        """Return the topic with the highest average."""
        return int((worth / (self.chosen_of + 1)).argmax())
