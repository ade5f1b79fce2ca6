"""Team-draft interleaving: rankers pick in turn, as captains pick players."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from core.interleaving.base import FIRST, METHODS, SECOND, Method, Mixed, gather_lists
from core.interleaving.choices import LENGTH
from core.interleaving.pairs import NOTHING, Floats, Integers, Mask, RankingPair


@METHODS.register
@dataclass(frozen=True)
class TeamDraft(Method):
    """In each round a coin says which ranking picks first; each adds its best that is not there.

    A click counts for the ranking that picked the document. As published, a list ends where
    either ranking has nothing left to add.
    """

    name = "team-draft"
    description = "rankings pick in turn, who is first by a coin; a click counts for who picked"
    reference = "Radlinski, Kurup & Joachims (2008), CIKM, doi:10.1145/1458082.1458092"
    examples = ("team-draft",)
    suggested = ("team-draft",)

    @property
    def needs_teams(self) -> bool:
        """Whether crediting needs the teams: a list may come about in several ways."""
        return True

    def mix(
        self, pair: RankingPair, rng: np.random.Generator, length: int = LENGTH, number: int = 1
    ) -> Mixed:
        """Draw lists; see the base class."""
        # A list holds fewer than its length until it is full: further down nothing is picked.
        places, inverse = np.unique(
            np.concatenate([pair.first[:length], pair.second[:length]]), return_inverse=True
        )
        cut = len(pair.first[:length])
        rankings = inverse[:cut], inverse[cut:]
        document = np.full((number, length), NOTHING, dtype=np.int64)
        team = np.full((number, length), NOTHING, dtype=np.int8)
        picks = np.zeros((2, number), dtype=np.int64)
        is_used = np.zeros((number, len(places)), dtype=np.bool_)
        for place in range(length):
            best = [_find_best(ranking, is_used) for ranking in rankings]
            row = np.flatnonzero((best[FIRST] >= 0) & (best[SECOND] >= 0))
            coin = rng.random(number) < 0.5
            is_first = (picks[FIRST] < picks[SECOND]) | ((picks[FIRST] == picks[SECOND]) & coin)
            chosen = np.where(is_first, best[FIRST], best[SECOND])[row]
            document[row, place] = places[chosen]
            team[row, place] = np.where(is_first, FIRST, SECOND)[row]
            is_used[row, chosen] = True
            picks[team[row, place], row] += 1
        return Mixed(document, team)

    def distribution(self, pair: RankingPair, length: int = LENGTH) -> tuple[Mixed, Floats]:
        """Return every list with its probability; see the base class."""
        lists: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = defaultdict(float)

        def extend(documents: tuple[int, ...], teams: tuple[int, ...], chance: float) -> None:
            best = [
                next((int(one) for one in ranking if one not in documents), NOTHING)
                for ranking in (pair.first, pair.second)
            ]
            if len(documents) == length or NOTHING in best:
                lists[documents, teams] += chance
                return
            ahead = teams.count(FIRST) - teams.count(SECOND)
            picking = (FIRST, SECOND) if not ahead else (SECOND,) if ahead > 0 else (FIRST,)
            for team in picking:
                extend((*documents, best[team]), (*teams, team), chance / len(picking))

        extend((), (), 1.0)
        return gather_lists(lists, length)

    def credit(self, pair: RankingPair, mixed: Mixed, clicked: Mask) -> Floats:
        """Return clicks on each team; see the base class."""
        return np.stack(
            [((mixed.team == team) & clicked).sum(axis=1) for team in (FIRST, SECOND)], axis=1
        ).astype(np.float64)


def _find_best(ranking: Integers, is_used: Mask) -> Integers:
    """Return the best document of a ranking that each list does not have yet; -1 for none."""
    if not len(ranking):
        return np.full(len(is_used), NOTHING)
    is_free = ~is_used[:, ranking]
    return np.where(is_free.any(axis=1), ranking[is_free.argmax(axis=1)], NOTHING)
