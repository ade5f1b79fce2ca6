"""Balanced interleaving: any top of the list holds the tops of both rankings, as far as it can."""

from dataclasses import dataclass

import numpy as np

from core.interleaving.base import FIRST, METHODS, SECOND, Method, Mixed, gather_lists
from core.interleaving.choices import LENGTH
from core.interleaving.pairs import NOTHING, Floats, Integers, Mask, RankingPair


@METHODS.register
@dataclass(frozen=True)
class Balanced(Method):
    """One coin says whose turn is first; both rankings are then read down in turn.

    Clicks are compared among the documents that either ranking has down to where it first has the
    lowest document clicked. As published, a list ends where a ranking has been read to its end.

    Notes
    -----
    Users who click at random may favour a ranking: of *a b c* and *b c a* they favour the second
    in two of three cases. `bias_of_random_clicks` tells how far that goes.
    """

    name = "balanced"
    description = (
        "both rankings are read down in turn; clicks count down to the rank that explains the "
        "lowest one; some pairs of rankings are not treated alike"
    )
    reference = (
        "Joachims (2003), in Text Mining, Physica; as in Radlinski, Kurup & Joachims (2008), CIKM"
    )
    examples = ("balanced",)
    suggested = ("balanced",)

    @property
    def is_fair(self) -> bool:
        """Whether clicks at random favour neither ranking: for some pairs they do."""
        return False

    def mix(
        self, pair: RankingPair, rng: np.random.Generator, length: int = LENGTH, number: int = 1
    ) -> Mixed:
        """Draw lists; see the base class."""
        both = np.full((2, length), NOTHING, dtype=np.int64)
        for leader, row in zip((FIRST, SECOND), both, strict=True):
            documents = _merge(pair, leader, length)
            row[: len(documents)] = documents
        document = both[(rng.random(number) < 0.5).astype(np.int64)]
        return Mixed(document, np.full(document.shape, NOTHING, dtype=np.int8))

    def distribution(self, pair: RankingPair, length: int = LENGTH) -> tuple[Mixed, Floats]:
        """Return the two lists that there are, or the one; see the base class."""
        lists: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
        for leader in (FIRST, SECOND):
            documents = _merge(pair, leader, length)
            lists[documents, ()] = lists.get((documents, ()), 0.0) + 0.5
        return gather_lists(lists, length)

    def credit(self, pair: RankingPair, mixed: Mixed, clicked: Mask) -> Floats:
        """Return clicks among the first k of each ranking; see the base class.

        k is the least rank at which either ranking has the lowest document that was clicked.
        """
        rank = _ranks_of(pair, mixed)
        lowest = mixed.document.shape[1] - 1 - clicked[:, ::-1].argmax(axis=1)
        of_lowest = rank[:, np.arange(len(mixed)), lowest]
        depth = of_lowest.min(axis=0)[:, np.newaxis]
        counted = (rank <= depth) & clicked
        credit: Floats = counted.sum(axis=2).T.astype(np.float64)
        return credit


def _ranks_of(pair: RankingPair, mixed: Mixed) -> Integers:
    """Return the rank of what is shown in each ranking, shape (2, n_lists, length)."""
    far = np.iinfo(np.int64).max
    rank = np.where(pair.rank > 0, pair.rank, far)
    return np.where(mixed.document >= 0, rank[:, mixed.document], far)


def _merge(pair: RankingPair, leader: int, length: int) -> tuple[int, ...]:
    """Return the list that comes about where ``leader`` is first in every turn."""
    rankings, read = (pair.first.tolist(), pair.second.tolist()), [0, 0]
    merged: dict[int, None] = {}
    while len(merged) < length and all(
        at < len(ranking) for at, ranking in zip(read, rankings, strict=True)
    ):
        turn = leader if read[0] == read[1] else int(read[0] > read[1])
        merged[rankings[turn][read[turn]]] = None
        read[turn] += 1
    return tuple(merged)
