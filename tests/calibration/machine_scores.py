"""Simulated scores by people's and by a machine's labels, and what intervals make of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr
from scipy.stats import beta

from core.machines.judged_scores import JudgedScores
from core.machines.mean_limits import Limits, bound_differences, bound_means
from core.machines.prediction_powered import Means, estimate_means
from tests.calibration.coverage import Coverage, Family, Simulate, count
from tests.calibration.score_models import ALIKE_RUNS, RunsModel

Scores = npt.NDArray[np.float64]

TOPICS, SYSTEMS = 82, 35
SHARED = 0.5
"""The share of a score's variance that all systems have from the topic."""

_GRID = np.linspace(1e-5, 1 - 1e-5, 20_001)


@dataclass(frozen=True)
class JudgeModel:
    """How people's and the machine's scores come about.

    A score is the topic's ease and the system's own luck on it, half its variance each; people's
    and the machine's are correlated in both. The machine's scores are shifted and less spread.

    Parameters
    ----------
    name : str
    correlation : float
        Between people's and the machine's scores of a system.
    shape : tuple of float
        Of the beta distribution that scores follow; normal with a standard deviation of .2 and
        means from .3 to .6 where it is empty.
    duplicates : float
        By which systems but the last differ from each other by people's labels, in standard
        deviations of their luck; 0 for systems that have nothing in common.
    """

    name: str
    correlation: float
    shape: tuple[float, ...] = ()
    duplicates: float = 0.0

    def draw(self, rng: np.random.Generator, systems: int = SYSTEMS) -> tuple[Scores, Scores]:
        """Return people's and the machine's scores, each of shape (topics, systems)."""
        ease, luck = rng.normal(size=(2, TOPICS, 1)), rng.normal(size=(2, TOPICS, systems))
        if self.duplicates:
            luck[0, :, :-1] = luck[0, :, :1] + self.duplicates * luck[0, :, :-1]
        people, other = np.sqrt(SHARED) * ease + np.sqrt(1 - SHARED) * luck
        machine = self.correlation * people + np.sqrt(1 - self.correlation**2) * other
        if not self.shape:
            skill = self.find_means(systems)
            return 0.2 * people + skill, 0.16 * machine + 0.8 * skill + 0.15
        people, machine = (np.interp(ndtr(one), _GRID, self.quantiles) for one in (people, machine))
        return people, 0.8 * machine + 0.1

    @cached_property
    def quantiles(self) -> Scores:
        """The scores below which each share of the grid lies."""
        return beta.ppf(_GRID, *self.shape)

    def find_means(self, systems: int = SYSTEMS) -> Scores:
        """Return the true means of people's scores."""
        if self.shape:
            return np.full(systems, beta.mean(*self.shape))
        return np.linspace(0.3, 0.6, systems)


@dataclass(frozen=True)
class RunsJudgeModel:
    """Runs of a real collection, from weaker to stronger, by people's and a machine's labels."""

    runs: RunsModel

    @property
    def name(self) -> str:
        """Where the runs are from."""
        return self.runs.name

    def draw(self, rng: np.random.Generator, systems: int = SYSTEMS) -> tuple[Scores, Scores]:
        """Return people's and the machine's scores, each of shape (topics, systems)."""
        skills = np.linspace(0, 1, systems)
        people, machine = self.runs.draw_twice(TOPICS, (skills, skills), _KNOWS, rng)
        return people, 0.8 * machine + 0.1

    def find_means(self, systems: int = SYSTEMS) -> Scores:
        """Return the true means of people's scores."""
        weaker, stronger = self.runs.means(2)
        return np.linspace(weaker, stronger, systems)


_KNOWS = 0.8
"""The correlation of people's and the machine's scores, before they are spread as they are."""

MEANS, DIFFERENCES = "means", "differences"
CLASSICAL, POWERED, MACHINE_ONLY = "classical", "powered", "machine_only"


def estimate(people: Scores, machine: Scores, n_human: int) -> Iterator[tuple[str, str, Means]]:
    """Yield what is estimated, by what, and the estimates, as the product computes them."""
    scores = JudgedScores(people[:n_human], machine[:n_human], machine[n_human:])
    yield from _name(MEANS, scores, bound_means(1))
    yield from _name(DIFFERENCES, scores.subtract_pairs(), bound_differences(1))


def _name(what: str, scores: JudgedScores, limits: Limits) -> Iterator[tuple[str, str, Means]]:
    found = estimate_means(scores, limits)
    for method in (CLASSICAL, POWERED, MACHINE_ONLY):
        yield what, method, getattr(found, method)


def cover(model: JudgeModel | RunsJudgeModel, what: str, n_human: int, studies: int) -> Coverage:
    """Count how often prediction-powered limits hold what is true of one system or one pair."""
    rng, truth = np.random.default_rng([n_human, studies]), model.find_means(FEW_SYSTEMS)
    wanted = truth[0] if what == MEANS else truth[0] - truth[-1]
    at = 0 if what == MEANS else FEW_SYSTEMS - 2  # the first system, and the first pair of ends
    found = np.empty((studies, 3))
    for study in range(studies):
        drawn = estimate(*model.draw(rng, FEW_SYSTEMS), n_human)
        (means,) = (one for of, method, one in drawn if (of, method) == (what, POWERED))
        found[study] = means.value[at], means.low[at], means.high[at]
    return replace(count(found, wanted), what=what, model=model.name, size=n_human)


FEW_SYSTEMS = 6

MODELS: tuple[JudgeModel | RunsJudgeModel, ...] = (
    JudgeModel("a machine that guesses", 0.0),
    JudgeModel("a machine that knows", _KNOWS),
    JudgeModel("it knows, scores skewed", _KNOWS, (0.8, 2)),
    *map(RunsJudgeModel, ALIKE_RUNS),
)


def _simulate(model: JudgeModel | RunsJudgeModel, what: str) -> Simulate:
    return lambda n_human, studies: [cover(model, what, n_human, studies)]


FAMILIES = tuple(
    Family(
        f"Prediction-powered {what}",
        "topics judged by people",
        {model.name: _simulate(model, what) for model in MODELS},
    )
    for what in (MEANS, DIFFERENCES)
)
