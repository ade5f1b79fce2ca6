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

    Attributes
    ----------
    relevance : array of float, shape (n_items,)
        As `learn` was told; NaN where there is no label.
    is_chosen : array of bool, shape (n_items,)
    chosen_of : array of int, shape (n_topics,)
        How many items of each topic have been chosen.
    items, from_system : list of arrays of int
        For each topic, what has been chosen, in that order, and from which run; -1 from none.
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
        by_topic = np.argsort(candidates.topic[known.item], kind="stable")
        ends = np.cumsum(self.chosen_of)[:-1]
        self.items = np.split(known.item[by_topic], ends)
        self.from_system = np.split(known.system[by_topic], ends)

    @property
    def rng(self) -> np.random.Generator:
        """A generator that depends on the seed and on how many items have been chosen."""
        return np.random.default_rng([self.seed, self.number])

    @property
    def left_of(self) -> Integers:
        """How many items of each topic are still to be chosen, shape (n_topics,)."""
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
        self.items[topic] = np.concatenate([self.items[topic], choice.item])
        self.from_system[topic] = np.concatenate([self.from_system[topic], choice.system])
        return choice

    def learn(self, item: Integers, relevance: Floats) -> None:
        """Take in labels: the relevance of chosen items as it is now, NaN where it was undone."""
        self.relevance[item] = relevance

    def choose_topic(self, left: Integers) -> int:
        """Return the topic to go on with: the one of whose pool the least share is chosen."""
        return int(np.where(left > 0, self.shares, np.inf).argmin())

    @property
    def shares(self) -> Floats:
        """The share of each topic's pool that has been chosen, shape (n_topics,)."""
        share: Floats = self.chosen_of / np.maximum(np.diff(self.candidates.first), 1)
        return share

    @abstractmethod
    def choose_items(self, topic: int, number: int) -> Choice:
        """Return exactly so many items of a topic that have not been chosen."""


@dataclass(frozen=True)
class Order(Value, ABC):
    """Base of every order of judging.

    Notes
    -----
    ``is_adaptive`` says that what is chosen depends on labels; ``is_drawn`` that it depends on the
    seed; ``shares_topics`` that it can say which topic is worth more, so that ``topics='shared'``
    means something; ``has_probabilities`` that every item's chance to be chosen is known, so that
    measures can be estimated from the sample. Such an order ends with its sample; all others go on
    until everything is chosen.
    """

    is_adaptive: ClassVar[bool] = False
    is_drawn: ClassVar[bool] = True
    shares_topics: ClassVar[bool] = False

    @property
    def has_probabilities(self) -> bool:
        """Whether it draws a sample in which each item's probability to be is known."""
        return False

    @abstractmethod
    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        """Return what chooses from these candidates, given what is known."""


ORDERS: Registry[Order] = Registry("order of judging", __package__)


def parse_order(text: str) -> Order:
    """Return the order of judging that a text like ``max-mean(topics='shared')`` writes down.

    Raises
    ------
    BadInput
        The text is malformed, the order unknown or a parameter unfit; says which are known.
    """
    return ORDERS.parse(text)
