"""How often limits hold what they should: simulated studies, counted."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

SIZES = (5, 10, 21, 50)
"""How much is sampled: topics, unless a family says otherwise."""

FREQUENT = (0.05, np.inf)
"""What occurs less often has limits that are wide beside so little variation."""

SOME_SIZES = (5, 21)
"""What is tried of limits that are slow, or made like others."""

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
    sampled: str = "topics"
    sizes: tuple[int, ...] = SIZES
    compared: tuple[float, float] = (-np.inf, np.inf)
    of_size: bool = False
    """Whether what studies of this size find on average is estimated, not what many topics give."""


@dataclass(frozen=True)
class Coverage:
    """What came of the studies of one size: shares, widths as ratios, and the true value."""

    what: str
    model: str
    size: int
    studies: int
    covered: float
    absent: float
    width: float
    truth: float

    @property
    def error(self) -> float:
        """Return the standard error of the share that is covered, by simulating so few."""
        return float(np.sqrt(self.covered * (1 - self.covered) / self.studies))


Simulate = Callable[[int, int], list[Coverage]]
"""Takes the size of a study and the number of studies."""


@dataclass(frozen=True)
class Family:
    """Limits of one kind: a row of the table.

    Parameters
    ----------
    title : str
        What they are limits of.
    sampled : str
        What a study samples, as many as its size says.
    models : mapping of str to callable
        By the name of each model: what simulates studies of a size.
    sizes : tuple of int
        The sizes that are tried.
    is_rare : bool
        Whether what is estimated may hardly occur, so that limits may be wide or absent.
    is_default : bool
        Whether the product shows them without being asked.
    compared : tuple of float
        Between which true values widths are compared: beyond, there is hardly any variation.
    is_doubted : bool
        Whether they hold too seldom, so that the product warns where it sees what makes them so.
    """

    title: str
    sampled: str
    models: Mapping[str, Simulate]
    sizes: tuple[int, ...] = SIZES
    is_rare: bool = False
    is_default: bool = True
    compared: tuple[float, float] = (-np.inf, np.inf)
    is_doubted: bool = False


def gather(studies: Iterable[Study], models: Iterable[Model]) -> list[Family]:
    """Return the family of each study, tried under every model."""
    return [
        Family(
            study.name,
            study.sampled,
            {model.name: _simulate(study, model) for model in models},
            study.sizes,
            is_rare=study.is_rare,
            compared=study.compared,
        )
        for study in studies
    ]


def add_models(family: Family, study: Study, models: Iterable[Model]) -> Family:
    """Return the family of a study tried under more models."""
    more = {model.name: _simulate(study, model) for model in models}
    return replace(family, models={**family.models, **more})


def _simulate(study: Study, model: Model) -> Simulate:
    return lambda size, studies: cover(
        study, model, size, studies, np.random.default_rng([size, studies])
    )


MANY = 4_000
"""Topics from which the true value is taken: those of a study are drawn like them."""


@cache
def _find_truth(study: Study, model: Model, topics: int) -> Estimates:
    estimate = study.whole or study.analyse
    return estimate(model.draw(topics, study.assessors, np.random.default_rng(1)))


def cover(
    study: Study, model: Model, topics: int, studies: int, rng: np.random.Generator
) -> list[Coverage]:
    """Simulate studies of one size and count how often the limits hold the true value.

    ``width`` is the mean width of the limits over that of the middle 95 % of the estimates: what
    an interval could be if their distribution were known.
    """
    truth = _find_truth(study, model, MANY)
    drawn: dict[str, list[tuple[float, float, float]]] = {name: [] for name in truth}
    for _ in range(studies):
        for name, found in study.analyse(model.draw(topics, study.assessors, rng)).items():
            drawn[name].append(found)
    return [
        replace(
            count(np.array(drawn[name]), find_mean(drawn[name]) if study.of_size else value),
            what=name,
            model=model.name,
            size=topics,
            studies=studies,
        )
        for name, (value, _, _) in truth.items()
        if drawn[name]
    ]


def find_mean(drawn: list[tuple[float, float, float]]) -> float:
    """Return what studies of one size find on average."""
    return float(np.nanmean([value for value, _, _ in drawn]))


def count(found: npt.NDArray[np.float64], truth: float) -> Coverage:
    """Count limits that hold the truth, and compare their width with that of the estimates.

    Parameters
    ----------
    found : array, shape (n_studies, 3)
        Value, low and high; a NaN value is no estimate, NaN limits are absent.
    truth : float
        What they should hold, up to rounding.
    """
    value, low, high = found[~np.isnan(found[:, 0])].T
    known = ~np.isnan(low)
    slack = 1e-9
    inside = (low - slack <= truth) & (truth <= high + slack)
    ends = np.nanquantile(value, [0.025, 0.975])
    least = float(ends[1] - ends[0])
    width = float((high - low)[known].mean()) / least if least > slack else np.inf
    covered, absent = float(inside[known].mean()), float(1 - known.mean())
    return Coverage("", "", 0, len(found), covered, absent, width, truth)
