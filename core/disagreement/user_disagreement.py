"""The User Disagreement Model: weights of levels for users who want top results only.

References
----------
Demeester, Aly, Hiemstra, Nguyen, Trieschnigg and Develder (2014), Exploiting user disagreement
for web search evaluation, WSDM, doi:10.1145/2556195.2556268.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb, isnan
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.agreement.intervals import Floats, divide, share_interval
from core.agreement.ratings import Ratings
from core.errors import BadInput, TooLittleData

if TYPE_CHECKING:
    import pandas as pd

FEW_CASES, FEW_TOPICS = 50, 5
ONE_TOPIC = "all cases belong to one topic"
_MOST_USERS = 1000


def estimate_top_probability(
    ratings: Ratings,
    top: int,
    weighting: str = "item",
) -> pd.DataFrame:
    """Estimate p(top | level): how often another assessor finds top what one gave a level.

    Over the ordered pairs of different assessors who judged the same item, the share of those
    whose second label is top among those whose first is the level. Both directions count.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    top : int
        The top level; higher levels of the scale count as top, too.
    weighting : {'item', 'pairs'}
        With n labels on an item, each of its ordered pairs weighs 2/(n(n−1)), as much in all as
        a double judgement; or every ordered pair weighs 1.

    Returns
    -------
    DataFrame
        A row for each level of the scale, ascending: ``level``; ``cases`` and ``top_cases``, the
        weighted numbers of ordered pairs, so that ``p = top_cases / cases`` (whole numbers where
        no item has more than two labels); ``pairs``, the plain number of ordered pairs;
        ``p, low, high`` with 95 % limits by `share_interval`; ``topics``, how many have cases:
        they are what is sampled; ``few``, fewer than 50 cases or 5 topics; ``reason``, why
        something is NaN.

    Raises
    ------
    BadInput
        The top level is not on the scale, or the weighting is unknown.
    TooLittleData
        No labels and no scale.
    """
    if not ratings.levels:
        raise TooLittleData("p(top | level) needs labels; nothing was judged so far")
    if top not in ratings.levels:
        shown = ", ".join(str(level) for level in ratings.levels)
        raise BadInput(f"{top} is not a level of the scale {shown}", field="top")
    is_top = np.asarray(ratings.levels) >= top
    table = estimate_top_shares(ratings, is_top, weighting)
    table.insert(0, "level", ratings.levels)
    return table


def estimate_top_shares(
    ratings: Ratings,
    is_top: npt.NDArray[np.bool_],
    weighting: str = "item",
) -> pd.DataFrame:
    """Return the table of ``estimate_top_probability`` for any set of top levels, unlabelled."""
    import pandas as pd

    plain = sum_by_topic(ratings, is_top, "pairs")
    weighted = plain if weighting == "pairs" else sum_by_topic(ratings, is_top, weighting)
    top_cases, cases = weighted.sum(axis=1)
    p = divide(top_cases, cases)
    low, high, topics = share_interval(*weighted)
    unseen = "no label of this level on an item another assessor judged"
    return pd.DataFrame(
        {
            "cases": cases,
            "top_cases": top_cases,
            "pairs": plain[1].sum(axis=0).astype(np.int64),
            "p": p,
            "low": low,
            "high": high,
            "topics": topics,
            "few": (cases < FEW_CASES - 1e-9) | (topics < FEW_TOPICS),
            "reason": np.where(np.isnan(p), unseen, np.where(np.isnan(low), ONE_TOPIC, "")),
        }
    )


def relevance_weights(
    p: Mapping[int, float],
    top: int,
    *,
    users: int,
    at_least: int,
    keep_lowest: bool = False,
) -> dict[int, float]:
    """Probability that M of N users find an item top, given the label of one of them.

    Parameters
    ----------
    p : mapping of int to float
        p(top | level) by level; a Series indexed by level will do.
    top : int
        The top level; levels above it are top, too.
    users : int
        N, the number of users, the one observed included; at most 1000.
    at_least : int
        M, how many of them are to find it top.
    keep_lowest : bool
        Whether the lowest level keeps its p, which is mostly slips. It counts as 0 otherwise.

    Returns
    -------
    dict
        Weight by level, ascending; in [0, 1], and 1 for the top level when M = 1. NaN where p is.

    Raises
    ------
    BadInput
        Not 1 ≤ M ≤ N ≤ 1000, the top level has no p, or a p is outside [0, 1].

    Notes
    -----
    The observed top label is one of the M, so that M − 1 of the N − 1 others suffice; equation
    (4) as printed asks for M, against its own check that the sum is 1 for M = 1.

    Examples
    --------
    >>> weights = relevance_weights({0: 0.0, 1: 0.3, 2: 0.5}, 2, users=3, at_least=1)
    >>> {level: round(weight, 2) for level, weight in weights.items()}
    {0: 0.0, 1: 0.51, 2: 1.0}
    """
    check_users(users, at_least)
    if top not in p:
        raise BadInput(f"there is no probability for the top level {top}", field="top")
    levels = sorted(p.keys())
    weights = {}
    for level in levels:
        is_slip = level == levels[0] and level < top and not keep_lowest
        chance = 0.0 if is_slip else float(p[level])
        weights[level] = relevance_weight(chance, level >= top, users, at_least)
    return weights


def relevance_weight(p: float, is_top: bool, users: int, at_least: int) -> float:
    """Return the weight of one level; see ``relevance_weights``."""
    if isnan(p):
        return p
    if not 0 <= p <= 1:
        raise BadInput(f"a probability lies between 0 and 1, not at {p:g}", field="p")
    others, needed = users - 1, at_least - 1 if is_top else at_least
    if needed == 0:
        return 1.0
    found = range(needed, others + 1)
    return min(sum(comb(others, m) * p**m * (1 - p) ** (others - m) for m in found), 1.0)


def check_users(users: int, at_least: int) -> None:
    """Refuse numbers of users that make no sense together."""
    if not 1 <= users <= _MOST_USERS:
        raise BadInput(f"the number of users is 1 to {_MOST_USERS}, not {users}", field="users")
    if not 1 <= at_least <= users:
        raise BadInput(
            f"at least 1 and at most all {users} users can find it top, not {at_least}",
            field="at_least",
        )


def check_weighting(weighting: str) -> None:
    """Refuse a way to weigh pairs of labels that does not exist."""
    if weighting not in ("item", "pairs"):
        raise BadInput(
            f"'{weighting}' is not a weighting; known are item and pairs", field="weighting"
        )


def sum_by_topic(ratings: Ratings, is_top: npt.NDArray[np.bool_], weighting: str) -> Floats:
    """Return top cases and cases as in ``estimate_top_probability``, shape (2, topics, levels).

    Only the counts of an item's levels matter: a label meets every other label of its item.
    """
    check_weighting(weighting)
    topics, size = len(ratings.topics), len(ratings.levels)
    labels = np.bincount(ratings.item)[ratings.item]
    top_labels = np.bincount(ratings.item, weights=is_top[ratings.level])[ratings.item]
    others = labels - 1.0
    top_others = top_labels - is_top[ratings.level]
    weight = np.ones(len(labels))
    if weighting == "item":
        weight = divide(np.full(len(labels), 2.0), labels * others)
        weight[others == 0] = 0
    cell = ratings.topic * size + ratings.level
    sums = [
        np.bincount(cell, weights=weight * seen, minlength=topics * size)
        for seen in (top_others, others)
    ]
    return np.reshape(sums, (2, topics, size))
