"""Expected values of measures when every rank is relevant with its own, independent probability."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.measures.ranked import Floats, Integers

_TINY = 1e-100
"""Stands in for a factor of 0, which products are divided by."""


@dataclass(frozen=True)
class Family(ABC):
    """One intent's share of a measure as a polynomial of the probabilities of relevance.

    The polynomial is linear in each single probability, so at probabilities of 0 and 1 it is the
    measure's value itself. ``curved`` says that it is not linear in all of them together,
    ``ordered`` that no probabilities have a lower value than all relevant documents last, and
    ``peaked`` that there is one maximum of entropy at each value.

    Parameters
    ----------
    discount : tuple of float
        What a relevant document at each rank is worth, 0 beyond a cut-off. Its length is the
        depth N.
    """

    discount: tuple[float, ...]

    curved: ClassVar[bool] = True
    ordered: ClassVar[bool] = True
    peaked: ClassVar[bool] = True

    @property
    def depth(self) -> int:
        """How many ranks there are (N)."""
        return len(self.discount)

    @property
    def weights(self) -> Floats:
        """The discounts as a column, shape (N, 1)."""
        return np.array(self.discount)[:, None]

    @abstractmethod
    def value(self, p: Floats, rret: Integers) -> Floats:
        """Return the expected values, shape (n,).

        Parameters
        ----------
        p : array of float, shape (N, n)
            Probability of relevance at each rank, in columns.
        rret : array of int, shape (n,)
            Relevant documents among the N; only the paper's recursion looks at it.
        """

    @abstractmethod
    def gradient(self, p: Floats, rret: Integers) -> Floats:
        """Return the derivative of the value for each probability, shape (N, n)."""

    def curvature(self, p: Floats, rret: Integers) -> Floats:
        """Return the second derivatives, shape (n, N, N): exact, since linear in each p."""
        both = []
        for value in (1.0, 0.0):
            fixed = np.repeat(p[:, None], self.depth, axis=1)
            fixed[np.arange(self.depth), np.arange(self.depth)] = value
            slope = self.gradient(fixed.reshape(self.depth, -1), np.tile(rret, self.depth))
            both.append(slope.reshape(fixed.shape))
        return (both[0] - both[1]).transpose(2, 0, 1)


@dataclass(frozen=True)
class Linear(Family):
    """Σ d_i p_i: precision, DCG and RBP of binary relevance."""

    curved = False

    def value(self, p: Floats, rret: Integers) -> Floats:
        """Return Σ d_i p_i, shape (n,)."""
        return np.asarray((self.weights * p).sum(axis=0))

    def gradient(self, p: Floats, rret: Integers) -> Floats:
        """Return d, shape (N, n)."""
        return np.broadcast_to(self.weights, p.shape)

    def curvature(self, p: Floats, rret: Integers) -> Floats:
        """Return zeros, shape (n, N, N)."""
        return np.zeros((p.shape[1], self.depth, self.depth))


@dataclass(frozen=True)
class AveragePrecision(Family):
    """Σ (p_i / i) (1 + Σ_{k<i} p_k): average precision times the number of relevant documents.

    Parameters
    ----------
    discount : tuple of float
        1 / i, 0 beyond a cut-off.

    References
    ----------
    Aslam, Yilmaz & Pavlu (2005), SIGIR, doi:10.1145/1076034.1076042.
    """

    def value(self, p: Floats, rret: Integers) -> Floats:
        """Return the expected sum of precisions, shape (n,)."""
        return np.asarray((self.weights * p * (1 + p.cumsum(axis=0) - p)).sum(axis=0))

    def gradient(self, p: Floats, rret: Integers) -> Floats:
        """Return d_i (1 + Σ_{k<i} p_k) + Σ_{k>i} d_k p_k, shape (N, n)."""
        later = (self.weights * p)[::-1].cumsum(axis=0)[::-1] - self.weights * p
        return self.weights * (1 + p.cumsum(axis=0) - p) + later

    def curvature(self, p: Floats, rret: Integers) -> Floats:
        """Return d_max(i, k) off the diagonal, shape (n, N, N)."""
        rank = np.arange(self.depth)
        laid = self.weights[np.maximum.outer(rank, rank), 0]
        np.fill_diagonal(laid, 0)
        return np.broadcast_to(laid, (p.shape[1], *laid.shape))


@dataclass(frozen=True)
class CascadeFamily(Family):
    """Σ α p_i d_i Π_{k<i} (1 − α p_k): a relevant document ends the search with chance α.

    Parameters
    ----------
    discount : tuple of float
        1 / i for ERR, β^(i − 1) for the cascade RBP, 1 / log2(i + 1) for α-DCG.
    alpha : float
        In [0, 1].

    Notes
    -----
    Since a gain fades by 1 − α with each relevant document before it and ranks are independent,
    this is the expectation exactly.
    """

    alpha: float = 0.5

    ordered = False

    def value(self, p: Floats, rret: Integers) -> Floats:
        """Return the expected value, shape (n,)."""
        going_on = (1 - self.alpha * p).cumprod(axis=0)
        return np.asarray((self._steps * (1 - going_on)).sum(axis=0))

    def gradient(self, p: Floats, rret: Integers) -> Floats:
        """Return the derivatives, shape (N, n)."""
        left, later = self._later(p)
        return self.alpha * later / left

    def curvature(self, p: Floats, rret: Integers) -> Floats:
        """Return the second derivatives, shape (n, N, N)."""
        left, later = self._later(p)
        rank, share = np.arange(self.depth), self.alpha / left.T
        laid = -later.T[:, np.maximum.outer(rank, rank)]
        laid *= share[:, :, None]
        laid *= share[:, None, :]
        laid[:, rank, rank] = 0
        return laid

    @property
    def _steps(self) -> Floats:
        """How much the discount falls after each rank, shape (N, 1)."""
        return -np.diff(self.weights, axis=0, append=0.0)

    def _later(self, p: Floats) -> tuple[Floats, Floats]:
        """Return 1 − α p, and the steps from each rank on times the chance to get there."""
        left = np.maximum(1 - self.alpha * p, _TINY)
        going_on = self._steps * left.cumprod(axis=0)
        return left, going_on[::-1].cumsum(axis=0)[::-1]


@dataclass(frozen=True)
class Recursion(CascadeFamily):
    """Ashkan & Clarke's recursion (their equation 8), with the α their printed gain lacks.

    T(i, r) = p_i (T(i − 1, r − 1) + α (1 − α)^(r − 1) d_i) + (1 − p_i) T(i − 1, r), and 0 for
    r > i; the value is T(N, Rret). It takes for granted that exactly Rret documents are relevant,
    and so is not the expectation where that number is itself uncertain: N = 2, Rret = 1,
    p = (.5, .5) and d = 1 / i give .25, the expectation is .34375. The entropy has local maxima
    for a given value.

    References
    ----------
    Ashkan & Clarke (2011), WWW, pp. 407–416, doi:10.1145/1963405.1963464.
    """

    peaked = False

    def value(self, p: Floats, rret: Integers) -> Floats:
        """Return T(N, Rret), shape (n,)."""
        return self._tables(p)[-1][rret, np.arange(p.shape[1])]

    def gradient(self, p: Floats, rret: Integers) -> Floats:
        """Return the derivatives of T(N, Rret), shape (N, n)."""
        slope, table = np.empty_like(p), self._tables(p)
        # How much each cell of the table's last row, then of the row before …, counts.
        share = np.zeros_like(table[0])
        share[rret, np.arange(p.shape[1])] = 1
        for at in range(self.depth - 1, -1, -1):
            share[at + 2 :] = 0
            seen = table[at][:-1] + self._gains(at)
            slope[at] = (share[1:] * (seen - table[at][1:])).sum(axis=0)
            share[:-1] = (1 - p[at]) * share[:-1] + p[at] * share[1:]
            share[-1] *= 1 - p[at]
        return slope

    def curvature(self, p: Floats, rret: Integers) -> Floats:
        """Return the second derivatives, shape (n, N, N)."""
        return Family.curvature(self, p, rret)

    def _gains(self, at: int) -> Floats:
        """Return the gain of one more relevant document after 0, 1 … others, shape (N, 1)."""
        before = np.arange(self.depth)[:, None]
        return np.asarray(self.alpha * (1 - self.alpha) ** before * self.discount[at])

    def _tables(self, p: Floats) -> list[Floats]:
        """Return T(0, ·), T(1, ·) … T(N, ·), each of shape (N + 1, n)."""
        rows = [np.zeros((self.depth + 1, p.shape[1]))]
        for at in range(self.depth):
            row = (1 - p[at]) * rows[-1]
            row[1:] += p[at] * (rows[-1][:-1] + self._gains(at))
            row[at + 2 :] = 0
            rows.append(row)
        return rows
