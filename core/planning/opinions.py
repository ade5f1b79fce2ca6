"""Where the variance of labels comes from: topics, items, assessors; and what more of each buys.

References
----------
Brennan (2001), Generalizability Theory, Springer.
Searle, Casella and McCulloch (1992), Variance Components, Wiley, chapter 5.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.agreement.intervals import Floats
from core.agreement.ratings import Codes, Ratings
from core.errors import TooLittleData
from core.planning.variance import (
    FEW_TOPICS,
    LEAST_TOPICS,
    NOTHING,
    find_freedom,
    limit_by_freedom,
    limit_by_spread,
    spread_without,
)

FACETS = ("topic", "item", "assessor", "residual")

MOST_PARTS = 50
"""Into so many parts topics are put at most, of which each is left out in turn."""

ONE_OPINION = "no item has opinions of two people, so that nothing tells people and items apart"
ONE_TOPIC = "the labels are of one topic; how topics differ takes two"


@dataclass(frozen=True)
class Opinions:
    """Labels as numbers, with what each is of and by whom; arrays have shape (n_labels,).

    Parameters
    ----------
    value : array
        The levels.
    item, assessor : array of int
        Codes; an assessor has at most one label on an item.
    topic : array of int
        Codes of the topic of each label; an item is of one topic.
    """

    value: Floats
    item: Codes
    topic: Codes
    assessor: Codes

    @classmethod
    def of(cls, ratings: Ratings) -> "Opinions":
        """Return the labels of a facet."""
        levels = np.asarray(ratings.levels, dtype=np.float64)
        return cls(levels[ratings.level], ratings.item, ratings.topic, ratings.assessor)

    def __post_init__(self) -> None:
        for name in ("item", "topic", "assessor"):
            found = np.unique(getattr(self, name), return_inverse=True)[1]
            object.__setattr__(self, name, found.astype(np.int64))

    def only(self, chosen: npt.NDArray[np.bool_]) -> "Opinions":
        """Return some of the labels."""
        parts = (getattr(self, name)[chosen] for name in ("value", "item", "topic", "assessor"))
        return Opinions(*parts)

    @cached_property
    def counts(self) -> Floats:
        """How many opinions each item has, shape (n_items,)."""
        return np.bincount(self.item).astype(np.float64)

    @cached_property
    def topic_of(self) -> Codes:
        """The topic of each item, shape (n_items,)."""
        found = np.empty(len(self.counts), dtype=np.int64)
        found[self.item] = self.topic
        return found

    @cached_property
    def sizes(self) -> Floats:
        """How many items each topic has, shape (n_topics,)."""
        return np.bincount(self.topic_of).astype(np.float64)

    @property
    def people(self) -> int:
        """How many assessors there are."""
        return int(self.assessor.max()) + 1


@dataclass(frozen=True)
class Facets:
    """Variances of labels by what they come from, in squared levels.

    Parameters
    ----------
    topic, item, assessor, residual : float
        Of topics, of items within a topic, of how high assessors judge, and of what is left: an
        assessor's own view of an item, and chance. At least 0.
    """

    topic: float
    item: float
    assessor: float
    residual: float


def estimate_facets(opinions: Opinions) -> Facets:
    """Estimate variance components from whatever labels there are, without bias.

    Residual and assessors come from how labels of one item differ, in which topics and items play
    no part: from the squared deviations from items' means, and from the squares of what they sum
    to for each assessor, over the number of labels that would be his alone. Items and topics come
    from the mean squares of unweighted means of items and of topics, less what the others add to
    them. Residual and items are means over topics, each weighing the same, as in a mean score.

    Each sum of squares is set equal to what it is on average for random effects, however many
    labels an item has and whoever gave them; with as many of all, these are the estimates of the
    analysis of variance. What comes out below 0 is 0.

    Raises
    ------
    TooLittleData
        No item has two opinions, or there is one topic only.
    """
    if not len(opinions.value) > len(opinions.counts):
        raise TooLittleData(ONE_OPINION)
    if len(opinions.sizes) < 2:
        raise TooLittleData(ONE_TOPIC)
    return Facets(*np.maximum(_solve(opinions), 0.0).tolist())


def _solve(given: Opinions) -> Floats:
    """Return the four variances, perhaps below 0; NaN where the labels do not tell them."""
    if not len(given.value):
        return np.full(4, np.nan)
    topics, items = len(given.sizes), len(given.counts)
    if len(given.value) == items or topics < 2:
        return np.full(4, np.nan)
    mean = np.bincount(given.item, given.value) / given.counts
    assessor, residual, _ = _solve_people(given, mean)
    return np.array([*_solve_items(given, mean, assessor, residual), assessor, residual])


def _solve_people(given: Opinions, mean: Floats) -> tuple[float, float, Floats]:
    """Return the variance of assessors, the residual, and what each adds to the first.

    What they add sums to the variance and what the residual adds to it.
    """
    from scipy.sparse import csr_array

    apart = given.value - mean[given.item]
    labels, items, people = len(given.value), len(given.counts), given.people
    summed = np.bincount(given.assessor, apart, people)
    shape = items, people
    judged = csr_array((np.ones(labels), (given.item, given.assessor)), shape=shape)
    shared = csr_array((1 / given.counts[given.item], (given.item, given.assessor)), shape=shape)
    # How sums of deviations follow from how high each judges: a Laplacian of who judged with whom.
    together = (judged.T @ shared).tocoo()
    load = np.bincount(given.assessor, minlength=people).astype(np.float64)
    own = load - np.bincount(given.assessor, 1 / given.counts[given.item], people)
    row, column, weight = together.row, together.col, -together.data
    weight = np.where(row == column, weight + load[row], weight)
    known = own > _ROUNDING
    safe = np.where(known, own, 1.0)
    added = (summed**2 / safe)[known]
    squares = float(added.sum())
    of_people = float(np.where(known[row], weight**2 / safe[row], 0.0).sum())
    several, free = int(known.sum()), np.bincount(given.topic) - given.sizes
    inside = np.bincount(given.topic, apart**2)
    both = float((inside[free > 0] / free[free > 0]).mean())
    if of_people - several <= _ROUNDING * labels:
        return 0.0, both, np.zeros(0)
    assessor = (squares - several * both) / (of_people - several)
    return assessor, both - assessor, added / of_people


def _solve_items(
    given: Opinions, mean: Floats, assessor: float, residual: float
) -> tuple[float, float]:
    """Return the variance of topics and of items within topics."""
    topics, people = len(given.sizes), given.people
    topic, size, part = given.topic_of, given.sizes, 1 / given.counts
    means = np.bincount(topic, mean) / size
    parts, several = np.bincount(topic, part), size > 1
    where, who, of_cell = _share_topics(given)
    # One item a topic: what items do is what topics do.
    item = 0.0
    if several.any():
        within = np.bincount(topic, (mean - means[topic]) ** 2)[several] / (size[several] - 1)
        by_people, by_chance = _find_shares(given)
        item = float(within.mean()) - assessor * by_people - residual * by_chance
    between = float(((means - means.mean()) ** 2).sum())
    of_mean = of_cell / size[where]
    by_people = float((of_mean**2).sum())
    by_people -= float((np.bincount(who, of_mean, people) ** 2).sum()) / topics
    left = 1 - 1 / topics
    between -= assessor * by_people + residual * left * float((parts / size**2).sum())
    return (between - item * left * float((1 / size).sum())) / (topics - 1), item


def _share_topics(given: Opinions) -> tuple[Codes, Codes, Floats]:
    """Return topics and assessors that meet, and how many items of it are the assessor's."""
    cells, cell = np.unique(given.topic * given.people + given.assessor, return_inverse=True)
    where, who = np.divmod(cells, given.people)
    part: Floats = 1 / given.counts
    return where, who, np.bincount(cell, part[given.item]).astype(np.float64)


def _find_shares(given: Opinions) -> tuple[float, float]:
    """Return what assessors and chance add to how item means of a topic vary, a mean over topics.

    Topics of one item are left out.
    """
    size, part = given.sizes, 1 / given.counts
    several = size > 1
    where, _, of_cell = _share_topics(given)
    together = np.bincount(where, of_cell**2) / size
    squares = np.bincount(given.topic, (part**2)[given.item]) - together
    by_people = squares[several] / (size[several] - 1)
    by_chance = np.bincount(given.topic_of, part)[several] / size[several]
    return float(by_people.mean()), float(by_chance.mean())


def find_nesting(opinions: Opinions) -> float:
    """Return how far people are nested in items, from 0 to 1.

    It is 0 where the same people judge all items of a topic, 1 where each item has people of its
    own: what how high they judge adds to the variance of item means within topics, over what it
    would add then. 0 where no topic has two items.
    """
    if not (opinions.sizes > 1).any():
        return 0.0
    by_people, by_chance = _find_shares(opinions)
    return min(max(by_people / by_chance, 0.0), 1.0)


_ROUNDING = 1e-9


@dataclass(frozen=True)
class KnownFacets:
    """Variances of labels, and how well they are known.

    Parameters
    ----------
    whole : Facets
        Of all labels.
    without : tuple of Facets
        Without each part of the topics; what the rest does not tell is left out.
    of_assessors : float
        The variance of assessors and what the residual adds to it: that of so many values.
    freedom : float
        Degrees of freedom of that: at most as many as there are assessors, less one for each group
        of them that has no item in common with another; fewer where a few are far off.
    topics : int
        How many there are.
    """

    whole: Facets
    without: tuple[Facets, ...]
    of_assessors: float
    freedom: float
    topics: int


def know_facets(opinions: Opinions) -> KnownFacets:
    """Estimate variances, and anew without each topic.

    More than 50 topics are put into 50 parts, of which each is left out.

    Raises
    ------
    TooLittleData
        As `estimate_facets`.
    """
    whole = estimate_facets(opinions)
    topics = len(opinions.sizes)
    part = opinions.topic % MOST_PARTS
    rest = (_solve(opinions.only(part != one)) for one in range(min(topics, MOST_PARTS)))
    without = (Facets(*np.maximum(one, 0.0).tolist()) for one in rest if not np.isnan(one).any())
    mean = np.bincount(opinions.item, opinions.value) / opinions.counts
    *_, added = _solve_people(opinions, mean)
    freedom = find_freedom(added, _count_freedom(opinions))
    return KnownFacets(whole, tuple(without), float(added.sum()), freedom, topics)


def _count_freedom(given: Opinions) -> int:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    shape = len(given.counts), given.people
    judged = csr_array((np.ones(len(given.item)), (given.item, given.assessor)), shape=shape)
    groups, _ = connected_components(judged.T @ judged, directed=False)
    return given.people - int(groups)


@dataclass(frozen=True)
class OpinionDesign:
    """What is planned.

    Parameters
    ----------
    topics, items, opinions : float
        How many topics, items of each that a score is the mean of, and opinions on an item.
    people : float
        Who share the work in equal parts.
    nesting : float
        How far people are nested in items: see `find_nesting`.
    """

    topics: float
    items: float
    opinions: float
    people: float
    nesting: float

    def with_more(self, topics: int = 0, opinions: int = 0) -> "OpinionDesign":
        """Return the same with more topics, or more opinions on each item."""
        return replace(self, topics=self.topics + topics, opinions=self.opinions + opinions)

    def vary_mean(self, facets: Facets) -> float:
        """Return the variance of a system's mean level."""
        own = self.vary_difference(facets) / 2
        return own + facets.topic / self.topics + facets.assessor / self.people

    def vary_difference(self, facets: Facets) -> float:
        """Return the variance of the difference of two systems that return different items.

        Both are on the same topics, so that these play no part. How high people judge plays a part
        as far as other people judge other items.
        """
        of_people = (facets.residual + self.nesting * facets.assessor) / self.opinions
        return 2 * (facets.item + of_people) / (self.items * self.topics)


class StandardError(NamedTuple):
    """A standard error with 95 % limits; these are NaN where ``reason`` says why."""

    value: float
    low: float
    high: float
    reason: str


def error_of_difference(known: KnownFacets, design: OpinionDesign) -> StandardError:
    """Return the standard error of the difference of two systems, judged by these people.

    Topics are what is sampled. The same people go on, however high each judges.
    """
    return _limit(known, design.vary_difference)


def error_of_mean(known: KnownFacets, design: OpinionDesign) -> StandardError:
    """Return the standard error of a system's mean level; topics and assessors are sampled.

    Limits of what topics bring and of what assessors bring are put together as those of a sum.

    References
    ----------
    Graybill and Wang (1980), JASA 75(372), doi:10.1080/01621459.1980.10477565.
    """
    topics = _limit(known, lambda one: design.vary_mean(replace(one, assessor=0.0)))
    value = design.vary_mean(known.whole)
    if topics.reason:
        return topics._replace(value=value**0.5)
    own, others = topics.value**2, known.of_assessors
    part = design.vary_mean(Facets(0.0, 0.0, 1.0, 0.0))
    low, high = limit_by_freedom(others, known.freedom) if others else (0.0, 0.0)
    below = np.hypot(own - topics.low**2, (others - low) * part)
    above = np.hypot(topics.high**2 - own, (high - others) * part)
    return StandardError(
        value**0.5, max(value - below, topics.low**2) ** 0.5, (value + above) ** 0.5, ""
    )


def _limit(known: KnownFacets, vary: Callable[[Facets], float]) -> StandardError:
    value = vary(known.whole)
    if not value > 0:
        return StandardError(0.0, np.nan, np.nan, NOTHING)
    if len(known.without) < LEAST_TOPICS:
        return StandardError(value**0.5, np.nan, np.nan, FEW_TOPICS)
    spread = spread_without(np.array([vary(one) for one in known.without]))
    low, high = limit_by_spread(value, spread, known.topics)
    return StandardError(value**0.5, low**0.5, high**0.5, "")
