"""Probabilistic interleaving: any document may be shown, those that rank high most probably."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from core.interleaving.base import FIRST, METHODS, SECOND, Method, Mixed, gather_lists
from core.interleaving.choices import LENGTH
from core.interleaving.pairs import NOTHING, Floats, Integers, Mask, RankingPair

_LARGEST = 10.0


@METHODS.register
@dataclass(frozen=True)
class Probabilistic(Method):
    """At each rank a coin chooses a ranking, from which a document is drawn by a softmax of ranks.

    The chance of rank r is proportional to 1/r^τ; what has been shown is taken out of both. Who
    wins is averaged over all the ways in which coins may have led to the list, so that it is the
    list and not the coins that counts. A list is no longer than the shorter ranking: were it
    filled up from the other, that one would be credited with clicks at random.

    Parameters
    ----------
    tau : float
        How much high ranks are favoured, above 0 and up to 10.
    """

    tau: float = 3.0

    name = "probabilistic"
    description = (
        "documents are drawn by a softmax over ranks; clicks count by how probably either ranking "
        "gave the document"
    )
    reference = "Hofmann, Whiteson & de Rijke (2011), CIKM, doi:10.1145/2063576.2063618"
    examples = ("probabilistic", "probabilistic(tau=1.5)")
    suggested = ("probabilistic",)

    def __post_init__(self) -> None:
        if not 0 < self.tau <= _LARGEST:
            raise ValueError(f"tau is above 0 and at most {_LARGEST:g}")

    def mix(
        self, pair: RankingPair, rng: np.random.Generator, length: int = LENGTH, number: int = 1
    ) -> Mixed:
        """Draw lists; see the base class."""
        document = np.full((number, length), NOTHING, dtype=np.int64)
        team = np.full((number, length), NOTHING, dtype=np.int8)
        for place in range(_limit(pair, length)):
            side = np.where(rng.random(number) < 0.5, FIRST, SECOND)
            point = rng.random(number)
            for which in (FIRST, SECOND):
                row = np.flatnonzero(side == which)
                drawn = self._draw(pair, which, document[row, :place], point[row])
                document[row, place], team[row, place] = drawn, which
        return Mixed(document, team)

    def _draw(self, pair: RankingPair, which: int, shown: Integers, point: Floats) -> Integers:
        """Return the document of a ranking at a point in [0, 1) of what is left of its softmax."""
        ranking = (pair.first, pair.second)[which]
        weight = np.arange(1, len(ranking) + 1, dtype=np.float64) ** -self.tau
        ends = np.concatenate([[0.0], np.cumsum(weight)])
        # What the other ranking alone holds has rank 0, where it takes nothing away.
        taken = np.sort(pair.rank[which][shown], axis=1)
        mass = ends[-1] - (ends[taken] - ends[np.maximum(taken - 1, 0)]).sum(axis=1)
        place = point * mass
        for rank in taken.T:
            start, end = ends[np.maximum(rank - 1, 0)], ends[rank]
            place = np.where((rank > 0) & (place >= start), place - start + end, place)
        drawn = np.searchsorted(ends, place, side="right")
        # Rounding may lead past the last document that is left.
        drawn = np.minimum(drawn, len(ranking))
        for rank in taken.T[::-1]:
            drawn = np.where(rank == drawn, drawn - 1, drawn)
        documents: Integers = ranking[drawn - 1]
        return documents

    def distribution(self, pair: RankingPair, length: int = LENGTH) -> tuple[Mixed, Floats]:
        """Return every list with its probability; see the base class."""
        lists: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = defaultdict(float)

        def extend(documents: tuple[int, ...], teams: tuple[int, ...], chance: float) -> None:
            if len(documents) == _limit(pair, length):
                lists[documents, teams] += chance
                return
            left = [
                {
                    int(one): rank**-self.tau
                    for rank, one in enumerate(ranking, start=1)
                    if one not in documents
                }
                for ranking in (pair.first, pair.second)
            ]
            for team in (FIRST, SECOND):
                mass = 2 * sum(left[team].values())
                for one, weight in left[team].items():
                    extend((*documents, one), (*teams, team), chance * weight / mass)

        extend((), (), 1.0)
        return gather_lists(lists, length)

    def share_of_first(self, pair: RankingPair, mixed: Mixed) -> Floats:
        """Return how probably each document shown was drawn from the first ranking.

        Returns
        -------
        array, shape (n_lists, length)
            In [0, 1]; 0 where the list is shorter.
        """
        chance = np.zeros((2, *mixed.document.shape))
        is_shown = mixed.document >= 0
        for which in (FIRST, SECOND):
            rank = np.where(is_shown, pair.rank[which][mixed.document], 0)
            weight = np.where(rank > 0, np.maximum(rank, 1).astype(np.float64) ** -self.tau, 0.0)
            last = int(pair.rank[which].max(initial=0))
            whole = (np.arange(1, last + 1, dtype=np.float64) ** -self.tau).sum()
            # What is left holds at least the document itself, whatever rounding says.
            left = np.maximum(whole - (np.cumsum(weight, axis=1) - weight), weight)
            np.divide(weight, left, out=chance[which], where=weight > 0)
        share, both = np.zeros(mixed.document.shape), chance.sum(axis=0)
        np.divide(chance[FIRST], both, out=share, where=both > 0)
        return share

    def credit(self, pair: RankingPair, mixed: Mixed, clicked: Mask) -> Floats:
        """Return the clicks expected of each ranking, given the lists; see the base class."""
        share = self.share_of_first(pair, mixed)
        return np.stack(
            [np.where(clicked, part, 0).sum(axis=1) for part in (share, 1 - share)], axis=1
        )

    def wins(self, pair: RankingPair, mixed: Mixed, clicked: Mask) -> Floats:
        """Return how probable it is that each ranking has more clicks, over all assignments."""
        share, length = self.share_of_first(pair, mixed), mixed.document.shape[1]
        # By the first ranking's clicks less the second's, from -length to length.
        chance = np.zeros((len(mixed), 2 * length + 1))
        chance[:, length] = 1.0
        for place in range(length):
            up, down = np.zeros_like(chance), np.zeros_like(chance)
            up[:, 1:], down[:, :-1] = chance[:, :-1], chance[:, 1:]
            own = share[:, place, np.newaxis]
            moved = own * up + (1 - own) * down
            chance = np.where(clicked[:, place, np.newaxis], moved, chance)
        return np.stack(
            [chance[:, length + 1 :].sum(axis=1), chance[:, :length].sum(axis=1)], axis=1
        )


def _limit(pair: RankingPair, length: int) -> int:
    """Return how many documents are shown: while there are fewer, both rankings have more."""
    return min(length, len(pair.first), len(pair.second))
