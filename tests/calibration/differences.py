"""How often limits of differences between systems hold what is true, all of them at once."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from core.comparison.bayes import compare_posterior
from core.comparison.difference_tests import compare_systems
from core.comparison.score_matrix import ScoreMatrix
from core.comparison.variance import study_variance
from tests.calibration.coverage import SIZES, Coverage, Family, Simulate, count
from tests.calibration.score_models import (
    ALIKE_RUNS,
    DIFFERENT,
    EQUAL,
    RunsModel,
    ScoreModel,
    matrix_of,
)

Limits = Callable[[ScoreMatrix], pd.DataFrame]

SAMPLES = 999
"""Exchanges by which the limits of one study are found."""

RELIABILITY = "Generalisability Eρ²"
JOINT = "Differences of means, all pairs at once"
JOINT_MODERATED = f"{JOINT}, moderated"

LIMITS: Mapping[str, tuple[Limits, bool]] = {
    JOINT: (
        lambda one: compare_systems(one, samples=SAMPLES),
        True,
    ),
    JOINT_MODERATED: (
        lambda one: compare_systems(one, "moderated", samples=SAMPLES),
        True,
    ),
    "Difference of means, one pair": (
        lambda one: compare_systems(one, "t", correction="none"),
        False,
    ),
    "Posterior of a difference": (compare_posterior, False),
}
"""By what is estimated: the analysis, and whether its limits hold for all pairs at once."""


def cover_differences(
    what: str, model: ScoreModel | RunsModel, topics: int, systems: int, studies: int
) -> Coverage:
    """Simulate studies of one size and count how often the limits hold the true differences.

    Widths are compared with those of the true sampling distribution: of the difference of each
    pair, or, where the limits hold for all pairs at once, of the largest t of all pairs.
    """
    analyse, is_joint = LIMITS[what]
    rng = np.random.default_rng([topics, systems, studies])
    draw = model.draw_runs if isinstance(model, RunsModel) else model.draw
    skill = model.means(systems)
    first, second = np.triu_indices(systems, k=1)
    truth = skill[first] - skill[second]
    low, high, value = np.empty((3, studies, len(truth)))
    for study in range(studies):
        table = analyse(matrix_of(draw(topics, systems, rng)))
        low[study], high[study], value[study] = (
            table[name].to_numpy() for name in ("low", "high", "difference")
        )
    holds = (low <= truth) & (truth <= high)
    apart = np.abs(value - truth)
    if is_joint:
        wide = (high - low) / 2
        # Half the width is a standard error times a quantile that is the same in every study.
        share = apart / wide
        ideal = 2 * float(np.quantile(share.max(axis=1), 0.95)) * wide.mean(axis=0)
        covered = float(holds.all(axis=1).mean())
    else:
        ideal = 2 * np.quantile(apart, 0.95, axis=0)
        covered = float(holds.mean())
    width = float(((high - low).mean(axis=0) / ideal).mean())
    absent = float(np.isnan(low).mean())
    name = f"{what}, {systems} systems"
    return Coverage(name, model.name, topics, studies, covered, absent, width, float(truth.max()))


def cover_reliability(topics: int, systems: int, studies: int, ratio: float) -> Coverage:
    """Count how often the limits of Eρ² hold it, skills varying ``ratio`` times as much as chance.

    Systems are drawn like topics: both are samples here.
    """
    rng = np.random.default_rng([topics, systems, studies])
    truth = ratio**2 / (ratio**2 + 1 / topics)
    found = np.empty((studies, 3))
    for study in range(studies):
        values = ratio * rng.normal(size=systems) + rng.normal(size=(topics, systems))
        one = study_variance([matrix_of(values + rng.normal(size=(topics, 1)))])
        found[study] = one.relative, one.low, one.high
    return replace(
        count(found, truth),
        what=f"{RELIABILITY}, {systems} systems",
        model=f"skill {ratio:g} × chance",
        size=topics,
    )


SYSTEMS = (2, 5, 30)
MANY_RUNS = (5, 10, 37)


RUNS = tuple(one for one in ALIKE_RUNS if not one.groups)
"""Runs of real collections, every other one of them a stronger one."""


def _simulate(what: str, model: ScoreModel | RunsModel, numbers: tuple[int, ...] = ()) -> Simulate:
    some = SYSTEMS if LIMITS[what][1] else SYSTEMS[:2]
    numbers = numbers or (some[:1] if isinstance(model, RunsModel) and LIMITS[what][1] else some)
    return lambda topics, studies: [
        cover_differences(what, model, topics, systems, studies) for systems in numbers
    ]


def _simulate_reliability(ratio: float) -> Simulate:
    return lambda topics, studies: [
        cover_reliability(topics, systems, studies, ratio) for systems in SYSTEMS
    ]


FAMILIES = (
    *(
        Family(
            title,
            "topics",
            {model.name: _simulate(title, model) for model in (*EQUAL, *DIFFERENT, *RUNS)},
            # Of five topics there are 16 exchanges: no p is below .05, and there are no limits.
            sizes=SIZES[1:] if LIMITS[title][1] else SIZES,
            is_default=title != JOINT_MODERATED,
        )
        for title in LIMITS
    ),
    *(
        Family(
            f"{title}, many real runs",
            "topics",
            {model.name: _simulate(title, model, MANY_RUNS) for model in RUNS},
            sizes=SIZES[1:],
            is_default=False,
            is_doubted=title == JOINT,
        )
        for title in (JOINT, JOINT_MODERATED)
    ),
    Family(
        RELIABILITY,
        "topics and systems",
        {f"skill {ratio:g} × chance": _simulate_reliability(ratio) for ratio in (0.3, 1)},
    ),
)
