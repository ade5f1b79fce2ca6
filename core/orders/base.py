"""What an order of judging is: a value that says which items are judged next, as labels come in."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.orders.candidates import Candidates, Floats, Integers, Mask
from core.registry import Registry, Value

EQUAL, SHARED = TOPICS = ("equal", "shared")
"""How topics share what is judged: the same share of each pool, or as the order finds best."""


@dataclass(frozen=True, eq=False)
class Known:
    """What has been chosen and judged up to a moment.

    Parameters
    ----------
    item : array of int, shape (n_chosen,)
        The items chosen so far, judged or not, in the order in which they were chosen.
    system : array of int, shape (n_chosen,)
        The run that each was chosen from; -1 where it was chosen from none.
    relevance : array of float, shape (n_chosen,)
        In [0, 1]: the share of its labels that say relevant; NaN where there is no label yet.
    """

    item: Integers
    system: Integers
    relevance: Floats


NOTHING = Known(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))
"""Nothing has been chosen."""


@dataclass(frozen=True, eq=False)
class Choice:
    """Items to judge next, all of one topic.

    Parameters
    ----------
    item : array of int, shape (n,)
        Positions among the candidates, each not chosen before.
    system : array of int, shape (n,)
        The run that each was chosen from; -1 where it was chosen from none.
    probability : array of float, shape (n,)
        With what probability the item is in the sample, in (0, 1]; NaN where what is chosen
        depends on labels, so that nobody can say.
    stratum : array of int, shape (n,), optional
        Of which stratum of its topic each was drawn, from 0; None where nothing is drawn by strata.
    """

    item: Integers
    system: Integers
    probability: Floats
    stratum: Integers | None = None


class Chooser(ABC):
    """An order at work on one pool: chooses batches, and learns from labels as they come in.

    A chooser that was told everything at once chooses as one that learnt it bit by bit.

    Parameters
    ----------
    candidates : Candidates
        What can be judged.
    known : Known
        What has been chosen and judged already.
    seed : int
        What is drawn, is drawn with it and with how many items have been chosen.
    topics : {'equal', 'shared'}
        How topics share what is judged.
    """

    def __init__(self, candidates: Candidates, known: Known, seed: int, topics: str) -> None:
        self.candidates = candidates
        self.seed = seed
        self.topics = topics
        self.relevance = np.full(len(candidates), np.nan)
        self.is_chosen: Mask = np.zeros(len(candidates), dtype=np.bool_)
        self.is_chosen[known.item] = True
        self.relevance[known.item] = known.relevance
        self.chosen_of = np.bincount(candidates.topic[known.item], minlength=len(candidates.topics))
        self.number = len(known.item)

    @property
    def rng(self) -> np.random.Generator:
        """A generator that depends on the seed and on how many items have been chosen."""
        return np.random.default_rng([self.seed, self.number])

    @property
    def left_of(self) -> Integers:
        """How many items of each topic have not been chosen, shape (n_topics,)."""
        left: Integers = np.diff(self.candidates.first) - self.chosen_of
        return left

    def choose(self, number: int) -> Choice | None:
        """Choose up to so many items of one topic; None where everything has been chosen."""
        left = self.left_of
        if not left.any():
            return None
        topic = self.choose_topic(left)
        choice = self.choose_items(topic, min(number, int(left[topic])))
        self.is_chosen[choice.item] = True
        self.chosen_of[topic] += len(choice.item)
        self.number += len(choice.item)
        return choice

    def learn(self, item: Integers, relevance: Floats) -> None:
        """Take in labels: the relevance of chosen items as it is now, NaN where it was undone."""
        self.relevance[item] = relevance

    def choose_topic(self, left: Integers) -> int:
        """Return the topic to go on with: the one of whose pool the least share is chosen."""
        size = np.diff(self.candidates.first)
        share = np.where(left > 0, self.chosen_of / np.maximum(size, 1), np.inf)
        return int(share.argmin())

    @abstractmethod
    def choose_items(self, topic: int, number: int) -> Choice:
        """Return exactly so many items of a topic that have not been chosen."""


@dataclass(frozen=True)
class Order(Value, ABC):
    """Base of every order of judging.

    Notes
    -----
    ``is_adaptive`` says that what is chosen depends on labels; ``has_probabilities`` that every
    item's chance to be chosen is known, so that measures can be estimated from the sample;
    ``shares_topics`` that it can say which topic is worth more, so that ``topics='shared'`` means
    something; ``is_sample`` that it ends with the sample it draws, before everything is chosen.
    """

    is_adaptive: ClassVar[bool] = False
    has_probabilities: ClassVar[bool] = False
    shares_topics: ClassVar[bool] = False
    is_sample: ClassVar[bool] = False

    @abstractmethod
    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        """Return what chooses from these candidates, given what is known."""


ORDERS: Registry[Order] = Registry("order of judging", "core.orders")


def parse_order(text: str) -> Order:
    """Return the order of judging that a text like ``max-mean(topics='shared')`` writes down.

    Raises
    ------
    BadInput
        The text is malformed, the order unknown or a parameter unfit; says which are known.
    """
    return ORDERS.parse(text)
