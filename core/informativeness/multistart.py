"""Solutions beyond the tabulated curves: the best of several searches from scattered starts."""

import numpy as np

from core.informativeness.batch import Batch
from core.informativeness.search import State, refine
from core.informativeness.stationary import TINY, IntentRows, entropy, logistic
from core.measures.ranked import Floats, Mask

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
