"""Simulated scores of systems by stated models: what tests and limits of differences meet.

A score is the topic's ease, the system's skill and chance. Unless a model says otherwise, chance is
normal, by itself for each topic and system, and with the same standard deviation for all: 1. The
ease of a topic is the same for all systems and has a standard deviation of 2.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtr

from core.comparison.score_matrix import ScoreMatrix
from tests.calibration.shapes import ONE_RUN_SHAPES, PARTS, SCORE_SHAPES, OneRunShape

Scores = npt.NDArray[np.float64]
"""Shape (n_topics, n_systems)."""


@dataclass(frozen=True)
class ScoreModel:
    """How scores come about.

    Parameters
    ----------
    name : str
        What is particular about it.
    spread : float
        Systems' skills lie so far apart, from the first to the last; 0 where all are equal.
    uneven : float
        How many times the standard deviation of the last system is that of the first.
    duplicates : float
        The standard deviation by which all systems but the last differ from each other; 0 for none.
    skewed : bool
        Whether chance is exponential, less its mean, in place of normal.
    rarely : float
        On this share of the topics the first system gains much; on the others it loses a little,
        1, so that its mean is what it would be otherwise.
    """

    name: str
    spread: float = 0.0
    uneven: float = 1.0
    duplicates: float = 0.0
    skewed: bool = False
    rarely: float = 0.0

    def draw(self, topics: int, systems: int, rng: np.random.Generator) -> Scores:
        """Return scores by topic and system."""
        shape = topics, systems
        chance = rng.exponential(size=shape) - 1 if self.skewed else rng.normal(size=shape)
        chance *= np.geomspace(1, self.uneven, systems)
        if self.duplicates:
            chance[:, :-1] = chance[:, :1] + self.duplicates * rng.normal(
                size=(topics, systems - 1)
            )
        if self.rarely:
            gains = rng.random(topics) < self.rarely
            chance[:, 0] += np.where(gains, 1 / self.rarely - 1, -1)
        scores: Scores = self.means(systems) + chance + 2 * rng.normal(size=(topics, 1))
        return scores

    def means(self, systems: int) -> Scores:
        """Return what systems score in truth, but for the same number."""
        return np.linspace(self.spread, 0, systems)


EQUAL = (
    ScoreModel("systems alike"),
    ScoreModel("unequal variance", uneven=5),
    ScoreModel("near-duplicates", duplicates=0.1),
)
"""Nulls: no two systems differ in truth."""

RARELY = ScoreModel("one gains rarely and much", rarely=0.1)
"""Another null: the differences from one system lie mostly on one side."""

DIFFERENT = (
    ScoreModel("systems differ", spread=1.5),
    ScoreModel("differ, unequal variance", spread=1.5, uneven=5),
    ScoreModel("differ, skewed", spread=1.5, skewed=True),
)


def matrix_of(values: Scores, order: bool = False) -> ScoreMatrix:
    """Return drawn scores as the analyses take them; systems by their means where asked."""
    if order:
        values = values[:, np.argsort(-values.mean(axis=0), kind="stable")]
    topics, systems = values.shape
    return ScoreMatrix(
        tuple(f"s{at:02}" for at in range(systems)),
        tuple(f"t{at:03}" for at in range(topics)),
        values,
    )


@dataclass(frozen=True)
class MeanModel:
    """How one system's scores by a measure are spread over topics."""

    name: str
    measure: str
    draw: Callable[[tuple[int, ...], np.random.Generator], Scores]

    @cached_property
    def mean(self) -> float:
        """Return the mean over very many topics."""
        return float(self.draw((4_000_000,), np.random.default_rng(2)).mean())


@dataclass(frozen=True)
class RunsModel:
    """How scores of several systems are spread over topics, and how alike they are.

    Parameters
    ----------
    name, measure : str
        Where the scores are from, and what they are by.
    halves : tuple of callable
        Return the scores below which parts of the topics lie, of weaker and of stronger systems.
    similarity : float
        The correlation of two systems over topics, before scores are spread as they are.
    groups : int
        In how many groups systems are alike, beyond their similarity.
    """

    name: str
    measure: str
    halves: tuple[Callable[[Scores], Scores], Callable[[Scores], Scores]]
    similarity: float
    groups: int = 0

    def draw(self, topics: int, systems: int, rng: np.random.Generator) -> Scores:
        """Return scores of systems that do not differ in truth: all are stronger ones."""
        return self.halves[1](self._draw_parts(topics, systems, rng))

    def draw_runs(self, topics: int, systems: int, rng: np.random.Generator) -> Scores:
        """Return scores of systems of which every other one is a stronger one."""
        parts = self._draw_parts(topics, systems, rng)
        for at, half in enumerate(self.halves):
            parts[:, at::2] = half(parts[:, at::2])
        return parts

    def means(self, systems: int) -> Scores:
        """Return what the systems of `draw_runs` score in truth."""
        parts = (np.arange(100_000) + 0.5) / 100_000
        weaker, stronger = (float(half(parts).mean()) for half in self.halves)
        return np.where(np.arange(systems) % 2, stronger, weaker)

    def draw_twice(
        self,
        topics: int,
        skills: tuple[Scores, Scores],
        shared: float,
        rng: np.random.Generator,
    ) -> tuple[Scores, Scores]:
        """Return scores of systems under two conditions, topics being as easy under both.

        Skills go from 0, a weaker system, to 1, a stronger one, shape (n_systems,); chance is
        correlated by ``shared``, before scores are spread as they are.
        """
        shape = topics, len(skills[0])
        ease = rng.normal(size=(topics, 1))
        own = self._draw_own(shape, rng)
        other = shared * own + np.sqrt(1 - shared**2) * self._draw_own(shape, rng)
        parts = self._place(ease, own), self._place(ease, other)
        first, second = (
            (1 - skill) * self.halves[0](part) + skill * self.halves[1](part)
            for skill, part in zip(skills, parts, strict=True)
        )
        return first, second

    def _draw_parts(self, topics: int, systems: int, rng: np.random.Generator) -> Scores:
        own = self._draw_own((topics, systems), rng)
        return self._place(rng.normal(size=(topics, 1)), own)

    def _draw_own(self, shape: tuple[int, int], rng: np.random.Generator) -> Scores:
        own = rng.normal(size=shape)
        if self.groups:
            topics, systems = shape
            shared = rng.normal(size=(topics, self.groups))[:, np.arange(systems) % self.groups]
            own = np.sqrt(_IN_GROUPS) * shared + np.sqrt(1 - _IN_GROUPS) * own
        return own

    def _place(self, ease: Scores, own: Scores) -> Scores:
        return ndtr(np.sqrt(self.similarity) * ease + np.sqrt(1 - self.similarity) * own)

    def average(self, half: int) -> MeanModel:
        """Return what the scores of one system of a half are drawn from."""
        return MeanModel(
            f"{self.name}, {('weaker', 'stronger')[half]} runs",
            self.measure,
            lambda size, rng: self.halves[half](rng.random(size)),
        )


_IN_GROUPS = 0.95
"""So much of what systems do not share with all others, those of a group share."""

COLLECTIONS = tuple(
    RunsModel(
        f"{shape.measure} of {shape.collection}",
        shape.measure,
        (partial(shape.score, shape.weaker), partial(shape.score, shape.stronger)),
        shape.similarity,
    )
    for shape in SCORE_SHAPES
)
"""Runs of real collections."""

NAMED = {one.name: one for one in COLLECTIONS}
ALIKE_RUNS = (
    NAMED["nDCG@10 of dl19"],
    NAMED["AP of trec2"],
    replace(NAMED["nDCG@10 of dl19"], name="nDCG@10 of dl19, two groups", groups=2),
    replace(NAMED["AP of trec2"], name="AP of trec2, two groups", groups=2),
)
"""More nulls: runs of real collections that do not differ in truth, alike in groups or all."""

_BETA = {"most near 0": (0.15, 1.5), "nearly all near 0": (0.1, 1), "most near 1": (1.5, 0.15)}
CROWDED = tuple(
    RunsModel(f"AP, {name}", "AP", (partial(betaincinv, *two),) * 2, 0.6)
    for name, two in _BETA.items()
)
"""Of few such topics, those that are far off are seen too rarely."""

_AVERAGED = [one.average(half) for one in COLLECTIONS for half in (0, 1)]
AT_AN_END = tuple(one for one in _AVERAGED if one.name == "RR of dl19, stronger runs")
"""Nearly all topics have the highest score, so that there is hardly any variation."""


def _spread(shape: OneRunShape) -> MeanModel:
    return MeanModel(
        f"{shape.measure} of {shape.collection}",
        shape.measure,
        lambda size, rng: np.interp(rng.random(size), PARTS, shape.scores),
    )


ONE_RUN = tuple(map(_spread, ONE_RUN_SHAPES))
REAL = (*(one for one in _AVERAGED if one not in AT_AN_END), *ONE_RUN)

SCORES = (
    MeanModel("AP, of middling topics", "AP", lambda shape, rng: rng.beta(0.8, 2, shape)),
    MeanModel("AP, of hard topics", "AP", lambda shape, rng: rng.beta(0.4, 1.6, shape)),
    MeanModel("nDCG, of easy topics", "nDCG@10", lambda shape, rng: rng.beta(6, 2, shape)),
    MeanModel(
        "P@10, in steps", "P@10", lambda shape, rng: rng.binomial(10, rng.beta(1.5, 2, shape)) / 10
    ),
    MeanModel(
        "RR, by the first hit",
        "RR",
        lambda shape, rng: 1 / np.minimum(rng.geometric(0.4, shape), 10),
    ),
    MeanModel("DCG, without a highest score", "DCG@10", lambda shape, rng: rng.gamma(4, 2, shape)),
    MeanModel("CG, with a long tail", "CG", lambda shape, rng: rng.exponential(2, shape)),
    *REAL,
)
