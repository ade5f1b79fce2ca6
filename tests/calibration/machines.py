"""The intervals of machine judges beside people, as the product computes them."""

import numpy as np
import pandas as pd

from core.agreement.base import PanelCoefficient
from core.agreement.confusion import confusion_matrices
from core.agreement.single_pairs import agreement_of_each_pair
from core.machines.audit import level_shift
from core.machines.joined_labels import JoinedLabels
from core.machines.levels import level_distribution, near_levels
from tests.calibration.agreement import EVERY
from tests.calibration.coverage import FREQUENT, SOME_SIZES, Estimates, Study, gather
from tests.calibration.label_models import LEVELS, MODELS, Levels, rate

OF_MANY = [one for one in EVERY if isinstance(one, PanelCoefficient)]


def join(levels: Levels) -> JoinedLabels:
    """Return drawn levels with the last assessor as the machine, who is more lenient.

    It gives every other item a level more than the model has it.
    """
    levels = levels.copy()
    levels[:, ::2, -1] = np.minimum(levels[:, ::2, -1] + 1, LEVELS[-1])
    ratings = rate(levels)
    none = pd.DataFrame(columns=["topic_id", "document_id", "value", "people"])
    missed = pd.Series(dtype="int64")
    return JoinedLabels(ratings.assessors[-1], ratings, none, missed, len(ratings.items), 0, 0)


def _of_pair(levels: Levels) -> Estimates:
    table = agreement_of_each_pair(confusion_matrices(rate(levels)), OF_MANY)
    columns = table[["coefficient", "value", "low", "high"]].itertuples(index=False)
    return {f"{name}, one pair": (value, low, high) for name, value, low, high in columns}


def _shift(levels: Levels) -> Estimates:
    rows = level_shift(join(levels))[["person", "value", "low", "high"]]
    return {f"shift from {name}": tuple(found) for name, *found in rows.to_numpy()}


def _of_levels(levels: Levels) -> Estimates:
    joined = join(levels)
    given = level_distribution(joined)[["level", "machine_level", "value", "low", "high"]]
    near = near_levels(joined)[["level", "value", "low", "high"]]
    return {
        f"{one:g} where people give {level:g}": tuple(found)
        for level, one, *found in given.to_numpy()
    } | {f"near {level:g}": tuple(found) for level, *found in near.to_numpy()}


FAMILIES = gather(
    (
        Study("Coefficients of many, of a pair", 2, _of_pair, sizes=SOME_SIZES),
        Study("Level shift of a machine", 3, _shift, sizes=SOME_SIZES),
        Study(
            "Levels of a machine",
            3,
            _of_levels,
            is_rare=True,
            compared=FREQUENT,
            sizes=SOME_SIZES,
        ),
    ),
    MODELS,
)
