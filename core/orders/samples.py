"""Samples drawn from pools before anything is judged: which items, and with what probability."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from core.orders.base import EQUAL, NOTHING, Choice, Chooser, Known, Order
from core.orders.candidates import Candidates, Floats, Integers, Mask

if TYPE_CHECKING:
    import pandas as pd

NOT_DRAWN = -1
"""The level of what was pooled and not drawn, as in trec_eval's qrels."""


@dataclass(frozen=True, eq=False)
class DrawnSample:
    """A sample of a pool.

    Parameters
    ----------
    stratum : array of int, shape (n_items,)
        The stratum of each item within its topic, from 0.
    probability : array of float, shape (n_items,)
        With what probability each item is drawn, in (0, 1].
    place : array of int, shape (n_items,)
        Where each item stands among those drawn of its topic, from 0; -1 where it was not drawn.
    """

    stratum: Integers
    probability: Floats
    place: Integers

    @property
    def is_drawn(self) -> Mask:
        """Which items were drawn, shape (n_items,)."""
        drawn: Mask = self.place >= 0
        return drawn


@dataclass(frozen=True, eq=False)
class TopicSample:
    """What was drawn of one topic, as in `DrawnSample`; ``chosen``: the drawn items in order."""

    stratum: Integers
    probability: Floats
    chosen: Integers


class SampleChooser(Chooser):
    """Chooses what was drawn, topic by topic, and ends with the sample."""

    def __init__(self, candidates: Candidates, known: Known, seed: int, drawn: DrawnSample) -> None:
        super().__init__(candidates, known, seed, EQUAL)
        self.drawn = drawn

    @property
    def left_of(self) -> Integers:
        """How many drawn items of each topic have not been chosen, shape (n_topics,)."""
        left = self.drawn.is_drawn & ~self.is_chosen
        counted: Integers = np.bincount(
            self.candidates.topic[left], minlength=len(self.candidates.topics)
        )
        return counted

    def choose_items(self, topic: int, number: int) -> Choice:
        """Return the next items of the sample."""
        place = self.candidates.of(topic)
        left = self.drawn.is_drawn[place] & ~self.is_chosen[place]
        items = place.start + np.flatnonzero(left)
        item = items[np.argsort(self.drawn.place[items])[:number]]
        none = np.full(len(item), -1)
        return Choice(item, none, self.drawn.probability[item], self.drawn.stratum[item])


@dataclass(frozen=True)
class SampleOrder(Order):
    """Base of the orders that draw a sample with known probabilities.

    What is drawn of a topic depends on its candidates and the seed alone.
    """

    has_probabilities = True

    def draw(self, candidates: Candidates, seed: int = 1) -> DrawnSample:
        """Return the sample that this order chooses from these candidates."""
        stratum, place = np.zeros((2, len(candidates)), dtype=np.int64)
        probability = np.ones(len(candidates))
        place -= 1
        for topic, name in enumerate(candidates.topics):
            own = candidates.of(topic)
            rng = np.random.default_rng([seed, crc32(name.encode())])
            found = self.draw_topic(candidates, own, rng)
            stratum[own], probability[own] = found.stratum, found.probability
            place[own.start + found.chosen] = np.arange(len(found.chosen))
        return DrawnSample(stratum, probability, place)

    @abstractmethod
    def draw_topic(
        self, candidates: Candidates, own: slice, rng: np.random.Generator
    ) -> TopicSample:
        """Return what is drawn of the items of one topic, which lie at ``own``."""

    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        """Return what chooses from these candidates, given what is known."""
        return SampleChooser(candidates, known, seed, self.draw(candidates, seed))


def sample_qrels(candidates: Candidates, drawn: DrawnSample, qrels: pd.DataFrame) -> pd.DataFrame:
    """Return qrels of a sample: the whole pool, with a level only where an item was drawn.

    Parameters
    ----------
    candidates, drawn : Candidates, DrawnSample
        A pool and the sample of it.
    qrels : DataFrame
        ``topic_id, document_id, level``; a drawn item without a level counts as not drawn.

    Returns
    -------
    DataFrame
        ``topic_id, iteration, document_id, level, stratum, probability`` for each item; ``level``
        is -1 where the item was not drawn or has no level.
    """
    import pandas as pd

    level = np.full(len(candidates), float(NOT_DRAWN))
    position = candidates.find(qrels)
    known = (position >= 0) & (qrels["level"] >= 0).to_numpy()
    level[position[known]] = qrels["level"].to_numpy(np.float64)[known]
    level[~drawn.is_drawn] = NOT_DRAWN
    return pd.DataFrame(
        {
            "topic_id": np.array(candidates.topics, dtype=object)[candidates.topic],
            "iteration": "0",
            "document_id": candidates.document,
            "level": level,
            "stratum": drawn.stratum.astype("str"),
            "probability": drawn.probability,
        }
    ).astype({name: "str" for name in ("topic_id", "iteration", "document_id", "stratum")})
