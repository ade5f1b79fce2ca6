"""Judging what all runs together, the better ones above all, rank highest: Hedge."""

from dataclasses import dataclass

import numpy as np

from core.orders.base import EQUAL, NOTHING, ORDERS, Choice, Chooser, Known, Order
from core.orders.candidates import Candidates, Floats


class _Hedge(Chooser):
    def __init__(self, candidates: Candidates, known: Known, seed: int, beta: float) -> None:
        super().__init__(candidates, known, seed, EQUAL)
        self._beta = beta
        self._losses: dict[int, Floats] = {}

    def losses(self, topic: int) -> Floats:
        """Return what each run loses by an item that is not relevant, shape (n_systems, n)."""
        if topic not in self._losses:
            rank = self.candidates.rank[self.candidates.of(topic)].T.astype(np.float64)
            depth, size = max(rank.max(initial=1), 1), rank.shape[1]
            beyond = np.arange(depth + 1, max(size, depth + 1) + 1)
            known, elsewhere = np.log(depth / np.maximum(rank, 1)), np.log(depth / beyond).mean()
            self._losses[topic] = np.where(rank > 0, known, elsewhere) / 2
        return self._losses[topic]

    def weights(self, topic: int) -> Floats:
        """Return how far each run is trusted, shape (n_systems,), adding up to 1."""
        inside = self.items[topic] - self.candidates.first[topic]
        relevance = self.relevance[self.items[topic]]
        known = ~np.isnan(relevance)
        lost = self.losses(topic)[:, inside[known]] @ (1 - 2 * relevance[known])
        weight = self._beta ** (lost - lost.min())
        return np.asarray(weight / weight.sum())

    def choose_items(self, topic: int, number: int) -> Choice:
        expected = (self.weights(topic) @ self.losses(topic)).round(12)
        expected[self.is_chosen[self.candidates.of(topic)]] = -np.inf
        item = self.candidates.first[topic] + np.argsort(-expected, kind="stable")[:number]
        return Choice(item, np.full(number, -1), np.full(number, np.nan))


@ORDERS.register
@dataclass(frozen=True)
class Hedge(Order):
    """The document that would cost the trusted runs most, were it not relevant.

    A run that has a document at rank r loses ½ log(Z/r) where it is not relevant, and gains as much
    where it is, Z the deepest rank of any run in the topic; a share of labels counts in between,
    (1 − 2 share) ½ log(Z/r). A document that it does not have counts as the mean of the places
    behind Z, down to as many as the topic's pool has. Each run is trusted by β to the power of what
    it has lost.

    Parameters
    ----------
    beta : float, default 0.1
        In (0, 1): the lower, the faster runs are told apart.
    """

    beta: float = 0.1

    name = "hedge"
    description = "what the runs that have lost least so far rank highest, all together"
    reference = "Aslam, Pavlu & Savell (2003), CIKM, doi:10.1145/956863.956953"
    examples = ("hedge", "hedge(beta=0.9)")
    suggested = ("hedge",)
    is_adaptive = True
    is_drawn = False

    def __post_init__(self) -> None:
        if not 0 < self.beta < 1:
            raise ValueError("beta lies between 0 and 1")

    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        """Return what chooses from these candidates, given what is known."""
        return _Hedge(candidates, known, seed, self.beta)
