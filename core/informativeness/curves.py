"""Tabulated curves: the probabilities of maximum entropy by how much the measure weighs."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.informativeness.families import Family
from core.informativeness.stationary import TINY, IntentRows, logistic
from core.measures.ranked import Floats, Integers, Mask

_NODES, _STEP = 230, 0.1
"""ν = sinh t is tabulated at so many nodes on either side of 0, in steps of t: to ν = 5e9."""

_CORRECTIONS = 8
_TIDY, _ACCURATE = 1e-10, 1e-8
"""The error at which a node is no longer corrected, and the most it may keep."""

_STABLE = 1e-6
"""With less curvature than this in some direction, the entropy is at no clear maximum."""

_JUMP = 0.1
"""A probability that differs by more from what the last node predicts is on another curve."""

_SATURATED = 30.0
"""Log odds beyond which a probability at the end of a curve counts as 0 or 1."""

_ALIKE = 1e-6
"""An end that differs by no more from a list is that list."""

_ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class Curves:
    """For every Rret from 1 to N − 1 the way of maximum entropy as ν goes from −∞ to ∞.

    Parameters
    ----------
    logit, logit_slope : array of float, shape (N − 1, n_nodes, N)
        Log odds, and their derivative for t, where ν = sinh t.
    value, value_slope : array of float, shape (N − 1, n_nodes)
        Expected value of the measure, and its derivative for t.
    first, last : array of int, shape (N − 1,)
        The nodes between which a curve could be followed; beyond them the maximum breaks off.
    extremes : array of float, shape (2, N − 1, N)
        The probabilities at the lowest and at the highest value there is.
    bounds : array of float, shape (2, N − 1)
        These two values; −∞ where the lowest is not known.
    """

    logit: Floats
    logit_slope: Floats
    value: Floats
    value_slope: Floats
    first: Integers
    last: Integers
    extremes: Floats
    bounds: Floats

    def span(self, rret: Integers) -> tuple[Floats, Floats]:
        """Return the smallest and the largest t of these curves, each of shape (n,)."""
        low, high = self.first[rret - 1] - _NODES, self.last[rret - 1] - _NODES
        return np.asarray(_STEP * low), np.asarray(_STEP * high)

    def values_at(self, rret: Integers, t: Floats) -> tuple[Floats, Floats]:
        """Return the expected values and their derivatives for t, each of shape (n,)."""
        at, u = self._place(rret, t)
        value, slope = self.value.ravel(), self.value_slope.ravel()
        rise = value[at + 1] - value[at]
        start, end = _STEP * slope[at] - rise, rise - _STEP * slope[at + 1]
        bend = (1 - u) * start + u * end
        change = rise + (1 - 2 * u) * bend + u * (1 - u) * (end - start)
        return value[at] + u * (rise + (1 - u) * bend), change / _STEP

    def logits_at(self, rret: Integers, t: Floats) -> Floats:
        """Return the log odds, shape (N, n)."""
        at, u = self._place(rret, t)
        u = u[:, None]
        logit, slope = (each.reshape(-1, each.shape[2]) for each in (self.logit, self.logit_slope))
        rise = logit[at + 1] - logit[at]
        start, end = _STEP * slope[at] - rise, rise - _STEP * slope[at + 1]
        found = logit[at] + u * (rise + (1 - u) * ((1 - u) * start + u * end))
        return np.ascontiguousarray(found.T)

    def _place(self, rret: Integers, t: Floats) -> tuple[Integers, Floats]:
        """Return the node at or before t, of all curves in one row, and how far t is beyond."""
        curve, position = rret - 1, t / _STEP + _NODES
        node = np.clip(position.astype(np.int64), self.first[curve], self.last[curve] - 1)
        return curve * self.value.shape[1] + node, position - node


@lru_cache(maxsize=64)
def tabulate_curves(family: Family) -> Curves:
    """Follow the maximum of entropy from p = Rret / N, where ν is 0, towards ν = ±∞.

    Parameters
    ----------
    family : Family
        Of depth 2 or more.

    Returns
    -------
    Curves
        Kept for the next call.
    """
    # What comes after a break is not a number, and quietly stays so.
    with np.errstate(over="ignore", invalid="ignore"):
        nodes = list(_follow(family))
    logit, logit_slope, *others = (_join(np.stack(column)) for column in zip(*nodes, strict=True))
    value, value_slope = (column[:, :, 0] for column in others)
    known = np.isfinite(value)
    first = known.argmax(axis=1)
    last = known.shape[1] - 1 - known[:, ::-1].argmax(axis=1)
    extremes, bounds = _find_extremes(family, logit, first, last)
    return Curves(logit, logit_slope, value, value_slope, first, last, extremes, bounds)


def _follow(family: Family) -> Iterator[tuple[Floats, Floats, Floats, Floats]]:
    """Yield log odds, value and their slopes node by node, upwards and downwards side by side.

    Where a maximum breaks off, all that comes after it is NaN.
    """
    depth = family.depth
    rret = np.tile(np.arange(1, depth), 2)
    sign = np.repeat([1.0, -1.0], depth - 1)
    logit = np.repeat(np.log(rret / (depth - rret))[None], depth, axis=0)
    for node in range(_NODES + 1):
        t = sign * _STEP * node
        rows = _correct(IntentRows(family, rret, np.sinh(t), logit))
        lost = ~_is_maximum(rows) | (np.abs(rows.p - logistic(logit)).max(axis=0) > _JUMP)
        turn = np.cosh(t) * (rows.step(np.ones_like(t)) - rows.step(np.zeros_like(t)))
        gain = np.cosh(t) * rows.gains()[1]
        found = (rows.logit, turn, rows.value[None], gain[None])
        logit, turn, value, gain = (np.where(lost, np.nan, each) for each in found)
        yield logit, turn, value, gain
        logit = logit + sign * _STEP * turn


def _correct(rows: IntentRows) -> IntentRows:
    """Return the rows with ν kept and the entropy stationary, or what came of trying."""
    for _ in range(_CORRECTIONS):
        if not (rows.error + np.abs(rows.surplus) > _TIDY).any():
            break
        rows = IntentRows(
            rows.family, rows.rret, rows.nu, rows.logit + rows.step(np.zeros_like(rows.nu))
        )
    return rows


def _is_maximum(rows: IntentRows) -> Mask:
    """Return where the entropy is at a maximum and not merely stationary, shape (n,)."""
    settled = rows.error < _ACCURATE
    direction = rows.spread.T[settled, :, None]
    direction = direction / np.sqrt((direction**2).sum(axis=1, keepdims=True) + TINY)
    along = direction * direction.swapaxes(1, 2)
    across = np.eye(rows.family.depth) - along
    settled[settled] = (
        np.linalg.eigvalsh(across @ rows.stiffness[settled] @ across + along)[:, 0] > _STABLE
    )
    return settled


def _join(column: Floats) -> Floats:
    """Return nodes × ranks × (upward and downward curves) as curves × nodes × ranks."""
    upwards, downwards = np.split(column, 2, axis=2)
    return np.ascontiguousarray(np.concatenate([downwards[:0:-1], upwards]).transpose(2, 0, 1))


def _find_extremes(
    family: Family, logit: Floats, first: Integers, last: Integers
) -> tuple[Floats, Floats]:
    """Return the probabilities at the lowest and highest values, and these values.

    They are where a curve leads that was followed all the way, or, where that ends at a list,
    all relevant documents last or first.
    """
    rret, curve = np.arange(1, family.depth), np.arange(family.depth - 1)
    rank = np.arange(family.depth)[:, None]
    sides = ((-1, first, rank >= family.depth - rret), (1, last, rank < rret))
    extremes, bounds = [], []
    for sign, end, listed in sides:
        x = logit[curve, end].T
        followed = np.where(np.abs(x) > _SATURATED, x > 0, logistic(x))
        value, limit = family.value(listed.astype(np.float64), rret), family.value(followed, rret)
        whole = np.abs(end - _NODES) == _NODES
        beyond = sign * (limit - value) > -_ROUNDING
        apart = np.abs(followed - listed).max(axis=0) > _ALIKE
        kept = whole & beyond & apart
        extremes.append(np.where(kept, followed, listed).T)
        unknown = ~whole & (sign < 0) & (not family.ordered)
        bounds.append(np.where(unknown, -np.inf, np.where(kept, limit, value)))
    return np.stack(extremes), np.stack(bounds)
