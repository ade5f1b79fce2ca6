"""How near the score of some of the labels comes to that of all: drawn without replacement."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.agreement.intervals import Floats
from core.planning.opinions import Opinions

STEPS = (5, 10, 20, 50, 100, 200, 500, 1_000)
"""Numbers of topics that are tried, with all that there are."""

OPINIONS = (1, 2, 3, 5, 10)
"""Numbers of opinions an item that are tried."""

SHARE = 0.5
"""That part of the items has as many opinions, at least, as are tried."""


class Learnt(NamedTuple):
    """What so many opinions an item on so many topics come to."""

    opinions: int
    topics: int
    labels: float
    error: float


def list_opinions(counts: Floats) -> list[int]:
    """Return the numbers of opinions that enough of the items have."""
    return [one for one in OPINIONS if (counts >= one).mean() >= SHARE]


def learn_means(opinions: Opinions, draws: int, rng: np.random.Generator) -> list[Learnt]:
    """Return how far the mean level of a part of the labels is from that of all.

    The mean level is that of the topics' means of their items' means. Of each draw, topics and the
    opinions on each item are drawn without replacement; an item with fewer gives all it has.

    Parameters
    ----------
    opinions : Opinions
        All labels.
    draws : int
        How often each is drawn.
    rng : Generator
        Of the draws.

    Returns
    -------
    list of Learnt
        ``error`` is the root mean squared error over draws, ``labels`` how many were drawn on
        average.
    """
    order = np.argsort(opinions.item, kind="stable")
    value, item = opinions.value[order], opinions.item[order]
    counts, topic, sizes = opinions.counts.astype(np.int64), opinions.topic_of, opinions.sizes
    starts, topics = np.cumsum(counts) - counts, len(sizes)
    numbers = [*(one for one in STEPS if one < topics), topics]
    tried = list_opinions(opinions.counts)
    whole = float((np.bincount(topic, np.add.reduceat(value, starts) / counts) / sizes).mean())
    squares = np.zeros((len(tried), len(numbers)))
    labels = np.zeros_like(squares)
    for _ in range(draws):
        shuffled = value[np.argsort(item + rng.random(len(item)))]
        sums = np.concatenate([[0.0], np.cumsum(shuffled)])
        chosen = rng.permutation(topics)
        for row, number in enumerate(tried):
            taken = np.minimum(number, counts)
            mean = (sums[starts + taken] - sums[starts]) / taken
            of_topic = (np.bincount(topic, mean) / sizes)[chosen]
            found = _take(np.cumsum(of_topic), numbers) / numbers
            squares[row] += (found - whole) ** 2
            labels[row] += _take(np.cumsum(np.bincount(topic, taken)[chosen]), numbers)
    return [
        Learnt(opinion, number, labels[row, at] / draws, _root(squares[row, at] / draws))
        for row, opinion in enumerate(tried)
        for at, number in enumerate(numbers)
    ]


def _take(summed: Floats, numbers: Sequence[int]) -> Floats:
    found: Floats = summed[np.array(numbers) - 1]
    return found


def _root(square: float) -> float:
    return float(square**0.5) if square > _ROUNDING else 0.0


_ROUNDING = 1e-20
