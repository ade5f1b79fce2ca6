"""How much the items of a pilot move a figure of agreement, within topics and between them."""

from dataclasses import dataclass

import numpy as np

from core.agreement.coefficients import Kappa
from core.agreement.confusion import label_pairs
from core.agreement.intervals import Floats, divide
from core.agreement.pairwise import agreement_weights, margins
from core.agreement.pooled import part_items
from core.agreement.ratings import Codes, Ratings
from core.disagreement.user_disagreement import sum_by_topic
from core.errors import BadInput, TooLittleData

LEAST_TOPICS = 2
"""Topics that a pilot needs, so that they can be seen to differ."""


@dataclass(frozen=True)
class ItemSpread:
    """What one doubly judged item tells of a figure, and how alike the items of a topic are.

    Parameters
    ----------
    value : float
        The figure: κ, or a share.
    variance : float
        Of what an item adds: the variance of the figure would be this over the number of items if
        every item were of another topic.
    alike : float
        The intraclass correlation of items of a topic, in [0, 1].
    least : float
        The least value that the figure can have; the greatest is 1.
    topics, items : int
        What it was estimated from; 0 where it was assumed.
    """

    value: float
    variance: float
    alike: float
    least: float
    topics: int = 0
    items: int = 0

    def design_effect(self, items_per_topic: float) -> float:
        """Return how many times the variance is that of as many items of different topics.

        References
        ----------
        Kish (1965), Survey Sampling, section 5.4.
        """
        return 1 + (items_per_topic - 1) * self.alike


def spread_of_kappa(ratings: Ratings, coefficient: Kappa) -> ItemSpread:
    """Return what items add to κ, pooled over all pairs of assessors.

    Parameters
    ----------
    ratings : Ratings
        Labels of a pilot.
    coefficient : Kappa
        Unweighted, weighted, or binarised at a level.

    Returns
    -------
    ItemSpread
        From the derivative of κ by the cell that each pair of labels is in (the delta method); an
        item with several pairs adds what they add together.

    Raises
    ------
    TooLittleData
        No two assessors have judged the same item, κ is not defined, or fewer than two topics
        have such items.
    """
    weights = agreement_weights(coefficient.weighting, ratings.levels)
    pairs = [np.empty((2, 0), dtype=np.int64)] + [np.stack(one) for one in label_pairs(ratings)]
    left, right = np.concatenate(pairs, axis=1)
    people, size = len(ratings.assessors), len(ratings.levels)
    who = ratings.assessor[left] * people + ratings.assessor[right]
    used, pair = np.unique(who, return_inverse=True)
    cell = (pair * size + ratings.level[left]) * size + ratings.level[right]
    counts = np.bincount(cell, minlength=len(used) * size * size).astype(np.float64)
    if not len(left):
        raise TooLittleData("no item is judged by two assessors")
    slopes, value, possible = _find_slopes(counts.reshape(-1, size, size), weights)
    if not possible > 0:
        raise TooLittleData(f"κ is not defined: {coefficient.undefined}")
    item = ratings.item[left]
    added = np.bincount(item, weights=slopes.ravel()[cell], minlength=len(ratings.items))
    judged = np.bincount(item, minlength=len(ratings.items)) > 0
    per_item = added[judged] * judged.sum() / possible
    return _spread(value, per_item, _topics_of(ratings)[judged], coefficient.least)


def _find_slopes(counts: Floats, weights: Floats) -> tuple[Floats, float, float]:
    """Return what a cell adds to agreement reached less κ times the possible; κ; the possible."""
    items = counts.sum(axis=(1, 2))
    rows, columns = margins(counts)
    chance = divide(((rows @ weights) * columns).sum(axis=1), items)
    reached = (counts * weights).sum(axis=(1, 2)) - chance
    possible = float((items - chance).sum())
    value = float(reached.sum()) / possible if possible > 0 else float("nan")
    by_row = divide(columns @ weights, items[:, np.newaxis])[:, :, np.newaxis]
    by_column = divide(rows @ weights, items[:, np.newaxis])[:, np.newaxis, :]
    level = divide(chance, items)[:, np.newaxis, np.newaxis]
    # The chance agreement of n items is a product of margins over n: hence its own share back.
    slopes = weights - value - (1 - value) * (by_row + by_column - level)
    return slopes, value, possible


def spread_of_share(ratings: Ratings, level: int, top: int) -> ItemSpread:
    """Return what items add to p(top | level), each item counting as much as two labels.

    Parameters
    ----------
    ratings : Ratings
        Labels of a pilot.
    level, top : int
        Levels of the scale: of the one label, and from which the other is top.

    Returns
    -------
    ItemSpread
        By the derivative of a ratio of sums.

    Raises
    ------
    BadInput
        A level is not on the scale.
    TooLittleData
        No other assessor has judged an item of that level, or fewer than two topics have such.
    """
    for one in (level, top):
        if one not in ratings.levels:
            shown = ", ".join(str(each) for each in ratings.levels)
            raise BadInput(f"{one} is not a level of the scale {shown}", field="level")
    is_top = np.asarray(ratings.levels) >= top
    sums = sum_by_topic(part_items(ratings), is_top, "item")
    hits, cases = sums[:, :, ratings.levels.index(level)]
    judged = np.bincount(ratings.item, minlength=len(ratings.items)) > 1
    if not cases.sum() > 0:
        raise TooLittleData(f"no label of level {level} is on an item another assessor judged")
    value = float(hits.sum() / cases.sum())
    per_item = (hits - value * cases)[judged] / cases[judged].mean()
    return _spread(value, per_item, _topics_of(ratings)[judged], 0.0)


def _topics_of(ratings: Ratings) -> Codes:
    """Return the topic of each item; every item has a label."""
    topics: Codes = ratings.topic[np.flatnonzero(np.diff(ratings.item, prepend=-1))]
    return topics


def _spread(value: float, added: Floats, topic: Codes, least: float) -> ItemSpread:
    """Split the variance of what items add by topics, by a one-way analysis of variance."""
    _, group = np.unique(topic, return_inverse=True)
    sizes = np.bincount(group).astype(np.float64)
    topics, items = len(sizes), len(added)
    if topics < LEAST_TOPICS:
        raise TooLittleData("a pilot needs doubly judged items of two topics at least")
    means = np.bincount(group, weights=added) / sizes
    between = float((sizes * (means - added.mean()) ** 2).sum()) / (topics - 1)
    inside = float(((added - means[group]) ** 2).sum())
    within = inside / (items - topics) if items > topics else between
    typical = (items - float((sizes**2).sum()) / items) / (topics - 1)
    of_topics = max((between - within) / typical, 0.0)
    variance = of_topics + within
    alike = of_topics / variance if variance > 0 else 0.0
    return ItemSpread(value, variance, alike, least, topics, items)


def assume_kappa(
    value: float, shares: Floats, coefficient: Kappa, alike: float = 0.0
) -> ItemSpread:
    """Return what items add to κ of two assessors, by assumed values.

    Both give the levels in the same shares. With chance κ both see the same and give the same
    level, otherwise each gives one without regard to the other: κ has this value then, however it
    is weighted.

    Parameters
    ----------
    value : float
        κ, from 0 to below 1.
    shares : array, shape (n_levels,)
        How often each level is given; any unit, at least two above 0.
    coefficient : Kappa
        Unweighted, linear or quadratic; binarised, levels count from 0.
    alike : float, default 0
        The intraclass correlation of items of a topic, in [0, 1].

    Raises
    ------
    BadInput
        A value is out of its range.
    """
    shares = np.asarray(shares, dtype=np.float64)
    if not 0 <= value < 1:
        raise BadInput("an assumed κ is from 0 to below 1", field="kappa")
    if (shares < 0).any() or (shares > 0).sum() < 2:
        raise BadInput("the shares of levels are at least 0, and two above it", field="shares")
    _check_alike(alike)
    shares = shares / shares.sum()
    table = value * np.diag(shares) + (1 - value) * np.outer(shares, shares)
    weights = agreement_weights(coefficient.weighting, range(len(shares)))
    slopes, _, possible = _find_slopes(table[np.newaxis], weights)
    if not possible > 0:
        raise BadInput("with these shares κ is not defined: one side of the level is empty")
    variance = float((table * slopes[0] ** 2).sum()) / possible**2
    return ItemSpread(value, variance, alike, coefficient.least)


def assume_share(value: float, cases: float = 1.0, alike: float = 0.0) -> ItemSpread:
    """Return what items add to p(top | level), by assumed values.

    Parameters
    ----------
    value : float
        p, between 0 and 1.
    cases : float, default 1
        How many labels of the level an item of two labels has on average, above 0 and up to 2;
        with 1, items are those of which one label is of that level.
    alike : float, default 0
        The intraclass correlation of items of a topic, in [0, 1].

    Raises
    ------
    BadInput
        A value is out of its range.
    """
    if not 0 < value < 1:
        raise BadInput("an assumed p is between 0 and 1", field="p")
    if not 0 < cases <= 2:
        raise BadInput("an item of two labels has up to two of a level", field="cases")
    _check_alike(alike)
    return ItemSpread(value, value * (1 - value) / cases, alike, 0.0)


def _check_alike(alike: float) -> None:
    if not 0 <= alike <= 1:
        raise BadInput("how alike items of a topic are is from 0 to 1", field="alike")
