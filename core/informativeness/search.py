"""From an observed value to the probabilities: a root on the tabulated curves, then Newton.

scipy's SLSQP solves one problem a call; a study has thousands, which are solved side by side here.
``tests.bench.informativeness`` prints how many times faster that is, and the tests compare the two.
"""

from dataclasses import dataclass

import numpy as np

from core.informativeness.batch import Batch
from core.informativeness.curves import Curves
from core.informativeness.stationary import TINY, IntentRows
from core.measures.ranked import Floats, Mask

_ROUNDS = 60
_CLOSE = 1e-3
"""How much of the distance to the nearer bound the start may miss the value by."""

_NEAR = 1e-7
_CORRECTIONS = 12
_EXACT = 1e-12
_FAR = 1e12
_STATIONARY = 1e-8


@dataclass(frozen=True, eq=False)
class State:
    """Where problems stand: the log odds and how much the measure weighs.

    Parameters
    ----------
    logit : array of float, shape (N, n_rows)
        Log odds of relevance.
    mu : array of float, shape (n_problems,)
        μ: the weight of a problem's value against its entropy.
    """

    logit: Floats
    mu: Floats

    def replace(self, problems: Mask, rows: Mask, other: "State") -> "State":
        """Return this state with some problems, and their rows, from another."""
        logit = np.where(rows, other.logit, self.logit)
        return State(logit, np.where(problems, other.mu, self.mu))


def find_start(batch: Batch, curves: Curves, room: Floats) -> State:
    """Return the position on the tabulated curves where the expected value is the observed one.

    Parameters
    ----------
    batch : Batch
        Problems whose rows all have 0 < Rret < N.
    curves : Curves
        Those of the family.
    room : array of float, shape (n_problems,)
        How far the value is from the nearer of its bounds.

    Returns
    -------
    State
        Within the accuracy of the table; a curve's end where it breaks off before the value.
    """
    heaviest = batch.largest(batch.weight)
    share = batch.weight / heaviest[batch.problem]
    t = _find_root(batch, curves, share, np.minimum(_CLOSE * room, _NEAR))
    mu = np.sinh(t) / heaviest
    return State(curves.logits_at(batch.rret, np.arcsinh(batch.weight * mu[batch.problem])), mu)


def _find_root(batch: Batch, curves: Curves, share: Floats, close: Floats) -> Floats:
    """Return asinh of μ times the largest weight, by Newton's method between two bounds."""
    low, high = _bracket(batch, curves, share)
    t: Floats = np.clip(0.0, low, high)
    at = np.arange(len(t))
    for _ in range(_ROUNDS):
        value, slope = _value_at(batch, curves, share, t[at])
        missing = batch.value - value
        open_ = np.abs(missing) > close[at]
        if not open_.all():
            share, at, missing, slope = (
                share[batch.rows_of(open_)],
                at[open_],
                missing[open_],
                slope[open_],
            )
            batch = batch.take(open_)
        if not at.size:
            break
        below = missing > 0
        low[at], high[at] = np.where(below, t[at], low[at]), np.where(below, high[at], t[at])
        ahead = t[at] + missing / np.maximum(slope, TINY)
        inside = (ahead > low[at]) & (ahead < high[at])
        t[at] = np.where(inside, ahead, (low[at] + high[at]) / 2)
    return t


def _bracket(batch: Batch, curves: Curves, share: Floats) -> tuple[Floats, Floats]:
    """Return between which bounds all rows of a problem are on their curves."""
    low, high = (np.arcsinh(np.sinh(end) / share) for end in curves.span(batch.rret))
    return batch.largest(low), -batch.largest(-high)


def _value_at(batch: Batch, curves: Curves, share: Floats, t: Floats) -> tuple[Floats, Floats]:
    """Return the problems' expected values and their derivatives for t."""
    nu = share * np.sinh(t)[batch.problem]
    value, slope = curves.values_at(batch.rret, np.arcsinh(nu))
    slope *= share / np.sqrt(1 + nu**2)
    return batch.total(value), batch.total(slope) * np.cosh(t)


def refine(batch: Batch, state: State) -> tuple[State, Mask]:
    """Return the solutions that Newton's method finds from here, and which it found.

    Parameters
    ----------
    batch : Batch
        Problems whose rows all have 0 < Rret < N.
    state : State
        A start close enough.

    Returns
    -------
    State
        Both constraints hold to 1e-12, the condition of stationarity to 1e-8.
    array of bool, shape (n_problems,)
        Which problems are solved.
    """
    logit, mu = state.logit.copy(), state.mu.copy()
    at, columns = np.arange(len(mu)), np.arange(logit.shape[1])
    for _ in range(_CORRECTIONS):
        nu = batch.weight * mu[at][batch.problem]
        rows = IntentRows(batch.family, batch.rret, nu, logit[:, columns])
        missing = batch.value - batch.total(rows.value)
        open_ = ~_is_solved(batch, rows, missing)
        if not open_.all():
            kept = batch.rows_of(open_)
            at, columns, missing = at[open_], columns[kept], missing[open_]
            batch, rows = batch.take(open_), rows.take(kept)
        if not at.size:
            break
        gain, rise = rows.gains()
        change = (missing - batch.total(gain)) / (batch.total(batch.weight * rise) + TINY)
        step = rows.step(batch.weight * change[batch.problem])
        # What runs away is not to overflow: it is given up all the same.
        mu[at] = np.clip(mu[at] + change, -_FAR, _FAR)
        logit[:, columns] = np.clip(rows.logit + step, -_FAR, _FAR)
    solved = np.ones(len(mu), dtype=np.bool_)
    solved[at] = False
    return State(logit, mu), solved


def _is_solved(batch: Batch, rows: IntentRows, missing: Floats) -> Mask:
    """Return which problems are done, shape (n_problems,)."""
    scale = np.maximum(1.0, np.abs(batch.value))
    sum_, error = batch.largest(np.abs(rows.surplus)), batch.largest(rows.error)
    return (np.abs(missing) < _EXACT * scale) & (sum_ < _EXACT) & (error < _STATIONARY)
