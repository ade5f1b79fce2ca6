"""The User Disagreement Model step by step, for those who learn it.

References
----------
Demeester, Aly, Hiemstra, Nguyen, Trieschnigg and Develder (2014), Exploiting user disagreement
for web search evaluation, WSDM, doi:10.1145/2556195.2556268, sections 4.2 and 4.4.
"""

from math import comb

import numpy as np
import pandas as pd

from core.agreement.intervals import divide
from core.agreement.ratings import Ratings
from core.disagreement.repeated_labels import mark_top
from core.disagreement.user_disagreement import check_users, relevance_weight
from core.errors import BadInput


def list_binomial_terms(p: float, is_top: bool, users: int, at_least: int) -> pd.DataFrame:
    """List how many of the other users may find an item top, and which numbers suffice.

    Parameters
    ----------
    p : float
        p(top | level), in [0, 1].
    is_top : bool
        Whether the observed label is the top level; its user is then one of the M.
    users : int
        N, the one observed included.
    at_least : int
        M.

    Returns
    -------
    DataFrame
        ``others`` (m, from 0 to N − 1), ``ways`` (the binomial coefficient), ``chance`` (of just
        m others, they add up to 1) and ``counts`` (whether m others suffice). The chances that
        count add up to ``relevance_weight``.

    Raises
    ------
    BadInput
        Not 1 ≤ M ≤ N ≤ 1000, or p is outside [0, 1].
    """
    check_users(users, at_least)
    relevance_weight(p, is_top, users, at_least)
    others = np.arange(users)
    ways = [comb(users - 1, m) for m in others.tolist()]
    chance = [way * p**m * (1 - p) ** (users - 1 - m) for m, way in enumerate(ways)]
    needed = at_least - 1 if is_top else at_least
    return pd.DataFrame(
        {
            "others": others,
            "ways": np.asarray(ways, dtype=object if users > 60 else np.int64),
            "chance": chance,
            "counts": others >= needed,
        }
    )


def weight_curve(is_top: bool, users: int, at_least: int, points: int = 101) -> pd.DataFrame:
    """Return the weight of a level for every p from 0 to 1: ``p, weight``."""
    chances = np.linspace(0, 1, points)
    weights = [relevance_weight(p, is_top, users, at_least) for p in chances.tolist()]
    return pd.DataFrame({"p": chances, "weight": weights})


def observe_weights(ratings: Ratings, assessor: str, top: int, at_least: int = 1) -> pd.DataFrame:
    """Return which share of an assessor's items M users or more find top, level by level.

    It uses everybody's labels, which an evaluation does not have; the model predicts these
    shares from two assessors.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    assessor : str
        Whose labels are observed.
    top : int
        The top level; higher levels count as top, too.
    at_least : int
        M.

    Returns
    -------
    DataFrame
        A row for each level, ascending: ``level, items`` (with that label of the assessor),
        ``top_items`` (of them top to M users or more) and ``weight``, their share; NaN where the
        assessor did not use the level.

    Raises
    ------
    BadInput
        The assessor has no labels here, or the top is not on the scale.
    """
    if assessor not in ratings.assessors:
        raise BadInput(f"'{assessor}' has no labels here", field="assessor")
    is_top = mark_top(ratings.levels, top)
    fans = np.bincount(ratings.item, weights=is_top[ratings.level], minlength=len(ratings.items))
    own = ratings.assessor == ratings.assessors.index(assessor)
    wanted = (fans >= at_least)[ratings.item[own]].astype(np.float64)
    size = len(ratings.levels)
    items = np.bincount(ratings.level[own], minlength=size).astype(np.int64)
    top_items = np.bincount(ratings.level[own], weights=wanted, minlength=size)
    return pd.DataFrame(
        {
            "level": ratings.levels,
            "items": items,
            "top_items": top_items.astype(np.int64),
            "weight": divide(top_items.astype(np.float64), items.astype(np.float64)),
        }
    )
