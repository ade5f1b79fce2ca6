"""How often limits of τ hold it, and how often orders that are one come out different."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import kendalltau

from core.comparison.rank_correlation import tau_interval
from core.comparison.tau_limits import ASSESSORS, BOTH, TOPICS, Order, sample_tau, try_same_order
from tests.calibration.coverage import Coverage
from tests.calibration.score_models import matrix_of

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
    """

    name: str
    spread: float
    turned: float = 0.0
    shared: float = 0.7
    taste: float = 0.0
    noisier: float = 1.0

    def draw(self, topics: int, systems: int, rng: np.random.Generator) -> tuple[Order, Order]:
        """Return the scores under both conditions; assessors judge three topics each."""
        skill = np.linspace(-1.5, 1.5, systems) * self.spread
        other = np.random.default_rng(5).permutation(skill)
        skills = skill, np.sqrt(1 - self.turned) * skill + np.sqrt(self.turned) * other
        chance = rng.normal(size=(topics, systems))
        own = rng.normal(size=(topics, systems))
        second = self.shared * chance + np.sqrt(1 - self.shared**2) * own
        number = -(-topics // ASSESSOR_TOPICS)
        judge = np.arange(topics) % number
        tastes = self.taste * rng.normal(size=(2, number, systems))
        ease = rng.normal(size=(topics, 1))
        judges = {f"t{at:03}": [f"a{judge[at]}"] for at in range(topics)}
        first, last = (
            matrix_of(part + noise + ease + taste[judge])
            for part, noise, taste in zip(
                skills, (chance, self.noisier * second), tastes, strict=True
            )
        )
        return Order(first, judges), Order(last, judges)


MODELS = (
    OrderModel("all systems alike", 0.0),
    OrderModel("one order, close", 0.3),
    OrderModel("one order, clear", 1.0),
    OrderModel("orders differ", 1.0, turned=0.5),
    OrderModel("unrelated orders", 0.5, turned=1.0, shared=0.3),
    OrderModel("assessors have tastes", 0.5, taste=0.7),
)
SAME = (*MODELS[:3], OrderModel("one order, second noisier", 0.3, noisier=3))
"""Models under which the true order is one."""


def find_tau(first: Order, second: Order) -> float:
    """Return τ of the means."""
    means = (one.scores.values.mean(axis=0) for one in (first, second))
    return float(kendalltau(*means).statistic)


def cover_tau(unit: str, model: OrderModel, topics: int, systems: int, studies: int) -> Coverage:
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
    return _count(name, model.name, topics, found, truth)


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
    return _count(f"τ over systems, {systems} systems", f"true τ {tau:g}", systems, found, tau)


def rate_of_differing(model: OrderModel, topics: int, systems: int, studies: int) -> float:
    """Return how often two orders come out different at α = .05."""
    rng = np.random.default_rng([topics, systems, studies])
    p = [
        try_same_order(*model.draw(topics, systems, rng), rng, samples=DRAWS).p
        for _ in range(studies)
    ]
    return float((np.array(p) < 0.05).mean())


def _count(name: str, model: str, topics: int, found: np.ndarray, truth: float) -> Coverage:
    value, low, high = found.T
    known = ~np.isnan(low)
    slack = 1e-9
    inside = ((low - slack <= truth) & (truth <= high + slack))[known]
    ends = np.quantile(value[~np.isnan(value)], [0.025, 0.975])
    least = float(ends[1] - ends[0])
    width = float((high - low)[known].mean() / least) if least > slack else np.inf
    covered, absent = float(inside.mean()), float(1 - known.mean())
    return Coverage(name, model, topics, len(found), covered, absent, width)
