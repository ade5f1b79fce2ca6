"""Limits of Δ and tests of interleaving, as the product computes them, on simulated users."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.special import expit

from core.interleaving.ab_test import ArmDifference, Users, adjust_by_before, compare_arms
from core.interleaving.base import METHODS, Method, parse_method
from core.interleaving.outcomes import InterleavedComparison, Outcomes, compare_rankings
from core.interleaving.pairs import pair_documents
from core.interleaving.power import simulate_power
from core.interleaving.traffic import Traffic, simulate_interleaving
from core.interleaving.users import parse_user
from tests.calibration import coverage
from tests.calibration.coverage import Coverage, Family, Simulate, count

SIZES = (10, 21, 50)
IMPRESSIONS = (50, 200)
VISITS = (50, 500)
SHORT = 2
"""So many documents an A/B test shows: of more everybody would click one, and nobody abandon."""

DOCUMENTS = 20


@dataclass(frozen=True)
class SessionModel:
    """Sessions of one to ``most`` lists.

    A list is won by anybody with probability ``decided``, by the first oftener by the session's
    lead: ``lead`` on average, with a standard deviation of ``spread``.
    """

    name: str
    most: int
    decided: float
    lead: float
    spread: float

    def draw(self, sessions: int, rng: np.random.Generator) -> Outcomes:
        """Return so many sessions."""
        session = np.repeat(np.arange(sessions), rng.integers(1, self.most + 1, size=sessions))
        leads = np.clip(self.lead + self.spread * rng.normal(size=sessions), -1, 1)[session]
        is_won = rng.random(len(session)) < self.decided
        of_first = rng.random(len(session)) < (1 + leads) / 2
        won = np.stack([is_won & of_first, is_won & ~of_first], axis=1).astype(np.float64)
        return Outcomes(session, won, is_won)


SESSIONS = (
    SessionModel("one list each", 1, 0.4, 0.6, 0.0),
    SessionModel("one list each, mostly ties", 1, 0.1, 0.3, 0.5),
    SessionModel("up to five lists, sessions differ", 5, 0.4, 0.3, 0.5),
    SessionModel("up to twenty lists, sessions differ much", 20, 0.9, 0.0, 2.0),
)


def _cover(model: SessionModel) -> Simulate:
    def simulate(sessions: int, studies: int) -> list[Coverage]:
        rng = np.random.default_rng([sessions, studies])
        whole = model.draw(10 * coverage.MANY, np.random.default_rng(1)).won
        truth = float((whole[:, 0] - whole[:, 1]).mean() / 2)
        drawn = [compare_rankings(model.draw(sessions, rng), rng) for _ in range(studies)]
        found = np.array([(one.delta, one.low, one.high) for one in drawn])
        return [replace(count(found, truth), what="Δ", model=model.name, size=sessions)]

    return simulate


@dataclass(frozen=True)
class VisitModel:
    """Visits of users who are dealt to two arms: each finds something by the user's own chance.

    Parameters
    ----------
    chance, spread : float
        The mean log odds that a visit finds something, and its standard deviation between users.
    visits : float
        The mean number of visits of a user, geometrically spread; those with many find less.
    adjusted : bool
        Whether what five visits before the test found is allowed for.
    lead : float
        By how much the log odds are higher in the second arm.
    """

    name: str
    chance: float
    spread: float
    visits: float
    adjusted: bool = False
    lead: float = 0.0

    def compare(self, users: int, rng: np.random.Generator) -> ArmDifference:
        """Return what the product finds of so many users in each arm."""
        arm = np.repeat([0, 1], users)
        visits = rng.geometric(1 / self.visits, 2 * users)
        own = self.chance + self.spread * rng.normal(size=2 * users) - 0.3 * np.log(visits)
        outcome = rng.binomial(visits, expit(own + self.lead * arm)).astype(float)
        before = rng.binomial(5, expit(own)) / 5
        drawn = Users(arm, visits.astype(float), outcome, before)
        return adjust_by_before(drawn)[0] if self.adjusted else compare_arms(drawn)


VISITORS = (
    VisitModel("one visit each", -1.0, 1.0, 1.0),
    VisitModel("many visits", -1.0, 1.5, 5.0),
    VisitModel("little is found", -3.0, 1.0, 3.0),
    VisitModel("many visits, adjusted", -1.0, 1.5, 5.0, adjusted=True),
)


def _cover_arms(model: VisitModel) -> Simulate:
    def simulate(users: int, studies: int) -> list[Coverage]:
        rng = np.random.default_rng([users, studies, 7])
        drawn = [model.compare(users, rng) for _ in range(studies)]
        found = np.array([(one.value, one.low, one.high) for one in drawn])
        return [replace(count(found, 0.0), what="difference", model=model.name, size=users)]

    return simulate


def try_arms(model: VisitModel, users: int, studies: int) -> np.ndarray:
    """Return the p of so many studies."""
    rng = np.random.default_rng([users, studies, 8])
    return np.array([model.compare(users, rng).p for _ in range(studies)])


FAMILIES = (
    Family(
        "Difference of two arms",
        "users",
        {model.name: _cover_arms(model) for model in VISITORS},
        (50,),
    ),
    Family(
        "Δ of interleaving",
        "sessions",
        {model.name: _cover(model) for model in SESSIONS},
        SIZES,
        is_rare=True,
        compared=(0.02, np.inf),
    ),
)


def make_traffic(kind: str, topics: int = 10) -> Traffic:
    """Return users of two runs that are 'identical', 'as good' or of which the first is 'better'.

    Two runs that are as good have changed places in every other topic.
    """
    rng = np.random.default_rng(7)
    names = [f"d{at:02}" for at in range(DOCUMENTS)]
    pairs, relevance = [], []
    for _ in range(topics):
        useful = rng.integers(0, 5, size=DOCUMENTS) / 4
        good, poor = (
            [names[at] for at in np.argsort(noise * rng.normal(size=DOCUMENTS) - useful)]
            for noise in (0.3, 0.8)
        )
        both = {"identical": [(good, good)], "better": [(good, poor)]}
        for one, other in both.get(kind, [(good, poor), (poor, good)]):
            pair = pair_documents("t", one, other)
            pairs.append(pair)
            relevance.append(np.array([useful[names.index(id_)] for id_ in pair.documents]))
    return Traffic(tuple(pairs), tuple(relevance), parse_user("navigational"))


TESTS_OF_LISTS = {"sign test": "p", "ties as half": "p_ties_half", "bootstrap": "p_bootstrap"}
"""By what a test is called: where its p is."""


@lru_cache(maxsize=64)
def find_p(kind: str, method: Method, size: int, studies: int) -> dict[str, np.ndarray]:
    """Return p of each test of studies of so many lists, each in a session of its own."""
    rng = np.random.default_rng([size, studies])
    whole = simulate_interleaving(make_traffic(kind), method, size * studies, rng)
    found: list[InterleavedComparison] = []
    for study in range(studies):
        rows = slice(study * size, (study + 1) * size)
        part = Outcomes(whole.session[rows], whole.won[rows], whole.clicked[rows])
        found.append(compare_rankings(part, rng))
    return {
        test: np.array([getattr(one, name) for one in found])
        for test, name in TESTS_OF_LISTS.items()
    }


def list_methods() -> list[Method]:
    """Return every way to interleave that is offered."""
    return [parse_method(text) for text in METHODS.suggested()]


def find_arms(kind: str, size: int, studies: int) -> dict[str, float]:
    """Return the share of studies of so many visits in which an A/B test finds a difference."""
    rng = np.random.default_rng([size, studies])
    traffic = replace(make_traffic(kind), length=SHORT)
    power = simulate_power(traffic, [], size, rng, simulations=max(studies, 20))
    last = power[power["impressions"] == size]
    return dict(zip(last["measure"], last["found"], strict=True))
