"""How often limits of gains from a machine's labels, and of a lineage's advantage, hold it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.comparison.choices import SYSTEMS
from core.machines.gain import compare_lineage, limit_means
from tests.calibration.coverage import Coverage, Family, Simulate, count
from tests.calibration.score_models import Scores, matrix_of


@dataclass(frozen=True)
class GainModel:
    """How what a system gains is spread over topics, from -reach to reach."""

    name: str
    reach: float
    draw: Callable[[tuple[int, ...], np.random.Generator], Scores]

    @cached_property
    def mean(self) -> float:
        """Return the mean over very many topics."""
        return float(self.draw((4_000_000,), np.random.default_rng(2)).mean())


def _mostly_none(shape: tuple[int, ...], rng: np.random.Generator) -> Scores:
    some = rng.random(shape) < 0.5
    return np.where(some, rng.normal(0.15, 0.15, shape).clip(-1, 1), 0.0)


MODELS = (
    GainModel("small", 1, lambda shape, rng: rng.normal(0.05, 0.1, shape).clip(-1, 1)),
    GainModel("of some topics only", 1, _mostly_none),
    GainModel("skewed", 1, lambda shape, rng: rng.beta(1, 6, shape) - 0.1),
    GainModel(
        "beside the others", 2, lambda shape, rng: rng.normal(-0.02, 0.12, shape).clip(-2, 2)
    ),
    GainModel(
        "without a highest score",
        np.inf,
        lambda shape, rng: rng.gamma(4, 2, shape) - rng.gamma(3, 2, shape),
    ),
)


def _simulate(model: GainModel) -> Simulate:
    def simulate(topics: int, studies: int) -> list[Coverage]:
        drawn = model.draw((topics, studies), np.random.default_rng([topics, studies]))
        found = np.column_stack([drawn.mean(axis=0), *limit_means(drawn, model.reach)])
        counted = count(found, model.mean)
        return [replace(counted, what="gain", model=model.name, size=topics)]

    return simulate


ADVANTAGE, TOPICS = 0.05, 10


def _simulate_runs(uneven: float) -> Simulate:
    """Return what simulates runs of which a third, and at least three, are of the lineage."""

    def simulate(systems: int, studies: int) -> list[Coverage]:
        rng = np.random.default_rng([systems, studies])
        members = {f"s{at:02}" for at in range(max(3, systems // 3))}
        lifted = np.arange(systems) < len(members)
        found = np.empty((studies, 3))
        for study in range(studies):
            people = rng.beta(2, 2, (TOPICS, systems)) / 2
            gains = lifted * ADVANTAGE + rng.normal(0, 0.03, systems) * np.where(lifted, uneven, 1)
            pair = matrix_of(people), matrix_of(people + gains)
            one = compare_lineage(*pair, members, 1.0, SYSTEMS)
            found[study] = one.value, one.low, one.high
        return [replace(count(found, ADVANTAGE), what="advantage", size=systems)]

    return simulate


FAMILIES = (
    Family(
        "Gain by a machine's labels",
        "topics",
        {one.name: _simulate(one) for one in MODELS},
        sizes=(10, 21, 50),
    ),
    Family(
        "Lineage's advantage over runs",
        "runs",
        {"alike": _simulate_runs(1), "the lineage varies more": _simulate_runs(3)},
        sizes=(10, 21, 50),
        is_default=False,
    ),
)
