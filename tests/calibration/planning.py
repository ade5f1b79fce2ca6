"""How often limits of a variance, and so of the number of topics, hold what they should."""

from dataclasses import dataclass, replace

import numpy as np

from core.planning.variance import estimate_variance
from tests.calibration.coverage import Coverage, Family, Simulate, count
from tests.calibration.score_models import DIFFERENT, EQUAL, ScoreModel, Scores, matrix_of

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


MODELS = (*EQUAL, *(one for one in DIFFERENT if one.skewed), Bounded())


def _find(values: Scores) -> np.ndarray:
    """Return value and limits of both variances, as logarithms, shape (2, 3).

    What is planned, the number of topics, grows in proportion to the variance.
    """
    found = estimate_variance(matrix_of(values))
    own = [(one.value, one.low, one.high) for one in (found.residual, found.within)]
    return np.log(own)


def _simulate(model: ScoreModel | Bounded) -> Simulate:
    def simulate(topics: int, studies: int) -> list[Coverage]:
        counted = []
        for systems in SYSTEMS:
            rng = np.random.default_rng([topics, systems, studies])
            truth = _find(model.draw(MANY, systems, np.random.default_rng(1)))[:, 0]
            found = np.array([_find(model.draw(topics, systems, rng)) for _ in range(studies)])
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


FAMILIES = (
    Family(
        "Variance of a pilot's scores",
        "topics",
        {model.name: _simulate(model) for model in MODELS},
    ),
)
