"""Simulated users: who click by how relevant a document is, and stop when they have enough."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from core.interleaving.pairs import NOTHING, Floats, Integers, Mask
from core.registry import Registry, Value

_GRADES = (0.0, 0.25, 0.5, 0.75, 1.0)
_REFERENCE = (
    "Hofmann, Whiteson & de Rijke (2011), CIKM, doi:10.1145/2063576.2063618; five grades as in "
    "Hofmann, Whiteson & de Rijke (2013), ACM TOIS 31(4), doi:10.1145/2536736.2536737"
)


class Clicks(Protocol):
    """Whoever clicks on lists."""

    def click(self, relevance: Floats, rng: np.random.Generator) -> Mask:
        """Draw clicks on lists.

        Parameters
        ----------
        relevance : array of float, shape (n_lists, length)
            The level of each document shown as a share of the highest, in [0, 1]; NaN where the
            list is shorter.
        rng : Generator
            What clicks are drawn with.

        Returns
        -------
        array of bool, shape (n_lists, length)
            What is clicked; never where there is no document.
        """


@dataclass(frozen=True)
class User(Value, ABC):
    """Base of the users that can be named: they go down a list, click, and may then stop.

    Notes
    -----
    ``clicks`` and ``stops`` are the chances to click a document and to stop after a click, of
    five grades of relevance; between them they are interpolated. Scales of two levels have the
    first and the last.
    """

    clicks: ClassVar[tuple[float, ...]]
    stops: ClassVar[tuple[float, ...]]

    @property
    @abstractmethod
    def wants(self) -> str:
        """What such a user is after, in a few words."""

    def click(self, relevance: Floats, rng: np.random.Generator) -> Mask:
        """Draw clicks on lists; see `Clicks.click`."""
        is_shown = ~np.isnan(relevance)
        chance = np.interp(relevance, _GRADES, self.clicks)
        end = np.interp(relevance, _GRADES, self.stops)
        clicked: Mask = is_shown & (rng.random(relevance.shape) < chance)
        stops = clicked & (rng.random(relevance.shape) < end)
        # What comes after the first stop was never looked at.
        gone = (np.cumsum(stops, axis=1) - stops) > 0
        return np.logical_and(clicked, ~gone)


USERS: Registry[User] = Registry("simulated user", __package__)


@USERS.register
@dataclass(frozen=True)
class Perfect(User):
    """Looks at all of the list, clicks by relevance alone and never stops."""

    name = "perfect"
    description = "looks at the whole list and clicks by relevance alone, without noise"
    reference = _REFERENCE
    examples = ("perfect",)
    suggested = ("perfect",)
    clicks = (0.0, 0.2, 0.4, 0.8, 1.0)
    stops = (0.0, 0.0, 0.0, 0.0, 0.0)

    @property
    def wants(self) -> str:
        """What such a user is after."""
        return "everything relevant"


@USERS.register
@dataclass(frozen=True)
class Navigational(User):
    """Looks for one good document and mostly stops there."""

    name = "navigational"
    description = "looks for one good document and mostly stops at it; little noise"
    reference = _REFERENCE
    examples = ("navigational",)
    suggested = ("navigational",)
    clicks = (0.05, 0.3, 0.5, 0.7, 0.95)
    stops = (0.2, 0.3, 0.5, 0.7, 0.9)

    @property
    def wants(self) -> str:
        """What such a user is after."""
        return "one good document"


@USERS.register
@dataclass(frozen=True)
class Informational(User):
    """Clicks a good deal, on what is not relevant, too."""

    name = "informational"
    description = "reads widely: clicks much, also on what is not relevant; much noise"
    reference = _REFERENCE
    examples = ("informational",)
    suggested = ("informational",)
    clicks = (0.4, 0.6, 0.7, 0.8, 0.9)
    stops = (0.1, 0.2, 0.3, 0.4, 0.5)

    @property
    def wants(self) -> str:
        """What such a user is after."""
        return "a general view"


def parse_user(text: str) -> User:
    """Return the simulated user of a name.

    Raises
    ------
    BadInput
        There is none of that name; says which are known.
    """
    return USERS.parse(text)


Draw = Callable[[Integers, np.random.Generator], Mask]
"""Takes kinds of documents by list and rank, -1 where there is none, and draws clicks."""


@dataclass(frozen=True, eq=False)
class LevelUser:
    """Who clicks as a click model says, on documents of so many levels.

    Parameters
    ----------
    relevance : array, shape (n_levels,)
        The levels as shares of the highest, ascending.
    draw : callable
        The click model; the k-th level is its k-th document.
    """

    relevance: Floats
    draw: Draw

    def click(self, relevance: Floats, rng: np.random.Generator) -> Mask:
        """Draw clicks on lists; each document is taken for one of the nearest level.

        See `core.interleaving.users.Clicks.click`.
        """
        middles = (self.relevance[1:] + self.relevance[:-1]) / 2
        kind = np.searchsorted(middles, relevance, side="right")
        return self.draw(np.where(np.isnan(relevance), NOTHING, kind), rng)


def average_by_level(values: Floats, levels: Floats) -> tuple[Floats, Floats]:
    """Return the levels that occur, ascending, and the mean of what has each of them.

    Parameters
    ----------
    values : array, shape (n_items,)
        What a click model says of each document, attractiveness say.
    levels : array, shape (n_items,)
        The level of each; NaN where it has none, which then does not count.

    Returns
    -------
    levels, means : array, shape (n_levels,)
    """
    known = ~np.isnan(levels)
    found, code = np.unique(levels[known], return_inverse=True)
    return found, np.bincount(code, weights=values[known]) / np.bincount(code)
