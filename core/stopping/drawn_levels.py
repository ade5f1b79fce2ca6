"""What judging the rest of a pool could bring: levels of all items, drawn again and again."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput
from core.orders.candidates import Candidates, Floats, Mask
from core.stopping.relevance_model import (
    DescribedItems,
    RelevanceModel,
    describe_items,
    fit_relevance,
    log_odds,
)

Codes: TypeAlias = NDArray[np.uint8]

DRAWS = 400
"""How often the rest of a pool is drawn, unless somebody chooses otherwise."""

DOUBT = 0.4
"""By how much the model may be wrong: the deviation, in log odds, of what it says of all that is
not judged, and once more of each topic. Without it intervals are too narrow where items are judged
from the top, as the model then has to say what it has not seen."""

MOST_LEVELS = 12


@dataclass(frozen=True, eq=False)
class DrawnLevels:
    """Levels of all items of a pool, drawn again and again; judged items keep theirs.

    Parameters
    ----------
    values : array, shape (n_levels,)
        The levels there are, ascending.
    today : array of uint8, shape (n_items,)
        Which level each item has, from 1; 0 where it has not been judged.
    code : array of uint8, shape (draws, n_items)
        Which level each item has in each draw, from 1.
    """

    values: Floats
    today: Codes
    code: Codes


def code_levels(level: Floats, thresholds: Floats | None = None) -> tuple[Floats, Codes]:
    """Return the levels there are, and which of them each item has.

    Parameters
    ----------
    level : array, shape (n_items,)
        From 0; NaN where an item is not judged.
    thresholds : array, optional
        Only tell apart levels below and from each of these; by default every level that occurs.

    Returns
    -------
    values : array, shape (n_levels,)
        Ascending; the first is 0, which a lower level counts as.
    code : array of uint8, shape (n_items,)
        From 1; 0 where an item is not judged.

    Raises
    ------
    BadInput
        There are more than twelve different levels.
    """
    known = ~np.isnan(level)
    if thresholds is None:
        thresholds = np.unique(level[known & (level > 0)])
    if len(thresholds) > MOST_LEVELS:
        raise BadInput(
            f"the judgements have {len(thresholds):,} different levels above 0, of which "
            f"{MOST_LEVELS} can be predicted; choose a version with the levels of the scale"
        )
    code = np.zeros(len(level), dtype=np.uint8)
    code[known] = 1 + np.searchsorted(thresholds, level[known], side="right")
    return np.concatenate([[0.0], thresholds]), code


def draw_levels(
    candidates: Candidates, values: Floats, today: Codes, draws: int, rng: np.random.Generator
) -> DrawnLevels:
    """Draw what all items of a pool would be judged to be.

    Parameters
    ----------
    candidates : Candidates
        The pool.
    values, today
        As `code_levels` returns them.
    draws : int
        How often.
    rng : Generator
        What draws.

    Notes
    -----
    A level above 0 is predicted step by step: whether an item reaches it, given that it has reached
    the one below (continuation ratios), each by a model of relevance of its own. A level that
    nobody has given yet is not foreseen. Each draw takes one value of all effects, so that what is
    not known about a topic or a run moves all its items together.

    References
    ----------
    Fienberg (1980), The Analysis of Cross-Classified Categorical Data, ch. 6.
    """
    described = describe_items(candidates)
    is_open = today == 0
    code = np.repeat(today[np.newaxis], draws, axis=0)
    code[:, is_open] = 1
    for step in range(1, len(values)):
        reached = np.where(today >= step, (today > step).astype(np.float64), np.nan)
        model = fit_relevance(candidates, described, reached)
        _climb(candidates, described, model, is_open, code, step, rng)
    return DrawnLevels(values, today, code)


def _climb(
    candidates: Candidates,
    described: DescribedItems,
    model: RelevanceModel,
    is_open: Mask,
    code: Codes,
    step: int,
    rng: np.random.Generator,
) -> None:
    """Draw which of the open items that have reached a level go on to the next; in place."""
    from scipy.special import expit

    draws = len(code)
    common, own = model.draw_effects(draws, rng)
    wrong = DOUBT * rng.standard_normal(draws)
    for topic, effects in enumerate(own):
        place = candidates.of(topic)
        items = place.start + np.flatnonzero(is_open[place])
        odds: NDArray[Any] = log_odds(described, items, common, effects).T
        odds += (wrong + DOUBT * rng.standard_normal(draws))[:, np.newaxis]
        goes_on = rng.random(odds.shape) < expit(odds)
        code[:, items] += goes_on & (code[:, items] == step)
