"""What a click model is on given items: what its EM expects, and how its user goes down a list."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np

from core.clicks.click_log import ClickLog, Floats, Integers, Mask

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Parameters: TypeAlias = dict[str, Floats]
"""By name: probabilities, shape (n, n_draws). A draw is a set of weights of the sessions."""

LEAST = 1e-6
"""No estimate comes nearer to 1, and no probability is taken for less: their logarithms are finite.

PyClick has the same.
"""

ATTRACTIVENESS = "attractiveness"
EXAMINATION = "examination"
SATISFACTION = "satisfaction"
CONTINUATION = "continuation"
RATE = "rate"

ITEM, RANK, PREVIOUS, LEVEL = AXES = ("item", "rank", "previous", "level")
"""What parameters may differ by; ``previous``: the rank of the click above, 0 where none is."""


@dataclass(frozen=True, eq=False)
class Expected:
    """What is expected of the hidden events, given clicks and parameters.

    Parameters
    ----------
    yes, total : dict of array, shape (n, n_draws)
        By parameter: how often the event came, and how often it could have.
    log_likelihood : array, shape (n_draws,)
        Of the clicks under the parameters, in nats.
    """

    yes: Parameters
    total: Parameters
    log_likelihood: Floats


class Evidence(ABC):
    """What of a log a model needs, by row: a cell that is counted, or a page that is distinct."""

    @abstractmethod
    def count(self) -> tuple[Floats, ...]:
        """Return how often each row was seen, in arrays of shape (n_rows, 1)."""

    @abstractmethod
    def weigh(self, weights: Floats) -> tuple[Floats, ...]:
        """Return the same where sessions have weights of shape (n_sessions, n_draws)."""

    @abstractmethod
    def pool(self) -> "Evidence":
        """Return the evidence as if all items were one."""


class Walk(ABC):
    """Users on their way down lists, one on each page, as far as their clicks tell."""

    @abstractmethod
    def chance(self, rank: int) -> Floats:
        """Return the probability of a click at a rank, given those above, shape (n_pages,)."""

    @abstractmethod
    def see(self, rank: int, clicked: Mask) -> None:
        """Take in who clicked at a rank."""


E = TypeVar("E", bound=Evidence)


@dataclass(frozen=True, eq=False)
class Likelihood(ABC, Generic[E]):
    """A click model on a number of items, in lists up to a depth.

    Parameters
    ----------
    items, depth : int
    """

    items: int
    depth: int

    of_items: ClassVar[tuple[str, ...]] = ()
    """Parameters that differ by item, whose prior may be what holds for all items."""
    is_closed: ClassVar[bool] = False
    """Whether what is expected does not depend on the parameters: one step is all there is."""

    @property
    @abstractmethod
    def axes(self) -> dict[str, tuple[str, ...]]:
        """By which of ``AXES`` each parameter differs."""

    @property
    def sizes(self) -> dict[str, int]:
        """How many axes of what length: the length of each axis."""
        return {ITEM: self.items, RANK: self.depth, PREVIOUS: self.depth}

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a parameter."""
        return tuple(self.sizes[axis] for axis in self.axes[name]) or (1,)

    def held(self) -> dict[str, Integers]:
        """Return which values of each parameter are not estimated: they are 1."""
        return {}

    @abstractmethod
    def read(self, log: ClickLog) -> E:
        """Return what the model needs of a log."""

    @abstractmethod
    def expect(
        self, evidence: E, rows: tuple[Floats, ...], parameters: Parameters, *, tells: bool = True
    ) -> Expected:
        """Return what EM expects, with so many of each row of the evidence.

        The log-likelihood is left at 0 where it is not told.
        """

    def trials(
        self, evidence: E, rows: tuple[Floats, ...], parameters: Parameters
    ) -> dict[str, tuple[Floats, Floats]]:
        """Return of what differs by item how often it came, and could have, if all were seen."""
        expected = self.expect(evidence, rows, parameters)
        return {
            name: (expected.yes[name][:, 0], expected.total[name][:, 0]) for name in self.of_items
        }

    def profile(
        self, evidence: E, rows: tuple[Floats, ...], fitted: Parameters, grid: Floats
    ) -> Floats:
        """Return how likely the clicks of each item are, were it as attractive as the grid says.

        The other parameters are held. Here as if it were known how often the item was examined;
        models that can do so say it exactly.

        Returns
        -------
        array, shape (n_items, n_grid)
            Log-likelihoods, up to a constant of each item.
        """
        yes, examined = self.trials(evidence, rows, fitted)[ATTRACTIVENESS]
        no = np.maximum(examined - yes, 0)
        found: Floats = np.outer(yes, np.log(grid)) + np.outer(no, np.log1p(-grid))
        return found

    @abstractmethod
    def walk(self, parameters: Parameters, item: Integers) -> Walk:
        """Return users who begin at the top of lists of shape (n_pages, depth), by one draw."""

    @abstractmethod
    def marginal(self, parameters: Parameters, item: Integers) -> Floats:
        """Return the probability of a click, whatever happens above; shape (n_pages, depth)."""

    def tell(self, evidence: E) -> dict[str, "np.ndarray[tuple[int], np.dtype[np.object_]]"]:
        """Return why each value of a parameter cannot be told from the log, '' where it can."""
        return {}

    def notes(self, evidence: E) -> list[tuple[str, int, int]]:
        """Return what else holds of the estimates: a sentence, of how many values, out of."""
        return []


def sum_by(row_of: Integers, size: int) -> "csr_array":
    """Return the matrix that sums rows into groups, shape (size, n_rows); -1 is in none."""
    from scipy.sparse import csr_array

    inside = np.flatnonzero(row_of >= 0)
    ones = np.ones(len(inside))
    return csr_array((ones, (row_of[inside], inside)), shape=(size, len(row_of)))
