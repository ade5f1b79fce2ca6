"""The sample that statAP goes with: items by how much they weigh in average precision."""

from dataclasses import dataclass

import numpy as np

from core.orders.base import ORDERS
from core.orders.candidates import Candidates, Floats
from core.orders.samples import SampleOrder, TopicSample


@ORDERS.register
@dataclass(frozen=True)
class StatSample(SampleOrder):
    """Items with probabilities that follow their weight in the average precision of the runs.

    An item at rank r of the Z that a run has in the pool weighs (1 + 1/r + 1/(r + 1) + … + 1/Z) /
    2Z in it; the weights of all runs are averaged. By weight, items lie in buckets of as many as
    are to be drawn. So many times a bucket is drawn, with replacement and by the sum of its
    weights; then of each bucket as many items as it was drawn, without replacement and uniformly.

    Parameters
    ----------
    budget : int, default 50
        How many items of each topic are drawn; fewer where the last, smaller bucket is drawn more
        often than it has items. A pool of no more items is judged whole.

    Notes
    -----
    The probability of an item is its bucket's weight: how often the bucket is expected to be drawn
    divided by its size. In the last bucket no more than all can be drawn, which is reckoned with.
    """

    budget: int = 50

    name = "stat-sample"
    description = "a random sample by weight in average precision; its scores are statAP's"
    reference = "Aslam & Pavlu (2007), A Practical Sampling Strategy for Efficient Retrieval "
    reference += "Evaluation, Northeastern University"
    examples = ("stat-sample", "stat-sample(budget=20)")
    suggested = ("stat-sample",)

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise ValueError("budget is a number of items from 1")

    def draw_topic(
        self, candidates: Candidates, own: slice, rng: np.random.Generator
    ) -> TopicSample:
        """Return what is drawn of the items of one topic, which lie at ``own``."""
        weight = weigh_items(candidates.rank[own])
        order = np.argsort(-weight, kind="stable")
        bucket = np.empty(len(weight), dtype=np.int64)
        bucket[order] = np.arange(len(weight)) // self.budget
        size = np.bincount(bucket)
        share = np.bincount(bucket, weights=weight)
        share = share / share.sum()
        times = rng.multinomial(self.budget, share)
        probability = (_expect_drawn(self.budget, share, size) / size)[bucket]
        if len(size) == 1:
            times, probability = size, np.ones(len(weight))
        chosen = [
            rng.permutation(np.flatnonzero(bucket == one))[: times[one]] for one in range(len(size))
        ]
        return TopicSample(bucket, probability, np.concatenate(chosen))


def weigh_items(rank: np.ndarray) -> Floats:
    """Return each item's weight in average precision, a mean over the runs.

    Parameters
    ----------
    rank : array of int, shape (n_items, n_systems)
        Where each run has each item of a topic, from 1; 0 where it does not.

    Returns
    -------
    array of float, shape (n_items,)
        Above 0; they sum to 1 where every run has something.
    """
    weight: Floats = np.zeros(len(rank))
    for column in rank.T:
        length = int(column.max(initial=0))
        if length:
            reciprocal = 1 / np.arange(1, length + 1)
            below = np.cumsum(reciprocal[::-1])[::-1]
            held = column > 0
            weight[held] += (1 + below[column[held].astype(np.int64) - 1]) / (2 * length)
    weight /= rank.shape[1]
    return weight


def _expect_drawn(draws: int, share: Floats, size: np.ndarray) -> Floats:
    """Return how many different items of each bucket are expected to be drawn, (n_buckets,)."""
    from scipy.special import bdtrc

    # The mean of the smaller of two counts is a sum of the chances that both pass a number.
    passed = np.arange(draws)[:, np.newaxis]
    expected: Floats = np.where(passed < size, bdtrc(passed, draws, share), 0.0).sum(axis=0)
    return expected
