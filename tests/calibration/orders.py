"""How often limits of τ hold it, and how often orders that are one come out different."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np
from scipy.stats import kendalltau

from core.agreement.ratings import Codes
from core.comparison.choices import ASSESSORS, BOTH, TOPICS
from core.comparison.rank_correlation import tau_interval
from core.comparison.tau_limits import Coefficient, SystemRanking, observe, sample_tau
from core.comparison.top_weighted import correlate_best, correlate_weighted
from tests.calibration.coverage import SIZES, Coverage, Family, Simulate, count
from tests.calibration.score_models import NAMED, RunsModel, matrix_of

Rankings = tuple[SystemRanking, SystemRanking]

DRAWS = 300
ASSESSOR_TOPICS = 3
"""How many topics each assessor judges."""


@dataclass(frozen=True)
class OrderModel:
    """The same systems scored under two conditions.

    Parameters
    ----------
    name : str
        What is particular about it.
    spread : float
        Systems' skills lie so far apart under the first condition, in standard deviations of
        chance.
    turned : float
        The share of the skills' variance under the second condition that is not the first's.
    shared : float
        The correlation of chance between the conditions.
    taste : float
        The standard deviation of what an assessor adds to each system under each condition.
    noisier : float
        How many times the chance of the second condition is that of the first.
    groups : int
        So many groups of equal systems, as far apart as the skills lie; 0 for none.
    scale : float
        What all scores under the second condition are multiplied by.
    """

    name: str
    spread: float
    turned: float = 0.0
    shared: float = 0.7
    taste: float = 0.0
    noisier: float = 1.0
    groups: int = 0
    scale: float = 1.0

    def draw(self, topics: int, systems: int, rng: np.random.Generator) -> Rankings:
        """Return the scores under both conditions; assessors judge three topics each."""
        places = np.linspace(-1.5, 1.5, self.groups or systems)
        skill = np.sort(np.resize(places, systems)) * self.spread
        other = np.random.default_rng(5).permutation(skill)
        skills = skill, np.sqrt(1 - self.turned) * skill + np.sqrt(self.turned) * other
        chance = rng.normal(size=(topics, systems))
        own = rng.normal(size=(topics, systems))
        second = self.shared * chance + np.sqrt(1 - self.shared**2) * own
        judge = _assign(topics)
        tastes = self.taste * rng.normal(size=(2, judge.max() + 1, systems))
        ease = rng.normal(size=(topics, 1))
        first, last = (
            matrix_of(scale * (part + noise + ease + taste[judge]))
            for part, noise, taste, scale in zip(
                skills, (chance, self.noisier * second), tastes, (1, self.scale), strict=True
            )
        )
        judges = _name_judges(judge)
        return SystemRanking(first, judges), SystemRanking(last, judges)


def _assign(topics: int) -> Codes:
    return np.arange(topics) % -(-topics // ASSESSOR_TOPICS)


def _name_judges(judge: Codes) -> dict[str, list[str]]:
    return {f"t{at:03}": [f"a{one}"] for at, one in enumerate(judge)}


@dataclass(frozen=True)
class RunsOrderModel:
    """Systems like runs of a collection, scored under two conditions: from weaker to stronger.

    Parameters
    ----------
    runs : RunsModel
        How scores are spread, and how alike systems are; where it has groups of systems, all of a
        group are equal in truth.
    turned : float
        How much of a system's skill under the second condition is that of another.
    """

    runs: RunsModel
    turned: float = 0.0
    shared: float = 0.7

    @property
    def name(self) -> str:
        """What it is like."""
        return f"{self.runs.name}, {'orders differ' if self.turned else 'one order'}"

    def draw(self, topics: int, systems: int, rng: np.random.Generator) -> Rankings:
        """Return the scores under both conditions; assessors judge three topics each."""
        skill = np.resize(np.linspace(0, 1, self.runs.groups or systems), systems)
        other = np.random.default_rng(5).permutation(skill)
        skills = skill, (1 - self.turned) * skill + self.turned * other
        judges = _name_judges(_assign(topics))
        first, second = self.runs.draw_twice(topics, skills, self.shared, rng)
        return SystemRanking(matrix_of(first), judges), SystemRanking(matrix_of(second), judges)


class Orders(Protocol):
    """How scores under two conditions come about."""

    @property
    def name(self) -> str: ...

    def draw(self, topics: int, systems: int, rng: np.random.Generator) -> Rankings: ...


MODELS = (
    OrderModel("all systems alike", 0.0),
    OrderModel("one order, close", 0.3),
    OrderModel("one order, clear", 1.0),
    OrderModel("orders differ", 1.0, turned=0.5),
    OrderModel("unrelated orders", 0.5, turned=1.0, shared=0.3),
    OrderModel("assessors have tastes", 0.5, taste=0.7),
)
ONE_ORDER = tuple(
    RunsOrderModel(runs)
    for runs in (
        NAMED["nDCG@10 of dl19"],
        NAMED["AP of trec2"],
        replace(NAMED["nDCG@10 of dl19"], name="two groups of dl19", groups=2),
    )
)
"""Runs of real collections, those of the last in two groups of near-equal ones."""
REAL = (*ONE_ORDER, *(replace(one, turned=0.5) for one in ONE_ORDER[:2]))
SAME = (
    *MODELS[:3],
    OrderModel("one order, second noisier", 0.3, noisier=3),
    OrderModel("two groups, second rescaled", 0.5, noisier=1.4, groups=2, scale=0.5),
    OrderModel("two groups, second of four times the chance", 0.7, noisier=4, groups=2, scale=0.5),
    OrderModel("three groups, far apart", 1.3, noisier=1.4, groups=3, scale=0.5),
    *ONE_ORDER,
)
"""Models under which the true order is one."""


def find_tau(first: SystemRanking, second: SystemRanking) -> float:
    """Return τ of the means."""
    means = (one.scores.values.mean(axis=0) for one in (first, second))
    return float(kendalltau(*means).statistic)


def cover_tau(unit: str, model: Orders, topics: int, systems: int, studies: int) -> Coverage:
    """Count how often limits of τ hold the τ that such studies find on average."""
    rng = np.random.default_rng([topics, systems, studies])
    found = np.empty((studies, 3))
    for study in range(studies):
        first, second = model.draw(topics, systems, rng)
        limits = sample_tau(first, second, unit, rng, DRAWS)
        found[study] = find_tau(first, second), limits.low, limits.high
    more = [find_tau(*model.draw(topics, systems, rng)) for _ in range(2 * studies)]
    truth = float(np.mean([*found[:, 0], *more]))
    name = f"τ over {_NAMES[unit]}, {systems} systems"
    return replace(count(found, truth), what=name, model=model.name, size=topics)


def cover_top(
    name: str,
    coefficient: Coefficient,
    compared: int | None,
    model: Orders,
    topics: int,
    systems: int,
    studies: int,
) -> Coverage:
    """Count how often limits hold a coefficient of the top that such studies find on average."""
    rng = np.random.default_rng([topics, systems, studies])
    found = np.empty((studies, 3))
    for study in range(studies):
        pair = model.draw(topics, systems, rng)
        limits = sample_tau(*pair, TOPICS, rng, DRAWS, coefficient, compared)
        found[study] = observe(*pair, coefficient), limits.low, limits.high
    more = [observe(*model.draw(topics, systems, rng), coefficient) for _ in range(2 * studies)]
    truth = float(np.mean([*found[:, 0], *more]))
    what = f"{name}, {systems} systems"
    return replace(count(found, truth), what=what, model=model.name, size=topics)


_NAMES = {TOPICS: "topics", ASSESSORS: "assessors", BOTH: "topics and assessors"}


def cover_tau_of_systems(tau: float, systems: int, studies: int) -> Coverage:
    """Count how often limits of τ over systems hold it, scores being bivariate normal."""
    rng = np.random.default_rng([systems, studies])
    rho = np.sin(np.pi / 2 * tau)
    found, known = np.empty((studies, 3)), {}
    for study in range(studies):
        one, other = rng.normal(size=(2, systems))
        value = float(kendalltau(one, rho * one + np.sqrt(1 - rho**2) * other).statistic)
        limits = known.setdefault(round(value, 9), tau_interval(value, systems))
        found[study] = value, *limits
    model = f"true τ {tau:g}"
    return replace(count(found, tau), what="τ over systems", model=model, size=systems)


SYSTEMS = (5, 21)


def _simulate(unit: str, model: Orders) -> Simulate:
    return lambda topics, studies: [
        cover_tau(unit, model, topics, systems, studies) for systems in SYSTEMS
    ]


def _simulate_weighted(model: Orders) -> Simulate:
    return lambda topics, studies: [
        cover_top("τ_AP", correlate_weighted, None, model, topics, SYSTEMS[-1], studies)
    ]


def _simulate_best(model: Orders) -> Simulate:
    return lambda topics, studies: [
        cover_top(
            f"τ of the best {best}",
            partial(correlate_best, best=best),
            best,
            model,
            topics,
            SYSTEMS[-1],
            studies,
        )
        for best in BESTS
    ]


BESTS = (5, 10)


def _simulate_systems(tau: float) -> Simulate:
    return lambda systems, studies: [cover_tau_of_systems(tau, systems, studies)]


WITHOUT_TASTES = tuple(model for model in MODELS if not model.taste)

FAMILIES = (
    *(
        Family(
            f"τ over {sampled}",
            sampled if unit == TOPICS else f"topics, {ASSESSOR_TOPICS} by each assessor",
            {
                model.name: _simulate(unit, model)
                # What assessors like is for limits over assessors to cover.
                for model in (*(MODELS if unit != TOPICS else WITHOUT_TASTES), *REAL)
            },
            (10, 21, 50) if unit == ASSESSORS else SIZES,
            is_default=unit == TOPICS,
            compared=(-0.75, 0.75),
        )
        for unit, sampled in _NAMES.items()
    ),
    *(
        Family(
            title,
            "topics",
            {model.name: simulate(model) for model in (*WITHOUT_TASTES, *REAL)},
            compared=(-0.75, 0.75),
        )
        for title, simulate in (("τ_AP", _simulate_weighted), ("τ of the best", _simulate_best))
    ),
    Family(
        "τ over systems",
        "systems",
        {f"true τ {tau:g}": _simulate_systems(tau) for tau in (0, 1 / 3, 0.6, 0.87)},
        is_default=False,
        compared=(-0.75, 0.75),
    ),
)
