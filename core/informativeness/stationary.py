"""How far rows of probabilities are from maximum entropy, and the Newton step that gets there."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.informativeness.families import Family
from core.measures.ranked import Floats, Integers, Mask

TINY = 1e-100
"""Keeps sums of variances that have run out of digits from being divided by."""


_NUDGE = 1e-9
_ROUNDING = 1e-7
_CERTAIN = 1e-7


@dataclass(frozen=True, eq=False)
class IntentRows:
    """Probabilities of one intent each, beside the condition logit p = λ + ν ∂E/∂p, Σ p = Rret.

    That condition makes the entropy Σ H(p) + ν E(p) stationary. λ is not kept: the best one at
    hand follows from the rest.

    Parameters
    ----------
    family : Family
        Gives E.
    rret : array of int, shape (n,)
        Relevant documents among the N ranks of each row.
    nu : array of float, shape (n,)
        How much E weighs against entropy, ν.
    logit : array of float, shape (N, n)
        Log odds of relevance, one column a row.
    flat : bool, default False
        Take E for linear: its curvature is left out.
    """

    family: Family
    rret: Integers
    nu: Floats
    logit: Floats
    flat: bool = False

    @property
    def curved(self) -> bool:
        """Whether a curvature of E is to be minded."""
        return self.family.curved and not self.flat

    @cached_property
    def p(self) -> Floats:
        """The probabilities, shape (N, n)."""
        return logistic(self.logit)

    @cached_property
    def value(self) -> Floats:
        """E, shape (n,)."""
        return self.family.value(self.p, self.rret)

    @cached_property
    def spread(self) -> Floats:
        """The standard deviation sqrt(p (1 − p)) of each rank's relevance, shape (N, n)."""
        return np.sqrt(self.p * logistic(-self.logit))

    @cached_property
    def gradient(self) -> Floats:
        """∂E/∂p, shape (N, n)."""
        return self.family.gradient(self.p, self.rret)

    @cached_property
    def slope(self) -> Floats:
        """∂E/∂p less its mean by variance, which λ makes up for, shape (N, n)."""
        return self.gradient - self._mean(self.gradient)

    @cached_property
    def gap(self) -> Floats:
        """What logit p − ν ∂E/∂p differs from a constant by, shape (N, n)."""
        beyond = self.logit - self.nu * self.slope
        return beyond - self._mean(beyond)

    @cached_property
    def surplus(self) -> Floats:
        """Σ p − Rret, shape (n,)."""
        return np.asarray(self.p.sum(axis=0) - self.rret)

    @property
    def error(self) -> Floats:
        """The largest gap that matters, shape (n,); where ν is huge, in units of its rounding."""
        unit = np.maximum(1.0, _ROUNDING * np.abs(self.nu))
        # Certain ranks matter a little, too: any list of certain ranks would do otherwise.
        matters = np.maximum(self.spread, _CERTAIN)
        return np.asarray(np.abs(matters * self.gap).max(axis=0) / unit)

    @cached_property
    def pull(self) -> Floats:
        """ν times the second derivatives of E, shape (n, N, N)."""
        return self.nu[:, None, None] * self.family.curvature(self.p, self.rret)

    @cached_property
    def stiffness(self) -> Floats:
        """The curvature I − ν S ∂²E S of the entropy in units of the spread S, (n, N, N)."""
        spread = self.spread.T
        matrix = -self.pull
        matrix *= spread[:, :, None]
        matrix *= spread[:, None, :]
        rank = np.arange(self.family.depth)
        matrix[:, rank, rank] += 1
        return matrix

    @cached_property
    def responses(self) -> tuple[Floats, Floats, Floats]:
        """How p answers to a change of λ, of ν and of the gap itself, each of shape (N, n)."""
        wanted = np.stack([np.ones_like(self.slope), self.slope, self.gap])
        wanted *= self.spread
        if self.curved:
            wanted = _solve(self.stiffness, wanted.transpose(2, 1, 0)).transpose(2, 1, 0)
        first, second, third = self.spread * wanted
        return first, second, third

    def step(self, nu: Floats) -> Floats:
        """Return the change of the log odds that closes the gaps while ν changes, shape (N, n).

        Parameters
        ----------
        nu : array of float, shape (n,)
            The change of ν.
        """
        level, slope, gap = self.responses
        shift = (gap - nu * slope).sum(axis=0) - self.surplus
        shift /= level.sum(axis=0) + TINY
        change: Floats = nu * self.slope + shift - self.gap
        if self.curved:
            p = nu * slope + shift * level - gap
            change += np.matmul(self.pull, p.T[:, :, None])[:, :, 0].T
        return change

    def gains(self) -> tuple[Floats, Floats]:
        """Return the change of E by a step with ν kept, and by unit of ν, each of shape (n,)."""
        level, slope, gap = self.responses
        mean = (self.slope * level).sum(axis=0) / (level.sum(axis=0) + TINY)
        # Σ slope · response to λ and Σ response to ν are the same: the stiffness is symmetric.
        kept = mean * (gap.sum(axis=0) - self.surplus) - (self.slope * gap).sum(axis=0)
        kept -= self._mean(self.gradient) * self.surplus
        return kept, (self.slope * (slope - mean * level)).sum(axis=0)

    def take(self, rows: Mask) -> "IntentRows":
        """Return these rows only."""
        return IntentRows(
            self.family, self.rret[rows], self.nu[rows], self.logit[:, rows], self.flat
        )

    def _mean(self, values: Floats) -> Floats:
        """Return the mean by variance over the ranks, shape (n,)."""
        variance = self.spread**2
        mean: Floats = (variance * values).sum(axis=0) / (variance.sum(axis=0) + TINY)
        return mean


def logistic(logit: Floats) -> Floats:
    """Return 1 / (1 + e^−x), without overflow."""
    return 1 / (1 + np.exp(np.minimum(-logit, 700)))


def entropy(p: Floats) -> Floats:
    """Return Σ H(p) in nats, shape (n,), at least 0.

    Parameters
    ----------
    p : array of float, shape (N, n)
        Probabilities in [0, 1]; NaN leads to NaN.
    """
    surprise = _surprise(p) + _surprise(1 - p)
    total: Floats = surprise.sum(axis=0)
    return total


def _surprise(p: Floats) -> Floats:
    """Return −p log p, 0 at 0."""
    return np.asarray(-p * np.log(np.where(p > 0, p, 1.0)))


def _solve(matrix: Floats, wanted: Floats) -> Floats:
    """Return the solutions of many systems; one that has none must not end all others."""
    try:
        return np.asarray(np.linalg.solve(matrix, wanted))
    except np.linalg.LinAlgError:
        nudged = matrix + _NUDGE * np.eye(matrix.shape[1])
        return np.asarray(np.linalg.solve(nudged, wanted))
