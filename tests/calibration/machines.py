"""The intervals of machine judges beside people, as the product computes them."""

from dataclasses import replace

import numpy as np
import pandas as pd

from core.agreement.base import PanelCoefficient
from core.agreement.confusion import ConfusionMatrices
from core.agreement.single_pairs import agreement_of_each_pair
from core.machines.audit import level_shift
from core.machines.joined_labels import JoinedLabels
from core.machines.levels import level_distribution, near_levels
from tests.calibration import coverage
from tests.calibration.agreement import EVERY
from tests.calibration.coverage import (
    SOME_SIZES,
    Coverage,
    Estimates,
    Family,
    Simulate,
    Study,
    add_models,
    count,
    gather,
)
from tests.calibration.label_models import LEVELS, MODELS, REAL, LabelModel, Levels, rate

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


def count_blocks(levels: Levels, studies: int) -> ConfusionMatrices:
    """Return drawn levels of two assessors as studies side by side, each of a pair of its own."""
    size, topics = len(LEVELS), len(levels) // studies
    cells = np.arange(len(levels))[:, np.newaxis] * size**2 + levels @ [size, 1]
    counts = np.bincount(cells.ravel(), minlength=len(levels) * size**2)
    study, topic = np.divmod(np.arange(len(levels)), topics)
    return ConfusionMatrices(
        assessors=tuple(f"a{at:06}" for at in range(2 * studies)),
        topics=tuple(f"t{at:05}" for at in range(topics)),
        levels=LEVELS,
        first=2 * study,
        second=2 * study + 1,
        topic=topic,
        counts=counts.reshape(-1, size, size).astype(np.float64),
    )


def _simulate_pairs(model: LabelModel) -> Simulate:
    """Return what simulates coefficients of many assessors for pairs, all studies at once."""

    def simulate(topics: int, studies: int) -> list[Coverage]:
        rng = np.random.default_rng([topics, studies])
        true = model.draw(coverage.MANY, 2, np.random.default_rng(1))
        truth = agreement_of_each_pair(count_blocks(true, 1), OF_MANY).set_index("coefficient")
        drawn = count_blocks(model.draw(topics * studies, 2, rng), studies)
        found = agreement_of_each_pair(drawn, OF_MANY).groupby("coefficient")
        return [
            replace(
                count(own[["value", "low", "high"]].to_numpy(), float(truth.loc[name, "value"])),
                what=f"{name}, one pair",
                model=model.name,
                size=topics,
                studies=studies,
            )
            for name, own in found
        ]

    return simulate


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


OF_PAIRS = Family(
    "Coefficients of many, of a pair",
    "topics",
    {model.name: _simulate_pairs(model) for model in MODELS},
)

OF_LEVELS = Study(
    "Levels of a machine", 3, _of_levels, is_rare=True, compared=(0.1, 0.9), sizes=SOME_SIZES
)
MET_BY_REAL = (
    (Study("Level shift of a machine", 3, _shift, sizes=SOME_SIZES), REAL[1:]),
    (OF_LEVELS, [model for model in REAL[1:] if len(model.shares) == len(LEVELS)]),
)
"""Those of a machine and more people than two, of real collections besides."""
BESIDE_PEOPLE = tuple(
    add_models(family, study, models)
    for study, models in MET_BY_REAL
    for family in gather((study,), MODELS)
)

FAMILIES = (OF_PAIRS, *BESIDE_PEOPLE)
