"""How often each item got each level, and the sums over items that multi-rater agreement needs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.agreement.intervals import Floats
from core.agreement.ratings import Codes, Ratings


@dataclass(frozen=True)
class PanelSums:
    """Sums over items that add up: of one topic, of many, or of bootstrap samples of topics.

    Attributes
    ----------
    levels : tuple of int
        The L levels of the scale.
    flat : array, shape (..., 2 L² + L)
        The three properties below, side by side, so that resampling is one matrix product.
    """

    levels: tuple[int, ...]
    flat: Floats

    @property
    def coincidences(self) -> Floats:
        """Ordered pairs of labels by both levels, 1/(r − 1) each, shape (..., L, L).

        r counts the labels of the item; the sum is the number of labels with a partner.
        """
        return self._square(0)

    @property
    def paired(self) -> Floats:
        """The same pairs, 1/(r(r − 1)) each; the sum is the number of items with two labels."""
        return self._square(1)

    @property
    def shares(self) -> Floats:
        """The share of each level among an item's labels, over all items with a label."""
        return self.flat[..., 2 * len(self.levels) ** 2 :]

    def total(self) -> "PanelSums":
        """Return the sums over the topics."""
        return PanelSums(self.levels, self.flat.sum(axis=0))

    def _square(self, position: int) -> Floats:
        size = len(self.levels)
        part = self.flat[..., position * size**2 : (position + 1) * size**2]
        return part.reshape(*part.shape[:-1], size, size)


@dataclass(frozen=True)
class LevelCounts:
    """Labels without their assessors, which is all that multi-rater coefficients look at.

    Attributes
    ----------
    counts : array, shape (n_items, n_levels)
        How many assessors gave each item each level; rows need not have equal sums.
    topic : array of int, shape (n_items,)
        Positions in ``topics``.
    topics : tuple of str
    levels : tuple of int
    rank : array of float, shape (n_items,), optional
        Where runs show each item; NaN where none does.
    """

    counts: Floats
    topic: Codes
    topics: tuple[str, ...]
    levels: tuple[int, ...]
    rank: Floats | None = None

    def by_topic(self, weight: Floats | None = None) -> PanelSums:
        """Return the sums of each topic that has items.

        Parameters
        ----------
        weight : array of float, shape (n_items,), optional
            How much each item counts, in proportion: the items with two labels and a weight count
            as many as there are of them.
        """
        used, topic = np.unique(self.topic, return_inverse=True)
        if weight is not None:
            several = (self.counts.sum(axis=1) > 1) & (weight > 0)
            weight = weight * (several.sum() / max(weight[several].sum(), 1e-300))
        return sum_by_topic(self.counts, self.levels, topic, len(used), weight)


def level_counts(ratings: Ratings) -> LevelCounts:
    """Count the labels of each item by level.

    An assessor counts once on an item: ``Ratings`` hold first occasions, so that what somebody
    gave an item a second time is no further opinion.
    """
    items, size = len(ratings.items), len(ratings.levels)
    counts = np.bincount(ratings.item * size + ratings.level, minlength=items * size)
    topic = np.zeros(items, dtype=np.int64)
    topic[ratings.item] = ratings.topic
    table = counts.reshape(items, size).astype(np.float64)
    known = ratings.items["rank"].to_numpy(np.float64) if "rank" in ratings.items else None
    return LevelCounts(table, topic, ratings.topics, ratings.levels, known)


def sum_items(counts: npt.ArrayLike, levels: Sequence[int] | None = None) -> PanelSums:
    """Return the sums over all items of a table of counts.

    Parameters
    ----------
    counts : array, shape (n_items, n_levels)
        How many assessors gave each item each level.
    levels : sequence of int, optional
        The levels; 0 … n_levels − 1 without.
    """
    table = np.asarray(counts, dtype=np.float64)
    scale = range(table.shape[1]) if levels is None else levels
    labels = table @ np.ones((table.shape[1], 1))
    by_label = table * np.where(labels > 1, 1 / np.maximum(labels - 1, 1), 0)
    by_item = by_label / np.maximum(labels, 1)
    each = np.ones(len(table))
    pairs = [(one.T @ table - np.diag(each @ one)).ravel() for one in (by_label, by_item)]
    shares = each @ (table / np.maximum(labels, 1))
    return PanelSums(tuple(scale), np.concatenate([*pairs, shares]))


def sum_by_topic(
    counts: Floats,
    levels: Sequence[int],
    topic: Codes,
    topics: int,
    weight: Floats | None = None,
) -> PanelSums:
    """Return the sums of each topic, leading shape (topics,); zeros where it has no items."""
    order = np.argsort(topic, kind="stable")
    counts, topic = counts[order], topic[order]
    each = np.ones((len(counts), 1)) if weight is None else weight[order, np.newaxis]
    labels = counts.sum(axis=1, keepdims=True)
    by_label = each * np.where(labels > 1, 1 / np.maximum(labels - 1, 1), 0)
    by_item = by_label / np.maximum(labels, 1)
    parts: tuple[list[Floats], list[Floats]] = ([], [])
    for level, own in enumerate(np.eye(len(levels))):
        pairs = counts[:, [level]] * (counts - own)
        for part, weight in zip(parts, (by_label, by_item), strict=True):
            part.append(_sum_rows(pairs * weight, topic, topics))
    shares = _sum_rows(each * counts / np.maximum(labels, 1), topic, topics)
    return PanelSums(tuple(levels), np.hstack([*parts[0], *parts[1], shares]))


def _sum_rows(rows: Floats, topic: Codes, topics: int) -> Floats:
    """Return the sums of rows by topic; the topics are in order."""
    sums = np.zeros((topics, rows.shape[1]))
    starts = np.flatnonzero(np.diff(topic, prepend=-1))
    if starts.size:
        sums[topic[starts]] = np.add.reduceat(rows, starts, axis=0)
    return sums
