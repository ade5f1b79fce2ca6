"""What a method of interleaving is: a value that mixes two rankings and credits clicks."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.interleaving.choices import LENGTH
from core.interleaving.pairs import NOTHING, Floats, Integers, Mask, RankingPair
from core.registry import Registry, Value

FIRST, SECOND = 0, 1
"""The teams: which ranking a document was taken from."""

Teams = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Mixed:
    """Lists as users see them, all of one topic.

    Parameters
    ----------
    document : array of int, shape (n_lists, length)
        Positions in the documents of the pair, by rank; -1 where the list is shorter.
    team : array of int8, shape (n_lists, length)
        The ranking that each was taken from, 0 or 1; -1 where the method has no teams.
    """

    document: Integers
    team: Teams

    def __len__(self) -> int:
        return len(self.document)


@dataclass(frozen=True)
class Method(Value, ABC):
    """Base of every method of interleaving.

    Notes
    -----
    ``needs_teams`` says that clicks can be credited only where it is known which ranking each
    document was taken from; other methods credit by the two rankings. ``is_fair`` that users who
    click at random prefer neither ranking, whichever two there are.
    """

    @property
    def needs_teams(self) -> bool:
        """Whether crediting needs the teams."""
        return False

    @property
    def is_fair(self) -> bool:
        """Whether clicks at random favour neither ranking."""
        return True

    @abstractmethod
    def mix(
        self, pair: RankingPair, rng: np.random.Generator, length: int = LENGTH, number: int = 1
    ) -> Mixed:
        """Draw lists.

        Parameters
        ----------
        pair : RankingPair
            The two rankings.
        rng : Generator
            What coins are tossed with.
        length : int
            How many documents a list shows at most.
        number : int
            How many lists.
        """

    @abstractmethod
    def distribution(self, pair: RankingPair, length: int = LENGTH) -> tuple[Mixed, Floats]:
        """Return every list that can come about, each once, and its probability.

        By enumeration: for short lists.

        Returns
        -------
        Mixed, array of shape (n_lists,)
            Lists that differ in documents or teams; the probabilities sum to 1.
        """

    @abstractmethod
    def credit(self, pair: RankingPair, mixed: Mixed, clicked: Mask) -> Floats:
        """Return the clicks that each ranking is credited with, or how many are expected.

        Parameters
        ----------
        pair, mixed
            The rankings, and lists made of them.
        clicked : array of bool, shape (n_lists, length)
            What was clicked.

        Returns
        -------
        array, shape (n_lists, 2)
            Not negative.
        """

    def wins(self, pair: RankingPair, mixed: Mixed, clicked: Mask) -> Floats:
        """Return how probable it is that each ranking wins: that it has more of the clicks.

        Returns
        -------
        array, shape (n_lists, 2)
            0 or 1 where credit is certain. What is missing to 1 is a tie.
        """
        credit = self.credit(pair, mixed, clicked)
        return (credit > credit[:, ::-1]).astype(np.float64)


METHODS: Registry[Method] = Registry("interleaving method", __package__)


def parse_method(text: str) -> Method:
    """Return the method that a text like ``team-draft`` or ``probabilistic(tau=2)`` writes down.

    Raises
    ------
    BadInput
        The text is malformed, the method unknown or a parameter unfit; says which are known.
    """
    return METHODS.parse(text)


def gather_lists(
    lists: dict[tuple[tuple[int, ...], tuple[int, ...]], float], length: int
) -> tuple[Mixed, Floats]:
    """Return lists, each as its documents and teams, with their probabilities, as arrays."""
    document = np.full((len(lists), length), NOTHING, dtype=np.int64)
    team = np.full((len(lists), length), NOTHING, dtype=np.int8)
    for row, (documents, teams) in enumerate(lists):
        document[row, : len(documents)] = documents
        team[row, : len(teams)] = teams
    return Mixed(document, team), np.array(list(lists.values()))


def bias_of_random_clicks(method: Method, pair: RankingPair, length: int = LENGTH) -> float:
    """Return Δ where one of the documents shown is clicked, each as probably as any other.

    By enumeration of all lists, unless the method is fair to any two rankings.

    Parameters
    ----------
    method : Method
        Balanced interleaving, say.
    pair : RankingPair
        The two rankings; nothing is lost where they return the same.
    length : int
        How many documents a list shows at most.

    Returns
    -------
    float
        In [-0.5, 0.5]: above 0 the first ranking is favoured. 0 where nothing can be shown.

    References
    ----------
    Radlinski, Kurup and Joachims (2008), CIKM, doi:10.1145/1458082.1458092, section 3.

    Examples
    --------
    >>> from core.interleaving.base import parse_method
    >>> from core.interleaving.pairs import pair_documents
    >>> pair = pair_documents("t", ["a", "b", "c"], ["b", "c", "a"])
    >>> round(bias_of_random_clicks(parse_method("balanced"), pair), 6)
    -0.166667
    """
    if method.is_fair:
        return 0.0
    mixed, chance = method.distribution(pair, length)
    shown = mixed.document >= 0
    share = chance / shown.sum(axis=1).clip(min=1)
    total = 0.0
    for place in range(shown.shape[1]):
        clicked = shown.copy()
        clicked[:, :place] = clicked[:, place + 1 :] = False
        won = method.wins(pair, mixed, clicked)
        total += float((share * (won[:, 0] - won[:, 1])).sum())
    return total / 2
