"""How often limits of a variance, and so of topics and standard errors, hold what they should."""

from dataclasses import dataclass, replace

import numpy as np

from core.planning.opinions import (
    Facets,
    KnownFacets,
    OpinionDesign,
    Opinions,
    error_of_difference,
    error_of_mean,
    know_facets,
)
from core.planning.variance import estimate_variance
from tests.calibration.coverage import SIZES, Coverage, Family, Simulate, count
from tests.calibration.score_models import (
    ALIKE_RUNS,
    DIFFERENT,
    EQUAL,
    RunsModel,
    ScoreModel,
    Scores,
    matrix_of,
)

SYSTEMS = (2, 12)
MANY = 100_000
"""Topics from which the true variance is taken."""

KINDS = ("residual", "within")


@dataclass(frozen=True)
class Bounded:
    """Scores between 0 and 1 that are skewed as those of AP on hard topics are.

    Systems have the topic's ease in common; what each adds is largest on topics of middling ease.
    """

    name: str = "between 0 and 1, skewed"

    def draw(self, topics: int, systems: int, rng: np.random.Generator) -> Scores:
        """Return scores by topic and system."""
        ease = rng.beta(0.8, 2, (topics, 1))
        return rng.beta(4 * ease + 1e-3, 4 * (1 - ease) + 1e-3, (topics, systems))


MODELS = (*EQUAL, *(one for one in DIFFERENT if one.skewed), Bounded(), *ALIKE_RUNS)


def _find(values: Scores, highest: float) -> np.ndarray:
    """Return value and limits of both variances, as logarithms, shape (2, 3).

    What is planned, the number of topics, grows in proportion to the variance.
    """
    found = estimate_variance(matrix_of(values), highest)
    own = [(one.value, one.low, one.high) for one in (found.residual, found.within)]
    return np.log(own)


def _simulate(model: ScoreModel | Bounded | RunsModel) -> Simulate:
    highest = np.inf if isinstance(model, ScoreModel) else 1.0

    def simulate(topics: int, studies: int) -> list[Coverage]:
        counted = []
        for systems in SYSTEMS:
            rng = np.random.default_rng([topics, systems, studies])
            truth = _find(model.draw(MANY, systems, np.random.default_rng(1)), highest)[:, 0]
            found = np.array(
                [_find(model.draw(topics, systems, rng), highest) for _ in range(studies)]
            )
            counted += [
                replace(
                    count(found[:, at], float(truth[at])),
                    what=f"{kind}, {systems} systems",
                    model=model.name,
                    size=topics,
                    studies=studies,
                )
                for at, kind in enumerate(KINDS)
            ]
        return counted

    return simulate


@dataclass(frozen=True)
class OpinionModel:
    """Labels with an effect of their topic, their item, their assessor, and of their own.

    Parameters
    ----------
    name : str
        What the table calls it.
    facets : Facets
        The true variances.
    people, opinions : int
        How many there are, and how many judge an item, drawn at random.
    is_skewed : bool
        Whether effects are gamma of shape 2, with a skewness of 1.4 (that of how high a crowd's
        members judge is .9 in TREC 2010); else they are normal.
    share : float
        Of the labels that were given at all; topics then differ in size, too.
    items : int
        Of a topic, on average.
    is_paired : bool
        Whether each two of them judge topics of their own, as those of TREC 2019 did.
    """

    name: str
    facets: Facets
    people: int
    opinions: int
    is_skewed: bool = False
    share: float = 1.0
    items: int = 8
    is_paired: bool = False

    def draw(self, topics: int, rng: np.random.Generator) -> Opinions:
        """Return labels of so many topics."""
        return self.draw_with_people(topics, rng)[0]

    def draw_with_people(self, topics: int, rng: np.random.Generator) -> tuple[Opinions, Facets]:
        """Return labels, and the facets in which people are those that were drawn."""
        sizes = np.full(topics, self.items)
        if self.share < 1:
            sizes = np.maximum(rng.poisson(self.items, topics), 2)
        topic = np.repeat(np.arange(topics), sizes)
        items = len(topic)
        who = np.argsort(rng.random((items, self.people)), axis=1)[:, : self.opinions].ravel()
        if self.is_paired:
            pair = rng.integers(self.people // 2, size=topics)[topic]
            who = (2 * pair[:, np.newaxis] + np.arange(2)).ravel()
        item = np.repeat(np.arange(items), self.opinions)
        value = self._effect(self.facets.topic, topics, rng)[topic[item]]
        value += self._effect(self.facets.item, items, rng)[item]
        people = self._effect(self.facets.assessor, self.people, rng)
        value += people[who]
        value += self._effect(self.facets.residual, len(item), rng)
        given = rng.random(len(item)) < self.share
        drawn = Opinions(value[given], item[given], topic[item][given], who[given])
        return drawn, replace(self.facets, assessor=float(people.var(ddof=1)))

    @property
    def nesting(self) -> float:
        """How far people are nested in items, on average."""
        return 0.0 if self.is_paired else 1 - self.opinions / self.people

    def _effect(self, variance: float, number: int, rng: np.random.Generator) -> np.ndarray:
        skewed = rng.gamma(2, size=number) / 2**0.5 - 2**0.5
        return (skewed if self.is_skewed else rng.normal(size=number)) * variance**0.5


CROSSED, CROWD = Facets(0.08, 0.36, 0.1, 0.43), Facets(0.01, 0.06, 0.24, 0.31)
"""About what labels of two trained people, and of a crowd, come to."""

OPINION_MODELS = (
    OpinionModel("everybody judges all", CROSSED, 5, 5),
    OpinionModel("pairs at random", CROSSED, 8, 2),
    OpinionModel("a crowd, some missing", CROWD, 40, 4, share=0.7),
    OpinionModel("fixed pairs by topic", CROSSED, 8, 2, is_paired=True),
    OpinionModel("skewed, some missing", CROSSED, 8, 3, is_skewed=True, share=0.8),
)


def _find_errors(known: KnownFacets, design: OpinionDesign) -> np.ndarray:
    found = error_of_mean(known, design), error_of_difference(known, design)
    return np.log([one[:3] for one in found])


def _simulate_opinions(model: OpinionModel) -> Simulate:
    def simulate(topics: int, studies: int) -> list[Coverage]:
        rng = np.random.default_rng([topics, studies])
        design = OpinionDesign(2 * topics, 5, 2, model.people, model.nesting)
        mean, found = np.log(design.vary_mean(model.facets)) / 2, []
        for _ in range(studies):
            drawn, facets = model.draw_with_people(topics, rng)
            # A difference is one of systems that these people judge.
            difference = np.log(design.vary_difference(facets)) / 2
            errors = _find_errors(know_facets(drawn), design)
            found.append(errors - np.array([[mean], [difference]]))
        both = np.array(found)
        return [
            replace(
                count(both[:, at], 0.0),
                what=what,
                model=model.name,
                size=topics,
                studies=studies,
            )
            for at, what in enumerate(OF_OPINIONS)
        ]

    return simulate


OF_OPINIONS = ("error of a mean", "error of a difference")

FAMILIES = (
    Family(
        "Variance of a pilot's scores",
        "topics",
        {model.name: _simulate(model) for model in MODELS},
    ),
    Family(
        "Standard errors by topics and opinions",
        "topics",
        {model.name: _simulate_opinions(model) for model in OPINION_MODELS},
        SIZES[2:],
    ),
)
