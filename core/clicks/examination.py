"""Models in which a result is clicked when it is examined and attractive, both on their own.

The chance that it is examined depends on its rank (PBM), or on that and the click above (UBM).
"""

from dataclasses import dataclass

import numpy as np

from core.clicks.cells import Cells, count_cells
from core.clicks.click_log import ClickLog, Floats, Integers, Mask
from core.clicks.likelihood import (
    ATTRACTIVENESS,
    EXAMINATION,
    ITEM,
    LEAST,
    PREVIOUS,
    RANK,
    Expected,
    Likelihood,
    Parameters,
    Walk,
)

EXAMINED, FREE = FIRST = ("examined", "free")
"""Whether the first result is always examined; otherwise all is known up to one factor only."""

APART = (
    "no clicked document links it to the first rank: only the product of attractiveness and "
    "examination is known"
)
UNSEEN = "never shown so"
SCALE = "attractiveness and examination are known up to a common factor only"


@dataclass(frozen=True, eq=False)
class Examination(Likelihood[Cells]):
    """The position-based and the user browsing model.

    Parameters
    ----------
    by_click : bool
        Whether examination depends on the rank of the click above, too.
    first : {'examined', 'free'}
        Whether the first result is taken to be examined always.
    """

    by_click: bool = False
    first: str = EXAMINED

    of_items = (ATTRACTIVENESS,)

    @property
    def axes(self) -> dict[str, tuple[str, ...]]:
        """By what each parameter differs."""
        return {
            ATTRACTIVENESS: (ITEM,),
            EXAMINATION: (RANK, PREVIOUS) if self.by_click else (RANK,),
        }

    @property
    def _contexts(self) -> int:
        return int(np.prod(self.shape(EXAMINATION)))

    def held(self) -> dict[str, Integers]:
        """Return that the first rank is examined, unless it is free."""
        return {} if self.first == FREE else {EXAMINATION: np.zeros(1, dtype=np.int64)}

    def read(self, log: ClickLog) -> Cells:
        """Return the counts of each item at each rank, below each click."""
        return count_cells(log, self._find, self.items, self._contexts)

    def _find(self, item: Integers, clicked: Mask) -> Integers:
        rank = np.broadcast_to(np.arange(item.shape[1]), item.shape)
        context = rank * self.depth + find_previous(clicked) if self.by_click else rank
        return np.where(item >= 0, item * np.int64(self._contexts) + context, -1)

    def expect(
        self,
        evidence: Cells,
        rows: tuple[Floats, ...],
        parameters: Parameters,
        *,
        tells: bool = True,
    ) -> Expected:
        """Return what EM expects of a skip: not attractive, not examined, or neither."""
        from scipy.special import xlog1py, xlogy

        shown, clicked = rows
        attractive = parameters[ATTRACTIVENESS][evidence.item]
        examined = parameters[EXAMINATION][evidence.context]
        chance = attractive * examined
        skipped = shown - clicked
        each = skipped / (1 - chance)
        found = np.zeros(chance.shape[1])
        if tells:
            found = (xlogy(clicked, chance) + xlog1py(skipped, -chance)).sum(axis=0)
        items, contexts = evidence.by_item, evidence.by_context
        return Expected(
            {
                ATTRACTIVENESS: items @ (clicked + each * (attractive - chance)),
                EXAMINATION: contexts @ (clicked + each * (examined - chance)),
            },
            {ATTRACTIVENESS: items @ shown, EXAMINATION: contexts @ shown},
            found,
        )

    def trials(
        self, evidence: Cells, rows: tuple[Floats, ...], parameters: Parameters
    ) -> dict[str, tuple[Floats, Floats]]:
        """Return the clicks of each item, and how often it was examined."""
        shown, clicked = rows
        examined = shown * parameters[EXAMINATION][evidence.context]
        return {
            ATTRACTIVENESS: (
                (evidence.by_item @ clicked)[:, 0],
                (evidence.by_item @ examined)[:, 0],
            )
        }

    def profile(
        self, evidence: Cells, rows: tuple[Floats, ...], fitted: Parameters, grid: Floats
    ) -> Floats:
        """Return how likely the clicks of each item are, were it as attractive as the grid says."""
        shown, clicked = rows
        examined = np.minimum(fitted[EXAMINATION][evidence.context], 1 - LEAST)
        skipped = shown - clicked
        columns = [
            evidence.by_item @ (clicked * np.log(one) + skipped * np.log1p(-examined * one))
            for one in grid
        ]
        return np.concatenate(columns, axis=1)

    def walk(self, parameters: Parameters, item: Integers) -> Walk:
        """Return users who remember their last click, if the model has them do so."""
        return _Browsing(self._attract(parameters, item), self._examine(parameters))

    def marginal(self, parameters: Parameters, item: Integers) -> Floats:
        """Return the probability of a click, over all places of the click above."""
        attractive, examined = self._attract(parameters, item), self._examine(parameters)
        found = np.zeros(item.shape)
        # What is the chance that the last click so far was at this rank, or that there was none?
        last = np.zeros((len(item), item.shape[1] + 1))
        last[:, 0] = 1
        for rank in range(item.shape[1]):
            clicked = last * attractive[:, rank, np.newaxis] * examined[rank, : item.shape[1] + 1]
            found[:, rank] = clicked.sum(axis=1)
            last -= clicked
            last[:, rank + 1] = found[:, rank]
        return found

    def _attract(self, parameters: Parameters, item: Integers) -> Floats:
        """Return the attractiveness of each result; 0 where there is none."""
        return np.where(item >= 0, parameters[ATTRACTIVENESS][np.maximum(item, 0), 0], 0.0)

    def _examine(self, parameters: Parameters) -> Floats:
        """Return the chance by rank and by that of the click above, shape (depth, depth + 1)."""
        examined = parameters[EXAMINATION][:, 0].reshape(self.depth, -1)
        whole = np.zeros((self.depth, self.depth + 1))
        whole[:, : self.depth] = examined
        return whole

    def tell(self, evidence: Cells) -> dict[str, "np.ndarray[tuple[int], np.dtype[np.object_]]"]:
        """Return why values cannot be told: not linked to the first rank, or never seen."""
        reasons = {
            name: np.full(size, UNSEEN, dtype=object)
            for name, size in ((ATTRACTIVENESS, self.items), (EXAMINATION, self._contexts))
        }
        linked = self._link(evidence)
        why = SCALE if self.first == FREE else ""
        for name, of_cell in (
            (ATTRACTIVENESS, evidence.item),
            (EXAMINATION, evidence.context),
        ):
            reasons[name][of_cell] = APART
            reasons[name][of_cell[linked]] = why
        return reasons

    def _link(self, evidence: Cells) -> Mask:
        """Return which cells are linked to the first rank by documents that were clicked.

        A document that never was clicked is as well never attractive as never examined.
        """
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        clicks = np.bincount(evidence.item, evidence.clicked, minlength=self.items)
        binds = clicks[evidence.item] > 0
        size = self._contexts + self.items
        ends = evidence.context[binds], evidence.item[binds] + self._contexts
        graph = coo_array((np.ones(int(binds.sum())), ends), shape=(size, size))
        _, component = connected_components(graph, directed=False)
        linked: Mask = component[evidence.context] == component[0]
        return linked

    def notes(self, evidence: Cells) -> list[tuple[str, int, int]]:
        """Return how many documents were seen at one rank only, and how many never clicked."""
        rank = evidence.context // (self.depth if self.by_click else 1)
        pairs = np.unique(evidence.item * np.int64(self.depth) + rank)
        ranks = np.bincount(pairs // self.depth)
        clicks = np.bincount(evidence.item, evidence.clicked)
        seen = int((ranks > 0).sum())
        once = "documents were seen at one rank only: what they are worth rests on how often "
        return [
            (
                once + "other documents say that this rank is examined",
                int((ranks == 1).sum()),
                seen,
            ),
            (NEVER, seen - int((clicks > 0).sum()), seen),
        ]


NEVER = "documents were never clicked: their attractiveness is only bounded from above"


def find_previous(clicked: Mask) -> Integers:
    """Return the rank, from 1, of the click above each result; 0 where there is none."""
    place = np.where(clicked, np.arange(1, clicked.shape[1] + 1), 0)
    above = np.zeros(clicked.shape, dtype=np.int64)
    np.maximum.accumulate(place[:, :-1], axis=1, out=above[:, 1:])
    return above


class _Browsing(Walk):
    def __init__(self, attractive: Floats, examined: Floats) -> None:
        self._attractive, self._examined = attractive, examined
        self._previous = np.zeros(len(attractive), dtype=np.int64)

    def chance(self, rank: int) -> Floats:
        chance: Floats = self._attractive[:, rank] * self._examined[rank, self._previous]
        return chance

    def see(self, rank: int, clicked: Mask) -> None:
        self._previous[clicked] = rank + 1
