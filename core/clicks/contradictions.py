"""Which results people and clicks contradict each other about most: a list to look at."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.clicks.click_log import ClickLog, Floats, Mask
from core.clicks.fitting import Fit
from core.clicks.likelihood import ATTRACTIVENESS
from core.errors import BadInput, TooLittleData
from core.wording import count

HIGH, LOW = SIDES = ("judged high, hardly clicked", "judged low, clicked")
LEAST_SESSIONS = 10
"""Of one list .1 of results were listed, at .56, where none contradicted; of ten .007, at .59."""

LIKELY = 0.5
"""What is less likely than not is not listed."""

_GRID = 1 / (1 + np.exp(-np.linspace(-7, 7, 71)))
_MEANS, _STRENGTHS = _GRID[15:60], 2.0 ** np.arange(0, 8.5, 0.5)


def _spread() -> Floats:
    """Return beta distributions on the grid, which is even in log odds; one a row."""
    mean, strength = (one.ravel()[:, np.newaxis] for one in np.meshgrid(_MEANS, _STRENGTHS))
    logs = strength * (mean * np.log(_GRID) + (1 - mean) * np.log1p(-_GRID))
    share = np.exp(logs - logs.max(axis=1, keepdims=True))
    found: Floats = share / share.sum(axis=1, keepdims=True)
    return found


_SPREADS = _spread()
_BLOCK = 2**14
_LEAST = 1e-3
"""A distribution that is so much less likely than the best plays no part."""


@dataclass(frozen=True, eq=False)
class Contradictions:
    """Results about which people and clicks contradict each other.

    Attributes
    ----------
    frame : DataFrame
        A row a result, the most likely contradiction first: ``query, item, level, side`` (one of
        ``SIDES``), ``shown, clicks, examined`` (how often the model expects it was examined),
        ``attractiveness`` (posterior mean), ``probability`` that it contradicts, and
        ``false_share``: the share of this and all rows above that are expected to be chance.
    high_mean, low_mean : float
        Mean attractiveness of results judged at least ``cut``, and below it.
    cut : float
        The level from which results count as high.
    compared : int
        How many judged results were looked at.
    """

    frame: pd.DataFrame
    high_mean: float
    low_mean: float
    cut: float
    compared: int


def find_contradictions(fit: Fit, log: ClickLog, levels: Floats, cut: float) -> Contradictions:
    """Find results whose clicks say the opposite of their level.

    A result judged high contradicts if it is less attractive than results judged low are on
    average, and one judged low if it is more attractive than those judged high are.

    Parameters
    ----------
    fit : Fit
        Of a model with attractiveness.
    log : ClickLog
        What it was fitted to.
    levels : array of float, shape (n_items,)
        NaN where nobody judged.
    cut : float
        Results of at least this level are high.

    Returns
    -------
    Contradictions
        Only those that are more likely than not.

    Raises
    ------
    BadInput
        The model has no attractiveness.
    TooLittleData
        There are fewer than 10 sessions; no result is high, or none is low, or no judged one was
        clicked; or those judged high are on average no more attractive.

    Notes
    -----
    How attractive high results are, and low ones, is a beta distribution each, on a grid of log
    odds; its mean and strength are averaged over a grid by how likely they make all clicks
    (hierarchical Bayes, all of the grid alike beforehand). What the model says of examination is
    held. So probabilities allow for how many results are looked at, and a list has as its expected
    false share the mean of one less them.

    References
    ----------
    Gelman, Carlin, Stern, Dunson, Vehtari and Rubin (2013), Bayesian Data Analysis, ch. 5; Newton,
    Noueiry, Sarkar and Ahlquist (2004), Biostatistics 5(2), doi:10.1093/biostatistics/5.2.155.
    """
    if ATTRACTIVENESS not in fit.parameters:
        raise BadInput(f"{fit.model} has no attractiveness; take a model such as PBM")
    sessions = len(np.unique(log.session))
    if sessions < LEAST_SESSIONS:
        raise TooLittleData(
            f"{count(sessions, 'session')} cannot tell what single results contradict; it takes "
            f"{LEAST_SESSIONS} at least"
        )
    evidence = fit.likelihood.read(log)
    rows = evidence.count()
    _, examined = fit.likelihood.trials(evidence, rows, fit.columns)[ATTRACTIVENESS]
    logs = fit.likelihood.profile(evidence, rows, fit.columns, _GRID)
    shown, clicks = (_count(log, where) for where in (log.shown, log.clicked))
    judged = (shown > 0) & ~np.isnan(levels)
    is_high, is_low = judged & (levels >= cut), judged & (levels < cut)
    if not (is_high.any() and is_low.any()):
        raise TooLittleData(
            f"no result is judged {'below' if is_high.any() else 'at least'} {cut:g}; "
            "choose another level to tell high from low"
        )
    if not clicks[judged].any():
        raise TooLittleData("no judged result was clicked: clicks contradict nobody")
    high, low = (_Side(logs[one]) for one in (is_high, is_low))
    if high.mean <= low.mean:
        raise TooLittleData(
            f"results judged {cut:g} or higher are on average no more attractive than others "
            "here by this model, so that no single result can be said to contradict that"
        )
    attractive, chance = np.full(len(levels), np.nan), np.zeros(len(levels))
    attractive[is_high], chance[is_high] = high.find(low.mean, below=True)
    attractive[is_low], chance[is_low] = low.find(high.mean, below=False)
    found = np.flatnonzero(chance > LIKELY)
    found = found[np.lexsort((found, -examined[found], -chance[found]))]
    frame = pd.DataFrame(
        {
            "query": pd.array(_name(log.queries, log.query_of[found]), dtype="str"),
            "item": pd.array(_name(log.items, found), dtype="str"),
            "level": levels[found],
            "side": pd.array(np.where(is_high[found], HIGH, LOW).tolist(), dtype="str"),
            "shown": shown[found],
            "clicks": clicks[found],
            "examined": examined[found],
            "attractiveness": attractive[found],
            "probability": chance[found],
            "false_share": np.cumsum(1 - chance[found]) / np.arange(1, len(found) + 1),
        }
    )
    return Contradictions(frame, high.mean, low.mean, cut, int(judged.sum()))


def middle_level(levels: Floats) -> float:
    """Return the lowest level above the middle of those that occur: where high begins.

    Raises
    ------
    TooLittleData
        There are not two levels.
    """
    known = np.unique(levels[~np.isnan(levels)])
    if len(known) < 2:
        raise TooLittleData("to tell high from low takes two levels, and results have fewer here")
    return float(known[known > (known[0] + known[-1]) / 2][0])


class _Side:
    """Results that are high, or low: how attractive they are, all together and each."""

    def __init__(self, logs: Floats) -> None:
        self._likelihood = np.exp(logs - logs.max(axis=1, keepdims=True))
        found = sum(
            np.log(self._likelihood[start : start + _BLOCK] @ _SPREADS.T).sum(axis=0)
            for start in range(0, len(logs), _BLOCK)
        )
        weight = np.exp(found - np.max(found))
        self._kept = np.flatnonzero(weight > _LEAST)
        self._weight = weight[self._kept] / weight[self._kept].sum()
        self.mean = float(self._weight @ _SPREADS[self._kept] @ _GRID)

    def find(self, bound: float, *, below: bool) -> tuple[Floats, Floats]:
        """Return the mean attractiveness of each result, and the chance that it is beyond."""
        beyond = bound > _GRID if below else bound < _GRID
        mean, chance = np.zeros((2, len(self._likelihood)))
        for place, weight in zip(self._kept, self._weight, strict=True):
            belief = self._likelihood * _SPREADS[place]
            total = belief.sum(axis=1)
            mean += weight * (belief @ _GRID) / total
            chance += weight * (belief @ beyond) / total
        return mean, chance


def _count(log: ClickLog, where: Mask) -> "np.ndarray[tuple[int], np.dtype[np.intp]]":
    return np.bincount(log.item[where], minlength=len(log.items))


def _name(
    names: tuple[str, ...], numbers: "np.ndarray[tuple[int], np.dtype[np.intp]]"
) -> list[str]:
    return [names[one] for one in numbers]
