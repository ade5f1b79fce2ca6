"""Agreement within and between groups of assessors, and differences of agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.base import PairCoefficient
from core.agreement.confusion import ConfusionMatrices
from core.agreement.intervals import (
    Floats,
    jackknife_deviation,
    less_bias,
    topic_freedom,
    unseen_interval,
)
from core.agreement.pairs import say_why
from core.agreement.pooled import overall_agreement, pool, pool_without, with_enough
from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

UNDEFINED = "one of the two values is not defined"


def read_groups(labels: pd.DataFrame) -> dict[str, str]:
    """Return the group of each assessor, '' without one.

    Parameters
    ----------
    labels : DataFrame
        ``assessor_id, group``.

    Raises
    ------
    BadInput
        An assessor is in two groups.
    """
    rows = labels[["assessor_id", "group"]].fillna("").drop_duplicates()
    twice = rows["assessor_id"].duplicated()
    if twice.any():
        who = rows.loc[twice, "assessor_id"].iloc[0]
        named = sorted(rows.loc[rows["assessor_id"] == who, "group"])
        raise BadInput(
            f"{who} is in more than one group ({', '.join(repr(name) for name in named)}); "
            "an assessor belongs to one group or to none",
            field="group",
        )
    return dict(zip(rows["assessor_id"], rows["group"], strict=True))


def between_groups(
    matrices: ConfusionMatrices, groups: Mapping[str, str], first: str, second: str
) -> ConfusionMatrices:
    """Return the pairs of assessors of whom one is in the first and one in the second group.

    The two groups may be the same. Assessors that ``groups`` does not name are in group ''.
    """
    group = np.asarray([groups.get(name, "") for name in matrices.assessors], dtype=object)
    one, other = group[matrices.first], group[matrices.second]
    chosen = ((one == first) & (other == second)) | ((one == second) & (other == first))
    return matrices.select(np.asarray(chosen, dtype=np.bool_))


def between_assessors(matrices: ConfusionMatrices, first: str, second: str) -> ConfusionMatrices:
    """Return the blocks of one pair of assessors."""
    return between_groups(matrices, {name: name for name in matrices.assessors}, first, second)


def agreement_by_group(
    matrices: ConfusionMatrices,
    groups: Mapping[str, str],
    coefficients: Sequence[PairCoefficient],
) -> pd.DataFrame:
    """Pool the coefficients of pairs of assessors by the groups of the two.

    Parameters
    ----------
    matrices : ConfusionMatrices
        From ``confusion_matrices``.
    groups : mapping of str to str
        Group by assessor; '' is the group of those without one.
    coefficients
        As for ``overall_agreement``.

    Returns
    -------
    DataFrame
        ``first_group, second_group`` and the columns of ``overall_agreement``; one row for each
        two groups (or one group with itself) that have a pair of assessors, and coefficient.
    """
    import pandas as pd

    tables = []
    for first, second in pair_groups(matrices, groups):
        chosen = between_groups(matrices, groups, first, second)
        table = overall_agreement(chosen, coefficients)
        table.insert(0, "first_group", first)
        table.insert(1, "second_group", second)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def pair_groups(matrices: ConfusionMatrices, groups: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the sorted pairs of groups, each with itself too, that have two assessors."""
    people = sorted(groups.get(name, "") for name in matrices.assessors)
    return sorted(set(combinations(people, 2)))


def agreement_differences(
    selections: Mapping[str, ConfusionMatrices],
    coefficients: Sequence[PairCoefficient],
) -> pd.DataFrame:
    """Compare the pooled agreement of every two selections of pairs of assessors.

    Parameters
    ----------
    selections : mapping of str to ConfusionMatrices
        By name: from ``between_groups`` or ``between_assessors``, or whole (of two facets, say).
    coefficients : sequence of PairCoefficient
        What to compare. Topics are matched by id: each is left out of both selections at once,
        so that what makes a topic hard for all cancels out.

    Returns
    -------
    DataFrame
        ``first, second, coefficient, first_value, second_value, difference, low, high, interval,
        unit, units, reason``, for every two selections in their order: first less second, 95 %
        limits by the jackknife and Student's t, in which the topics of either are what is
        sampled. An interval without 0 means that one agreement is higher. ``reason`` says why
        something is NaN.
    """
    import pandas as pd

    chosen = {name: with_enough(matrices) for name, matrices in selections.items()}
    values = {name: pool(matrices, coefficients) for name, matrices in chosen.items()}
    topics, items, without = _leave_out_together(chosen, coefficients)
    rows = []
    for first, second in combinations(chosen, 2):
        apart, sizes = without[first] - without[second], items[first] + items[second]
        for at, coefficient in enumerate(coefficients):
            both = (values[first][at], values[second][at])
            difference = both[0] - both[1]
            low, high = _limit(difference, apart[at], sizes)
            why = say_why(difference, low, topics, UNDEFINED)
            row = (first, second, str(coefficient), *both, difference, low, high)
            rows.append((*row, "jackknife", "topic", topics, why))
    names = "first second coefficient first_value second_value difference low high interval"
    return pd.DataFrame(rows, columns=[*names.split(), "unit", "units", "reason"])


def _limit(difference: float, without: Floats, sizes: Floats) -> tuple[float, float]:
    """Return the limits of a difference, which lies between −2 and 2, by those without a topic."""
    from scipy.special import stdtrit

    if len(without) < 2:
        return float("nan"), float("nan")
    starts = np.zeros(1, dtype=np.int64)
    (error,) = jackknife_deviation(without, starts)
    if error == 0:
        low, high = unseen_interval(np.array(difference), np.array(float(len(without))), -2.0, 2.0)
        return float(low), float(high)
    half = float(stdtrit(topic_freedom(sizes, starts)[0], 0.975) * error)
    ends = difference, float(less_bias(np.array([difference]), without, starts)[0])
    return max(min(ends) - half, -2.0), min(max(ends) + half, 2.0)


def _leave_out_together(
    selections: Mapping[str, ConfusionMatrices], coefficients: Sequence[PairCoefficient]
) -> tuple[int, dict[str, Floats], dict[str, Floats]]:
    """Return how many topics there are; by selection their items, and the values without each."""
    import pandas as pd

    names = {
        name: pd.Index(matrices.topics, dtype="str").take(matrices.topic)
        for name, matrices in selections.items()
    }
    topics = pd.Index(sorted(set().union(*names.values())))
    place = {name: topics.get_indexer(own) for name, own in names.items()}
    items = {
        name: np.bincount(place[name], matrices.counts.sum(axis=(1, 2)), len(topics)).astype(
            np.float64
        )
        for name, matrices in selections.items()
    }
    without = {
        name: pool_without(matrices, place[name], len(topics), coefficients)
        for name, matrices in selections.items()
    }
    return len(topics), items, without
