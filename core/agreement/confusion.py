"""Confusion matrices of every pair of assessors at once, topic by topic."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.agreement.ratings import Codes, Ratings
from core.errors import BadInput, TooLittleData

Matrices = npt.NDArray[np.float64]

_PAIRS_AT_ONCE = 1_000_000
_CELLS_AT_ONCE = 4_000_000
_FEW_PAIRS = 50_000
_PRODUCTS_FOR_A_PAIR = 200
"""How many products of a matrix take as long as to count one pair of labels by itself."""


@dataclass(frozen=True)
class ConfusionMatrices:
    """One matrix for each pair of assessors and topic that share an item.

    Attributes
    ----------
    assessors, topics : tuple of str
    levels : tuple of int
        The levels the rows and columns stand for.
    first, second, topic : array of int, shape (n_blocks,)
        Positions in ``assessors`` (first < second) and ``topics``; sorted in this order.
    counts : array, shape (n_blocks, n_levels, n_levels)
        Items by the level of the first (row) and of the second assessor (column).
    """

    assessors: tuple[str, ...]
    topics: tuple[str, ...]
    levels: tuple[int, ...]
    first: Codes
    second: Codes
    topic: Codes
    counts: Matrices

    def pair_starts(self) -> Codes:
        """Return the position of each pair's first block."""
        pair = self.first * len(self.assessors) + self.second
        return np.flatnonzero(np.diff(pair, prepend=-1))

    def without_topics(self) -> tuple[Codes, Matrices]:
        """Return the pair of each block, counted from 0, and its matrix without the block's topic.

        Both have a row for each block; the pairs are those of `by_pair`.
        """
        sizes = np.diff(self.pair_starts(), append=len(self.first))
        pair = np.repeat(np.arange(len(sizes)), sizes)
        return pair, self.by_pair().counts[pair] - self.counts

    def select(self, chosen: npt.NDArray[np.bool_]) -> "ConfusionMatrices":
        """Return some of the blocks."""
        return replace(
            self,
            first=self.first[chosen],
            second=self.second[chosen],
            topic=self.topic[chosen],
            counts=self.counts[chosen],
        )

    def by_pair(self) -> "PairMatrices":
        """Return the matrices summed over topics."""
        starts = self.pair_starts()
        counts = np.add.reduceat(self.counts, starts) if starts.size else self.counts
        return PairMatrices(
            self.assessors, self.levels, self.first[starts], self.second[starts], counts
        )


@dataclass(frozen=True)
class PairMatrices:
    """One matrix for each pair of assessors; fields as in ``ConfusionMatrices``."""

    assessors: tuple[str, ...]
    levels: tuple[int, ...]
    first: Codes
    second: Codes
    counts: Matrices

    def matrix(self, first: str, second: str) -> Matrices:
        """Return the matrix of two assessors, rows the first named; zeros without common items.

        Raises
        ------
        BadInput
            A name is unknown or both are the same.
        """
        for name in (first, second):
            if name not in self.assessors or first == second:
                raise BadInput(f"'{name}' is not one of two assessors with labels here")
        codes = self.assessors.index(first), self.assessors.index(second)
        at = np.flatnonzero((self.first == min(codes)) & (self.second == max(codes)))
        size = len(self.levels)
        matrix = self.counts[at[0]] if at.size else np.zeros((size, size))
        return matrix if codes[0] < codes[1] else matrix.T

    def with_every_pair(self) -> "PairMatrices":
        """Return the same with a matrix of zeros for each pair without common items."""
        first, second = np.triu_indices(len(self.assessors), 1)
        counts = np.zeros((len(first), *self.counts.shape[1:]))
        rank = np.searchsorted(
            first * len(self.assessors) + second, self.first * len(self.assessors) + self.second
        )
        counts[rank] = self.counts
        return PairMatrices(self.assessors, self.levels, first, second, counts)


def confusion_matrices(
    ratings: Ratings, names: Mapping[str, str] | None = None
) -> ConfusionMatrices:
    """Count the pairs of levels of every two assessors who judged the same item.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    names : mapping of str to str, optional
        What assessors are called in a refusal; who is not in it goes by the id.

    Returns
    -------
    ConfusionMatrices
        Without blocks when no two assessors share an item.

    Raises
    ------
    TooLittleData
        Fewer than two assessors have labels.
    """
    if len(ratings.assessors) < 2:
        called = [(names or {}).get(one, one) for one in ratings.assessors]
        who = f"only {called[0]} has" if called else "nobody has"
        raise TooLittleData(f"agreement needs labels of two assessors; {who} given a level so far")
    cells, counts = _count_cells(ratings)
    size = len(ratings.levels)
    block, cell = np.divmod(cells, size * size)
    is_new = np.diff(block, prepend=-1) > 0
    matrices = np.zeros((int(is_new.sum()), size * size))
    matrices[np.cumsum(is_new) - 1, cell] = counts
    pair, topic = np.divmod(block[is_new], len(ratings.topics))
    first, second = np.divmod(pair, len(ratings.assessors))
    return ConfusionMatrices(
        assessors=ratings.assessors,
        topics=ratings.topics,
        levels=ratings.levels,
        first=first,
        second=second,
        topic=topic,
        counts=matrices.reshape(-1, size, size),
    )


def _count_cells(ratings: Ratings) -> tuple[Codes, Codes]:
    """Return the codes of the occurring (pair, topic, level, level) and how often each occurs."""
    dense = _find_dense(ratings)
    parts = [_multiply(ratings, topic) for topic in dense.tolist()]
    alone = np.ones(len(ratings.topics), dtype=np.bool_)
    alone[dense] = False
    if alone.any():
        parts.append(_add_up(ratings, alone))
    codes, counts = (np.concatenate(both) for both in zip(*parts, strict=True))
    order = np.argsort(codes, kind="stable")  # no cell is in two parts: each topic is in one
    return codes[order], counts[order]


def _find_dense(ratings: Ratings) -> Codes:
    """Return the topics of which a product of matrices counts faster than going pair by pair.

    There, most assessors of the topic have judged most of its items.
    """
    topics, labels = len(ratings.topics), np.bincount(ratings.item)
    of_item = ratings.topic[np.flatnonzero(np.diff(ratings.item, prepend=-1))]
    pairs = np.bincount(of_item, weights=labels * (labels - 1) / 2, minlength=topics)
    items = np.bincount(of_item, minlength=topics)
    large = np.flatnonzero(pairs >= _FEW_PAIRS)
    judges = [len(np.unique(ratings.assessor[_rows(ratings, topic)])) for topic in large.tolist()]
    products = items[large] * (np.asarray(judges) * len(ratings.levels)) ** 2.0
    return large[products <= _PRODUCTS_FOR_A_PAIR * pairs[large]]


def _rows(ratings: Ratings, topic: int) -> slice:
    """Return where the labels of a topic are; they lie together."""
    start, end = np.searchsorted(ratings.topic, (topic, topic + 1))
    return slice(start, end)


def _multiply(ratings: Ratings, topic: int) -> tuple[Codes, Codes]:
    """Count a topic's cells: the matrix of who gave what to which item, times itself.

    Single precision holds the counts as they are up to 2**24 items.
    """
    rows, size = _rows(ratings, topic), len(ratings.levels)
    assessors, who = np.unique(ratings.assessor[rows], return_inverse=True)
    item = ratings.item[rows] - ratings.item[rows.start]
    gave = np.zeros((item[-1] + 1, len(assessors) * size), dtype=np.float32)
    gave[item, who * size + ratings.level[rows]] = 1
    both = gave.T @ gave
    left, right = np.nonzero(both)
    ahead = left // size < right // size
    left, right = left[ahead], right[ahead]
    pair = assessors[left // size] * len(ratings.assessors) + assessors[right // size]
    block = pair * len(ratings.topics) + topic
    return (block * size + left % size) * size + right % size, both[left, right].astype(np.int64)


def _add_up(ratings: Ratings, topics: npt.NDArray[np.bool_]) -> tuple[Codes, Codes]:
    """Count the cells of some topics pair by pair."""
    cells = len(ratings.assessors) ** 2 * len(ratings.topics) * len(ratings.levels) ** 2
    if cells <= _CELLS_AT_ONCE:
        counts = np.zeros(cells, dtype=np.int64)
        for codes in _cell_codes(ratings, topics):
            counts += np.bincount(codes, minlength=cells)
        return np.flatnonzero(counts), counts[counts > 0]
    none = np.zeros(0, dtype=np.int64)
    parts = [(none, none)]
    parts += [np.unique(codes, return_counts=True) for codes in _cell_codes(ratings, topics)]
    found, where = np.unique(np.concatenate([codes for codes, _ in parts]), return_inverse=True)
    counted = np.bincount(where, weights=np.concatenate([counts for _, counts in parts]))
    return found, counted.astype(np.int64)


def _cell_codes(ratings: Ratings, topics: npt.NDArray[np.bool_]) -> Iterator[Codes]:
    """Yield one code for each two labels on an item of the topics, a bounded number at a time."""
    size, count = len(ratings.levels), len(ratings.topics)
    seconds = len(ratings.assessors)
    left_part = (ratings.assessor * seconds * count + ratings.topic) * size * size
    left_part += ratings.level * size
    right_part = ratings.assessor * count * size * size + ratings.level
    for left, right in label_pairs(ratings, topics):
        yield left_part[left] + right_part[right]


def label_pairs(
    ratings: Ratings, topics: npt.NDArray[np.bool_] | None = None
) -> Iterator[tuple[Codes, Codes]]:
    """Yield positions of the two labels of every pair on a common item, first assessor left.

    With ``topics``, of those only for which it is true.
    """
    starts = np.flatnonzero(np.diff(ratings.item, prepend=-1))
    sizes = np.diff(starts, append=len(ratings.item))
    if topics is not None:
        wanted = topics[ratings.topic[starts]]
        starts, sizes = starts[wanted], sizes[wanted]
    for size in np.unique(sizes[sizes > 1]):
        left, right = np.triu_indices(size, 1)
        firsts = starts[sizes == size]
        step = max(1, _PAIRS_AT_ONCE // len(left))
        for at in range(0, len(firsts), step):
            chunk = firsts[at : at + step, np.newaxis]
            yield (chunk + left).ravel(), (chunk + right).ravel()
