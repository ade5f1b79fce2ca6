"""What a design of a topic set is: a value that says what so many topics reach, and its power."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.agreement.intervals import Floats
from core.errors import BadInput
from core.planning.variance import ScoreVariance, Variance
from core.registry import Registry, Value

MOST_TOPICS = 100_000
"""No more topics than that are planned with."""

TOO_MANY = f"more than {MOST_TOPICS:,} topics"
NO_VARIANCE = "without variance any difference shows"

LEAST_TOPICS = 2


@dataclass(frozen=True)
class Requirement:
    """What a topic set is to achieve.

    Parameters
    ----------
    effect : float, default 0.05
        The difference of two mean scores that is to be found, above 0. Of several systems: that
        of the best and the worst.
    power : float, default 0.8
        How often it is to be found where it is there, above ``alpha`` and below 1.
    alpha : float, default 0.05
        How often a difference may be found where there is none; of a confidence interval, how often
        it may miss.
    systems : int, default 2
        How many systems are compared.
    width : float, optional
        How wide the confidence interval of a difference may be on average; twice the effect, when
        absent, so that a difference as large as the effect is an end away from 0.

    Raises
    ------
    BadInput
        A number is out of its range; says which.
    """

    effect: float = 0.05
    power: float = 0.8
    alpha: float = 0.05
    systems: int = 2
    width: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.effect < np.inf:
            raise BadInput("the difference to find is above 0", field="effect")
        if not 0 < self.alpha < 1:
            raise BadInput("the significance level is between 0 and 1", field="alpha")
        if not self.alpha < self.power < 1:
            raise BadInput("the power is above the significance level and below 1", field="power")
        if self.systems < 2:
            raise BadInput("two systems are compared, or more", field="systems")
        if self.width is not None and not 0 < self.width < np.inf:
            raise BadInput("the width of an interval is above 0", field="width")

    @property
    def interval_width(self) -> float:
        """How wide an interval may be on average."""
        return 2 * self.effect if self.width is None else self.width


@dataclass(frozen=True)
class Design(Value, ABC):
    """A way to say how many topics a collection needs.

    Notes
    -----
    ``varies`` names what the variance is of, ``title`` what people call the design. ``has_power``
    tells a test, which has power, from an interval, which has a width; ``is_of_many`` whether the
    number of systems plays a part.
    """

    title: ClassVar[str]
    varies: ClassVar[str]
    has_power: ClassVar[bool] = True
    is_of_many: ClassVar[bool] = True

    @abstractmethod
    def choose(self, variance: ScoreVariance) -> Variance:
        """Return which of the variances the design takes."""

    @abstractmethod
    def reach(self, topics: Floats, variance: float, wanted: Requirement) -> Floats:
        """Return what so many topics reach: the power, or the mean width of the interval.

        Parameters
        ----------
        topics : array, shape (n,)
            Numbers of topics, from 2.
        variance : float
            Of what ``varies`` says, above 0.
        wanted : Requirement
            The effect, α and the systems count; power and width do not.
        """

    def suffices(self, reached: Floats, wanted: Requirement) -> "np.typing.NDArray[np.bool_]":
        """Tell where what is reached is what is wanted."""
        return reached >= wanted.power


DESIGNS: Registry[Design] = Registry("design of a topic set", __package__)


def parse_design(text: str) -> Design:
    """Return the design of a topic set that a text like ``paired-t`` writes down.

    Raises
    ------
    BadInput
        The design is unknown; says which are known.
    """
    return DESIGNS.parse(text)


def count_topics(design: Design, variance: float, wanted: Requirement) -> float:
    """Return the least number of topics that achieves what is wanted.

    Parameters
    ----------
    design : Design
        How it is to be achieved.
    variance : float
        Of what ``design.varies`` says.
    wanted : Requirement
        What is to be achieved.

    Returns
    -------
    float
        A whole number from 2; infinite beyond 100,000; NaN where the variance is.
    """
    if np.isnan(variance):
        return float("nan")
    if variance <= 0:
        return float(LEAST_TOPICS)

    def is_enough(topics: int) -> bool:
        reached = design.reach(np.array([float(topics)]), variance, wanted)
        return bool(design.suffices(reached, wanted)[0])

    return find_least(is_enough, LEAST_TOPICS, MOST_TOPICS)


def find_least(is_enough: Callable[[int], bool], least: int, most: int) -> float:
    """Return the least whole number that is enough, where every larger one is, too; or infinity."""
    if is_enough(least):
        return float(least)
    low, high = least, 2 * least
    while high < most and not is_enough(high):
        low, high = high, 2 * high
    high = min(high, most)
    if not is_enough(high):
        return float("inf")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return float(high)


def find_effect(design: Design, topics: int, variance: float, wanted: Requirement) -> float:
    """Return the least difference that so many topics tell with the power that is wanted.

    Of an interval, it is half of its mean width: a difference beyond it has limits on one side of
    0 on average.

    Parameters
    ----------
    design, variance, wanted
        As for `count_topics`; the effect that is wanted plays no part.
    topics : int
        How many there are, from 2.

    Returns
    -------
    float
        Above 0; 0 without variance, NaN where the variance is.
    """
    from scipy.optimize import brentq

    if np.isnan(variance) or variance <= 0:
        return float(variance)
    number = np.array([float(topics)])
    if not design.has_power:
        return float(design.reach(number, variance, wanted)[0]) / 2

    def lacks(effect: float) -> float:
        tried = Requirement(effect, wanted.power, wanted.alpha, wanted.systems)
        return wanted.power - float(design.reach(number, variance, tried)[0])

    scale = (variance / topics) ** 0.5
    high = scale
    while lacks(high) > 0:
        high *= 2
    return float(brentq(lacks, scale * 1e-6, high, xtol=scale * 1e-9))


def power_of_f(groups: int, freedom: Floats, noncentrality: Floats, alpha: float) -> Floats:
    """Return how often F is above its critical value at α.

    Parameters
    ----------
    groups : int
        Degrees of freedom of the numerator, from 1.
    freedom : array, shape (n,)
        Degrees of freedom of the denominator, from 1.
    noncentrality : array, shape (n,)
        The noncentrality λ, at least 0.
    alpha : float
        The significance level.

    Returns
    -------
    array, shape (n,)
        From α to 1.

    Notes
    -----
    With one degree of freedom in the numerator F is the square of t, so that this is the power of
    a two-sided t-test.
    """
    from scipy.special import fdtri

    return exceed_f(groups, freedom, noncentrality, fdtri(groups, freedom, 1 - alpha))


def exceed_f(groups: int, freedom: Floats, noncentrality: Floats, critical: Floats) -> Floats:
    """Return how often noncentral F is above a critical value, shape (n,)."""
    from scipy.special import ncfdtr

    power: Floats = 1 - ncfdtr(groups, freedom, noncentrality, critical)
    return np.clip(power, 0, 1)
