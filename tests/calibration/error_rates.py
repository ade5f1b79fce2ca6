"""How often tests of systems find a difference where none is, and where one is."""

from dataclasses import dataclass

import numpy as np

from core.comparison.difference_tests import compare_systems
from tests.calibration.score_models import ScoreModel, matrix_of

ALPHA = 0.05


@dataclass(frozen=True)
class ErrorRate:
    """What came of a test on studies of one size.

    Parameters
    ----------
    test, model : str
        What was tried, on what.
    topics, systems, studies : int
        Their numbers.
    rate : float
        The share of studies in which any two systems come out different.
    found : float
        The mean share of the pairs that come out different.
    """

    test: str
    model: str
    topics: int
    systems: int
    studies: int
    rate: float
    found: float

    @property
    def error(self) -> float:
        """Return the standard error of the rate, by simulating so few."""
        return float(np.sqrt(max(self.rate * (1 - self.rate), 1e-4) / self.studies))


def try_test(
    test: str,
    model: ScoreModel,
    topics: int,
    systems: int,
    studies: int,
    samples: int = 399,
    correction: str = "holm",
) -> ErrorRate:
    """Simulate studies and count what a test finds in them."""
    rng = np.random.default_rng([topics, systems, studies])
    found = np.empty(studies)
    for study in range(studies):
        matrix = matrix_of(model.draw(topics, systems, rng))
        made = 20_000 if test in ("randomisation", "bootstrap") else samples
        pairs = compare_systems(matrix, test, correction=correction, samples=made, rng=rng)
        found[study] = (pairs["p"] < ALPHA).mean()
    rate = float((found > 0).mean())
    return ErrorRate(test, model.name, topics, systems, studies, rate, float(found.mean()))
