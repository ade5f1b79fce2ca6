"""The most even probabilities that agree with what is known of a ranking: maximum entropy."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.informativeness.batch import Batch
from core.informativeness.curves import Curves, tabulate_curves
from core.informativeness.search import State, find_start, refine
from core.informativeness.stationary import TINY, IntentRows, entropy, logistic
from core.measures.ranked import Floats, Integers, Mask

STATUS = {
    "solved": "the probabilities of maximum entropy",
    "fixed": "no rank or every rank is relevant: there is nothing to infer",
    "vertex": "the value is the lowest or highest possible, so only one set of probabilities has "
    "it",
    "infeasible": "no probabilities have this value with so many relevant documents",
    "unsolved": "no solution was found: the search did not reach the value",
}
"""What can become of a problem."""

SOLVED, FIXED, VERTEX, INFEASIBLE, UNSOLVED = range(len(STATUS))

CHUNK, SLOW_CHUNK = 2048, 256
"""How many problems are solved between two reports of progress; fewer that have local maxima."""

_EXACT = 1e-9
"""How far a value may be beyond what is possible before it counts as infeasible."""

_ROUNDING = 1e-13
"""A value this close to its bound is the bound."""


@dataclass(frozen=True, eq=False)
class Solution:
    """What was inferred, problem by problem.

    Parameters
    ----------
    p : array of float, shape (N, n_rows)
        Probability of relevance at each rank, in [0, 1]; NaN where there is none.
    status : array of int, shape (n_problems,)
        The position in ``STATUS``.
    reason : array of str, shape (n_problems,)
        Why there are no probabilities, else ''.
    entropy : array of float, shape (n_problems,)
        Their entropy in nats, at least 0; NaN where there are none.
    """

    p: Floats
    status: Integers
    reason: "np.ndarray[tuple[int], np.dtype[np.object_]]"
    entropy: Floats


def solve(batch: Batch, progress: Callable[[float], None] | None = None) -> Solution:
    """Infer the probabilities of relevance of many problems.

    Parameters
    ----------
    batch : Batch
        Problems of one measure, in any number.
    progress : callable, optional
        Told the share done, from 0 to 1, now and then; what it raises ends the work.

    Returns
    -------
    Solution
        Where solved, both constraints hold to 1e-9. With exact expectations the entropy is the
        highest there is; with the paper's recursion, which has local maxima, it is the highest
        of those found.

    References
    ----------
    Aslam, Yilmaz & Pavlu (2005), SIGIR, doi:10.1145/1076034.1076042; Ashkan & Clarke (2011), WWW,
    pp. 407–416, doi:10.1145/1963405.1963464.
    """
    count, parts = len(batch.value), []
    size = CHUNK if batch.family.peaked else SLOW_CHUNK
    for start in range(0, count, size):
        stop = min(start + size, count)
        parts.append(_solve_part(batch.part(start, stop)))
        if progress is not None:
            progress(stop / count)
    if not parts:
        empty = np.zeros(0)
        return Solution(
            np.zeros((batch.family.depth, 0)), empty.astype(np.int64), empty.astype(object), empty
        )
    p, status, reason, reached = (
        np.concatenate([getattr(part, name) for part in parts], axis=-1)
        for name in ("p", "status", "reason", "entropy")
    )
    return Solution(p, status, reason, reached)


def _solve_part(batch: Batch) -> Solution:
    """Take apart what is given and what is to be found."""
    depth = batch.family.depth
    p = np.repeat(batch.rret[None] / depth, depth, axis=0)
    free = (batch.rret > 0) & (batch.rret < depth)
    open_ = batch.largest(free.astype(np.float64)) > 0
    given = batch.total(np.where(free, 0.0, batch.family.value(p, batch.rret)))
    left = np.where(open_ & np.isfinite(batch.value), batch.value - given, 0.0)
    low, high = given.copy(), given.copy()
    status = np.full(len(given), FIXED)
    if open_.any():
        rest = batch.rest(open_, free, left)
        found, status[open_], bounds = _solve_free(rest)
        p[:, free] = found
        low[open_] += bounds[0]
        high[open_] += bounds[1]
    impossible = _is_beyond(batch.value, low, high)
    status[impossible] = INFEASIBLE
    reason = np.full(len(status), "", dtype=object)
    for at in np.flatnonzero(impossible):
        reason[at] = _explain(batch.value[at], low[at], high[at])
    reason[status == UNSOLVED] = STATUS["unsolved"]
    lost = (status == INFEASIBLE) | (status == UNSOLVED)
    p[:, lost[batch.problem]] = np.nan
    return Solution(p, status, reason, batch.sum(entropy(p)))


def _solve_free(batch: Batch) -> tuple[Floats, Integers, Floats]:
    """Return the probabilities, what became of each problem, and the bounds of its value."""
    curves = tabulate_curves(batch.family)
    bounds = np.stack([batch.total(bound[batch.rret - 1]) for bound in curves.bounds])
    low, high = bounds
    p = np.repeat(batch.rret[None] / batch.family.depth, batch.family.depth, axis=0)
    status = np.full(len(low), SOLVED)
    near = _ROUNDING * np.maximum(1.0, np.abs(high))
    idle = high - low <= near
    for side, reached in enumerate((batch.value <= low + near, batch.value >= high - near)):
        ended = reached & ~idle
        status[ended] = VERTEX
        rows = batch.rows_of(ended)
        p[:, rows] = curves.extremes[side][batch.rret[rows] - 1].T
    open_ = ~idle & (status == SOLVED)
    if open_.any():
        room = np.minimum(batch.value - low, high - batch.value)[open_]
        p[:, batch.rows_of(open_)], solved = _search(batch.take(open_), curves, room)
        status[open_] = np.where(solved, SOLVED, UNSOLVED)
    return p, status, bounds


def _search(batch: Batch, curves: Curves, room: Floats) -> tuple[Floats, Mask]:
    """Return the probabilities and which problems are solved: from the table, else widely.

    With local maxima the solution from the table need not be the best, and all are searched.
    """
    state, solved = refine(batch, find_start(batch, curves, room))
    p = logistic(state.logit)
    open_ = ~solved if batch.family.peaked else np.ones_like(solved)
    if open_.any():
        rows = batch.rows_of(open_)
        known = State(state.logit[:, rows], state.mu[open_])
        best, solved[open_] = search_widely(batch.take(open_), known, solved[open_])
        p[:, rows] = logistic(best.logit)
    return p, solved


def _is_beyond(value: Floats, low: Floats, high: Floats) -> Mask:
    """Return which values are out of bounds by more than rounding, or no number."""
    within = _EXACT * np.maximum(1.0, np.abs(high))
    return ~((value >= low - within) & (value <= high + within))


def _explain(value: float, low: float, high: float) -> str:
    if not np.isfinite(value):
        return "the measure has no value here"
    side, bound = ("above", high) if value > high else ("below", low)
    end = "highest" if value > high else "lowest"
    return (
        f"{value:.12g} is {side} {bound:.12g}, the {end} value with so many relevant documents; "
        "is it rounded, or of another depth?"
    )


_STARTS, _STEPS = 64, 100
"""Starts for every problem, and steps from each."""

_NEARBY = (0.2, 0.5)
"""Every other start is the best solution so far with such a share of its rows scattered anew."""

_LEAN, _SURE, _SCATTER = 1.5, 6.0, 0.5
"""How much a start may favour a rank over the next, how sure it may be of its list in log odds,
and the standard deviation of what is added to these."""

_DAMPING, _LONGEST = 0.3, 1.5
"""The share of a step that is taken, and the most that log odds may change by it."""


def search_widely(batch: Batch, known: State, solved: Mask) -> tuple[State, Mask]:
    """Return the solution of the highest entropy that several searches come upon.

    Where a curve breaks off, and with the paper's recursion, there is more than one local maximum,
    and none is known to be the highest. The starts are the same in every call.

    Parameters
    ----------
    batch : Batch
        Problems whose rows all have 0 < Rret < N.
    known : State
        What has been found before.
    solved : array of bool, shape (n_problems,)
        Which problems that solves.

    Returns
    -------
    State
        The best solution of each problem.
    array of bool, shape (n_problems,)
        Which problems have one.
    """
    depth, rng = batch.family.depth, np.random.default_rng(0)
    logit = np.repeat(np.log(batch.rret / (depth - batch.rret))[None], depth, axis=0)
    best = known
    highest = np.where(solved, batch.sum(entropy(logistic(known.logit))), -np.inf)
    for start in range(_STARTS):
        state, found = refine(batch, _approach(batch, logit))
        reached = batch.sum(entropy(logistic(state.logit)))
        better = found & (reached > highest)
        highest = np.where(better, reached, highest)
        best = best.replace(better, better[batch.problem], state)
        logit = _scatter(batch, rng)
        if start % 2:
            kept = rng.random(len(batch.rret)) > _NEARBY[start // 2 % 2]
            kept &= np.isfinite(highest)[batch.problem]
            logit = np.where(kept, np.clip(best.logit, -_SURE, _SURE), logit)
    return best, np.isfinite(highest)


def _scatter(batch: Batch, rng: np.random.Generator) -> Floats:
    """Return log odds about those of random lists with more relevant documents at the top."""
    shape = batch.family.depth, len(batch.rret)
    drawn = rng.gumbel(size=shape) - rng.uniform(0, _LEAN) * np.arange(shape[0])[:, None]
    position = (-drawn).argsort(axis=0).argsort(axis=0)
    sure = rng.uniform(_SCATTER, _SURE)
    return np.where(position < batch.rret, sure, -sure) + rng.normal(0, _SCATTER, shape)


def _approach(batch: Batch, logit: Floats) -> State:
    """Take many short steps towards both constraints and the condition, as if E were linear."""
    mu = np.zeros(len(batch.value))
    for _ in range(_STEPS):
        rows = IntentRows(
            batch.family, batch.rret, batch.weight * mu[batch.problem], logit, flat=True
        )
        gain, rise = rows.gains()
        missing = batch.value - batch.total(rows.value + gain)
        change = missing / (batch.total(batch.weight * rise) + TINY)
        step = rows.step(batch.weight * change[batch.problem])
        longest = batch.largest(np.abs(step).max(axis=0))
        share = np.minimum(_DAMPING, _LONGEST / np.maximum(longest, _LONGEST))
        logit, mu = logit + share[batch.problem] * step, mu + share * change
    return State(logit, mu)
