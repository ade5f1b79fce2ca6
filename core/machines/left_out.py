"""One person left out at a time: who is closer to the others, the person or the machine."""

import numpy as np
import numpy.typing as npt

from core.agreement.intervals import Floats
from core.errors import BadInput
from core.machines.choices import FEWEST_PEOPLE, SCORINGS
from core.machines.joined_labels import JoinedLabels


def count_closer(
    joined: JoinedLabels, scoring: str = "accuracy", fewest_people: int = FEWEST_PEOPLE
) -> Floats:
    """Count on how many items each person, left out, or the machine is closer to the others.

    Parameters
    ----------
    joined : JoinedLabels
        From `join_labels`.
    scoring : {'accuracy', 'rmse'}
        How close a label is to those of the others: the share of these with the same level, or the
        negative root mean squared difference of the levels.
    fewest_people : int, default 2
        Items with labels of so many people or more count, from 2.

    Returns
    -------
    array, shape (3, n_topics, n_assessors)
        Items on which the person is closer, both are as close, and the machine is closer; zeros for
        the machine itself.

    Raises
    ------
    BadInput
        The scoring is unknown.
    """
    ratings, levels = joined.ratings, np.asarray(joined.ratings.levels, dtype=np.float64)
    apart = _level_costs(levels, scoring)
    is_machine = ratings.assessor == joined.code
    own = np.zeros(len(ratings.items), dtype=np.int64)
    own[ratings.item[is_machine]] = ratings.level[is_machine]
    item, level = ratings.item[~is_machine], ratings.level[~is_machine]
    given = np.bincount(item * len(levels) + level, minlength=len(own) * len(levels))
    # What a level costs beside the labels of all; the cost of a label beside itself is 0.
    costs = given.reshape(len(own), -1) @ apart
    person = costs[item, level]
    machine = costs[item, own[item]] - apart[own[item], level]
    outcome = 1 + np.sign(person - machine).astype(np.int64)
    counted = np.bincount(item, minlength=len(own))[item] >= max(fewest_people, 2)
    topic, who = ratings.topic[~is_machine], ratings.assessor[~is_machine]
    shape = (3, len(ratings.topics), len(ratings.assessors))
    cells = np.ravel_multi_index((outcome, topic, who), shape)[counted]
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)


def _level_costs(levels: Floats, scoring: str) -> npt.NDArray[np.float64]:
    """Return what two levels that differ cost, shape (L, L); whole numbers, so that ties are."""
    distance = np.abs(levels - levels[:, np.newaxis])
    if scoring not in SCORINGS:
        raise BadInput(f"'{scoring}' is no way to score; known are {', '.join(SCORINGS)}")
    return np.sign(distance) if scoring == "accuracy" else distance**2
