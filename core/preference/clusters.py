"""What preferences are sampled by, and how far strengths would differ in another sample."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.preference.likelihood import Slopes, outcome_moments
from core.preference.newton import Blocks
from core.preference.pair_counts import Codes, Floats, PairCounts, pair_positions
from core.preference.selection import comparable_preferences

if TYPE_CHECKING:
    import pandas as pd

TOPIC, ASSESSOR, PREFERENCE = "topic", "assessor", "preference"
_OUTCOME = {"first": 0.5, "tie": 0.0, "second": -0.5}


@dataclass(frozen=True)
class Clusters:
    """The preferences one by one, and which unit of the sample each belongs to.

    Attributes
    ----------
    name : {'topic', 'assessor'}
        What is sampled: topics where items are compared over topics, the assessors of a topic
        where they are compared within it.
    pair, unit : array of int, shape (n_preferences,)
        The pair's position in `PairCounts`, and a number for the unit.
    outcome : array, shape (n_preferences,)
        ½ for the first, −½ for the second, 0 for a tie.
    """

    name: str
    pair: Codes
    unit: Codes
    outcome: Floats


def cluster_preferences(preferences: pd.DataFrame, pair_counts: PairCounts) -> Clusters:
    """Return what the preferences that were counted are sampled by.

    Parameters
    ----------
    preferences : DataFrame
        As for `count_pairs`.
    pair_counts : PairCounts
        What `count_pairs` made of them.

    Raises
    ------
    BadInput
        There are several kinds or facets.
    TooLittleData
        There is no preference.
    """
    import pandas as pd

    rows = comparable_preferences(preferences)
    over_topics = bool((pair_counts.items["topic_id"] == "").all())
    own = rows["topic_id"] if over_topics else rows["assessor_id"]
    return Clusters(
        TOPIC if over_topics else ASSESSOR,
        pair_positions(rows, pair_counts),
        pd.factorize(own, sort=True)[0],
        np.array([_OUTCOME[choice] for choice in rows["choice"]]),
    )


def cluster_errors(
    pair_counts: PairCounts,
    clusters: Clusters,
    slopes: Slopes,
    strength: Floats,
    tie_parameter: float,
    component: Codes,
) -> tuple[Floats, Codes]:
    """Return how far strengths differ by leaving each unit out in turn.

    Each time the maximum is looked for by one step of Newton's method from that of all units,
    which is the cluster-robust variance that is called CR3. The tie parameter is taken for known.

    Parameters
    ----------
    slopes : Slopes
        At the maximum.
    strength : array, shape (n_items,)
    tie_parameter : float
    component : array of int, shape (n_items,)
        The component of each item in the graph of pairs.

    Returns
    -------
    error : array, shape (n_items,)
        Standard error of the strength less the mean of its component. NaN with fewer than two
        units, and where a component falls apart without one of them.
    units : array of int, shape (n_items,)
        How many units the component has.

    References
    ----------
    Bell and McCaffrey (2002), Survey Methodology 28(2); MacKinnon, Nielsen and Webb (2023),
    Journal of Econometrics 232(2), doi:10.1016/j.jeconom.2022.04.001.
    """
    first, second = pair_counts.first[clusters.pair], pair_counts.second[clusters.pair]
    moments = outcome_moments(strength[first] - strength[second], tie_parameter)
    rise, weight = clusters.outcome - moments.mean, moments.variance
    error = np.full(len(strength), np.nan)
    units = np.zeros(len(strength), dtype=np.int64)
    blocks = Blocks(pair_counts, slopes, component)
    rows_of = _split(component[first], len(blocks.members))
    for (items, information), rows in zip(blocks, rows_of, strict=True):
        one, other = blocks.position[first[rows]], blocks.position[second[rows]]
        own = np.unique(clusters.unit[rows], return_inverse=True)[1]
        parts = [
            (one[at], other[at], rise[rows][at], weight[rows][at])
            for at in _split(own, int(own.max()) + 1)
        ]
        units[items] = len(parts)
        error[items] = _leave_out(information, parts)
    return error, units


_Part = tuple[Codes, Codes, Floats, Floats]


def _leave_out(information: Floats, parts: list[_Part]) -> Floats:
    """Return the standard errors of one component's strengths."""
    size = len(information)
    if len(parts) < 2:
        return np.full(size, np.nan)
    met = np.zeros((size, size))
    for one, other, *_ in parts:
        np.add.at(met, (one, other), 1)
    squares = np.zeros(size)
    for one, other, rise, weight in parts:
        left = met.copy()
        np.subtract.at(left, (one, other), 1)
        if _falls_apart(left):
            return np.full(size, np.nan)
        rest = information.copy()
        for row, column, sign in ((one, one, -1), (other, other, -1), (one, other, 1)):
            np.add.at(rest, (row, column), sign * weight)
        np.add.at(rest, (other, one), weight)
        # Fixes the mean, which centring takes away again.
        rest += np.trace(rest) / size**2
        score = np.bincount(one, rise, size) - np.bincount(other, rise, size)
        move = np.linalg.solve(rest, score)
        squares += (move - move.mean()) ** 2
    return np.sqrt((len(parts) - 1) / len(parts) * squares)


def _falls_apart(met: Floats) -> bool:
    from scipy.sparse.csgraph import connected_components

    return int(connected_components(met, directed=False)[0]) > 1


def _split(group: Codes, size: int) -> Iterator[Codes]:
    """Return the positions of each group's members, groups counted from 0."""
    order = np.argsort(group, kind="stable")
    return iter(np.split(order, np.cumsum(np.bincount(group, minlength=size))[:-1]))
