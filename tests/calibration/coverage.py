"""How often limits hold what they should: simulated studies, counted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Estimates = Mapping[str, tuple[float, float, float]]
"""By what is estimated: value, low and high."""

Drawn = npt.NDArray[np.int64]
"""What a model draws; topics first."""


class Model(Protocol):
    """How labels or preferences come about."""

    @property
    def name(self) -> str: ...

    def draw(self, topics: int, assessors: int, rng: np.random.Generator) -> Drawn: ...


@dataclass(frozen=True)
class Study:
    """One analysis of the product, and how many assessors it is tried with."""

    name: str
    assessors: int
    analyse: Callable[[Drawn], Estimates]
    whole: Callable[[Drawn], Estimates] | None = None
    """What gives the true values from very many topics, where ``analyse`` does not."""
    is_rare: bool = False
    """Whether what is estimated may hardly occur: limits may then be wide or absent."""


@dataclass(frozen=True)
class Coverage:
    """What came of the studies of one size: shares, and widths as ratios."""

    what: str
    model: str
    topics: int
    studies: int
    covered: float
    absent: float
    width: float

    @property
    def error(self) -> float:
        """Return the standard error of the share that is covered, by simulating so few."""
        return float(np.sqrt(self.covered * (1 - self.covered) / self.studies))


_MANY = 4_000
"""Topics from which the true value is taken: those of a study are drawn like them."""


def cover(
    study: Study, model: Model, topics: int, studies: int, rng: np.random.Generator
) -> list[Coverage]:
    """Simulate studies of one size and count how often the limits hold the true value.

    ``width`` is the mean width of the limits over that of the middle 95 % of the estimates: what
    an interval could be if their distribution were known.
    """
    estimate = study.whole or study.analyse
    truth = estimate(model.draw(_MANY, study.assessors, np.random.default_rng(1)))
    drawn: dict[str, list[tuple[float, float, float]]] = {name: [] for name in truth}
    for _ in range(studies):
        for name, found in study.analyse(model.draw(topics, study.assessors, rng)).items():
            drawn[name].append(found)
    return [
        Coverage(name, model.name, topics, studies, *_count(np.array(drawn[name]), value))
        for name, (value, _, _) in truth.items()
        if drawn[name]
    ]


def _count(found: npt.NDArray[np.float64], truth: float) -> tuple[float, float, float]:
    value, low, high = found[~np.isnan(found[:, 0])].T
    known = ~np.isnan(low)
    inside = (low <= truth) & (truth <= high)
    ends = np.nanquantile(value, [0.025, 0.975])
    least = float(ends[1] - ends[0])
    width = (high - low)[known].mean() / least if least else np.inf
    return float(inside[known].mean()), float(1 - known.mean()), float(width)
