"""Models in which users go down the list result by result, until they are satisfied or give up."""

from dataclasses import dataclass

import numpy as np

from core.clicks.click_log import ClickLog, Floats, Integers, Mask
from core.clicks.distinct_pages import DistinctPages, cut_after_first, find_distinct
from core.clicks.examination import NEVER
from core.clicks.likelihood import (
    ATTRACTIVENESS,
    CONTINUATION,
    ITEM,
    LEAST,
    RANK,
    SATISFACTION,
    Expected,
    Likelihood,
    Parameters,
    Walk,
)

EM, LAST_CLICK = ESTIMATIONS = ("em", "last-click")
"""Whether what is below the last click is hidden, or taken for not examined."""

BY_ITEM, BY_RANK, ALWAYS = "item", "rank", "always"
"""What the chance to stop after a click depends on; or that users always do."""

NO_CLICK_ABOVE = "never clicked with a result below it"
NEVER_FURTHER = "nobody was seen to go on, or not to"
UNSEEN = "never shown"


@dataclass(frozen=True, eq=False)
class Chain(Likelihood[DistinctPages]):
    """The cascade model and its kin.

    Parameters
    ----------
    stop : {'item', 'rank', 'always'}
        What it depends on whether a click is the last: the item (SDBN, DBN), its rank (DCM); or
        it always is (cascade).
    gives_up : bool
        Whether users may give up after any result (DBN).
    estimation : {'em', 'last-click'}
        'last-click' takes what is below the last click for not examined.
    """

    stop: str = BY_ITEM
    gives_up: bool = False
    estimation: str = EM

    @property
    def is_closed(self) -> bool:  # type: ignore[override]
        """Whether nothing is hidden."""
        return self.stop == ALWAYS or self.estimation == LAST_CLICK

    @property
    def of_items(self) -> tuple[str, ...]:  # type: ignore[override]
        """Which parameters differ by item."""
        return (ATTRACTIVENESS, SATISFACTION) if self.stop == BY_ITEM else (ATTRACTIVENESS,)

    @property
    def axes(self) -> dict[str, tuple[str, ...]]:
        """By what each parameter differs."""
        by: dict[str, tuple[str, ...]] = {ATTRACTIVENESS: (ITEM,)}
        if self.stop == BY_ITEM:
            by[SATISFACTION] = (ITEM,)
        if self.stop == BY_RANK or self.gives_up:
            by[CONTINUATION] = () if self.gives_up else (RANK,)
        return by

    def read(self, log: ClickLog) -> DistinctPages:
        """Return the distinct pages; where a click ends all, no further than to the first."""
        pages = find_distinct(log)
        return cut_after_first(pages) if self.stop == ALWAYS else pages

    def _stops(self, parameters: Parameters, item: Integers, rank: int) -> Floats:
        """Return the chance to be satisfied by a click at a rank, shape (n_pages, n_draws)."""
        if self.stop == BY_ITEM:
            by_item: Floats = parameters[SATISFACTION][np.maximum(item[:, rank], 0)]
            return by_item
        if self.stop == BY_RANK:
            by_rank: Floats = 1 - parameters[CONTINUATION][rank][np.newaxis]
            return by_rank
        return np.ones((1, 1))

    def _goes_on(self, parameters: Parameters) -> Floats:
        """Return the chance to go on after a result that does not satisfy, (1, n_draws)."""
        goes_on: Floats = parameters[CONTINUATION] if self.gives_up else np.ones((1, 1))
        return goes_on

    def expect(
        self,
        evidence: DistinctPages,
        rows: tuple[Floats, ...],
        parameters: Parameters,
        *,
        tells: bool = True,
    ) -> Expected:
        """Return what EM expects of what is hidden: all below the last click."""
        (weight,) = rows
        return _Pass(self, evidence, parameters).sum(weight, tells)

    def walk(self, parameters: Parameters, item: Integers) -> Walk:
        """Return users who may stop, or have stopped."""
        return _Going(self, parameters, item)

    def marginal(self, parameters: Parameters, item: Integers) -> Floats:
        """Return the probability of a click, over all that may happen above."""
        found, examined = np.zeros(item.shape), np.ones(len(item))
        attractive = _attract(parameters, item)
        goes_on = self._goes_on(parameters)[0, 0]
        for rank in range(item.shape[1]):
            chance = attractive[:, rank]
            found[:, rank] = examined * chance
            stops = self._stops(parameters, item, rank)[:, 0]
            examined = examined * goes_on * (1 - chance * stops)
        return found

    def tell(
        self, evidence: DistinctPages
    ) -> dict[str, "np.ndarray[tuple[int], np.dtype[np.object_]]"]:
        """Return why values cannot be told: what would show them was never seen."""
        shown = np.bincount(evidence.item[evidence.shown], minlength=self.items) > 0
        reasons = {ATTRACTIVENESS: np.where(shown, "", UNSEEN).astype(object)}
        places = np.arange(evidence.item.shape[1])
        is_above = places + 1 < evidence.length[:, np.newaxis]
        clicked = evidence.clicked & is_above
        if self.stop == BY_ITEM:
            seen = np.bincount(evidence.item[clicked], minlength=self.items) > 0
            reasons[SATISFACTION] = np.where(seen, "", NO_CLICK_ABOVE).astype(object)
        if self.stop == BY_RANK:
            reasons[CONTINUATION] = np.where(clicked.any(axis=0), "", NO_CLICK_ABOVE).astype(object)
        elif self.gives_up:
            why = "" if is_above.any() and evidence.clicked.any() else NEVER_FURTHER
            reasons[CONTINUATION] = np.array([why], dtype=object)
        return reasons

    def notes(self, evidence: DistinctPages) -> list[tuple[str, int, int]]:
        """Return how many documents were never clicked, or never certain to be examined."""
        places = np.arange(evidence.item.shape[1])
        above = evidence.shown & (places <= np.maximum(evidence.last, 0)[:, np.newaxis])
        seen, certain, clicked = (
            int((np.bincount(evidence.item[which], minlength=1) > 0).sum())
            for which in (evidence.shown, above, evidence.clicked)
        )
        below = "documents stood always below the last click: nobody is certain to have seen them"
        return [(NEVER, seen - clicked, seen), (below, seen - certain, seen)]


def _attract(parameters: Parameters, item: Integers) -> Floats:
    """Return the attractiveness of each result by the first draw; 0 where there is none."""
    return np.where(item >= 0, parameters[ATTRACTIVENESS][np.maximum(item, 0), 0], 0.0)


class _Pass:
    """Up and down the pages once: what is likely to have happened below the last click."""

    def __init__(self, chain: Chain, evidence: DistinctPages, parameters: Parameters) -> None:
        self.chain, self.evidence, self.parameters = chain, evidence, parameters
        self.depth = evidence.item.shape[1]
        self.goes_on = chain._goes_on(parameters)
        self.below = self._go_up()

    def _attractive(self, rank: int) -> Floats:
        return self.parameters[ATTRACTIVENESS][np.maximum(self.evidence.item[:, rank], 0)]

    def _stops(self, rank: int) -> Floats:
        return self.chain._stops(self.parameters, self.evidence.item, rank)

    def _go_up(self) -> list[Floats]:
        """Return by rank the chance of no click from there on, if that result is examined.

        At and above the last click it is that of the first result below it.
        """
        draws = self.parameters[ATTRACTIVENESS].shape[1]
        below = [np.ones((len(self.evidence.item), draws))]
        for rank in reversed(range(self.depth)):
            skipped = (1 - self._attractive(rank)) * self._on(below[-1])
            hidden = self.evidence.shown[:, rank] & (rank > self.evidence.last)
            below.append(np.where(hidden[:, np.newaxis], skipped, below[-1]))
        return below[::-1]

    def _on(self, below: Floats) -> Floats:
        """Return the chance of no further click after a result that did not satisfy."""
        return 1 - self.goes_on * (1 - below)

    def sum(self, weight: Floats, tells: bool) -> Expected:
        """Return what is expected of pages that were seen so often, (n_distinct, n_draws)."""
        yes, total = self._begin(weight.shape[1]), self._begin(weight.shape[1])
        examined = np.ones(self.below[0].shape)
        for rank in range(self.depth):
            looked, ended, stayed, went = self._go_down(rank, examined)
            above = weight * (rank + 1 < self.evidence.length[:, np.newaxis])
            clicked = self.evidence.clicked[:, rank, np.newaxis]
            by_item = self.evidence.by_item[rank]
            yes[ATTRACTIVENESS] += by_item @ (clicked * weight)
            total[ATTRACTIVENESS] += by_item @ (looked * weight)
            if self.chain.stop == BY_ITEM:
                yes[SATISFACTION] += by_item @ (ended * above)
                total[SATISFACTION] += by_item @ (clicked * above)
            if self.chain.stop == BY_RANK:
                yes[CONTINUATION][rank] = ((clicked - ended) * above).sum(axis=0)
                total[CONTINUATION][rank] = (clicked * above).sum(axis=0)
            elif self.chain.gives_up:
                yes[CONTINUATION] += (went * above).sum(axis=0)
                total[CONTINUATION] += (stayed * above).sum(axis=0)
            examined = went
        unknown = (self._tell() * weight).sum(axis=0) if tells else np.zeros(weight.shape[1])
        return Expected(yes, total, unknown)

    def _tell(self) -> Floats:
        """Return the log-likelihood of each page, (n_distinct, n_draws)."""
        evidence, last = self.evidence, self.evidence.last[:, np.newaxis]
        found = np.where(
            last < 0, _log(self.below[0]), np.log(LEAST) * evidence.lost[:, np.newaxis]
        )
        for rank in range(self.depth):
            clicked, attractive = evidence.clicked[:, rank, np.newaxis], self._attractive(rank)
            stops = self._stops(rank)
            ends = stops + (1 - stops) * self._on(self.below[rank + 1])
            goes = np.where(clicked, _log(1 - stops), 0) + _log(self.goes_on)
            chance = np.where(clicked, _log(attractive), _log(1 - attractive))
            found += np.where(rank <= last, chance + np.where(rank == last, _log(ends), goes), 0)
        return found

    def _begin(self, draws: int) -> Parameters:
        """Return nothing of each parameter."""
        shapes = {name: self.chain.shape(name) for name in self.chain.axes}
        return {name: np.zeros((*shape, draws)) for name, shape in shapes.items()}

    def _go_down(self, rank: int, examined: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return how likely, at a rank, a user looked, was satisfied, was not, and went on."""
        last = self.evidence.last[:, np.newaxis]
        stops, below = self._stops(rank), self.below[rank + 1]
        on = self._on(below)
        ends = 1.0 if self.chain.estimation == LAST_CLICK else stops / (stops + (1 - stops) * on)
        ended: Floats = np.where(rank == last, ends, 0.0)
        looked: Floats = np.where(self.evidence.shown[:, rank, np.newaxis], examined, 0.0)
        stayed = looked - ended
        went: Floats = np.where(rank < last, 1.0, stayed * (self.goes_on * below / on))
        return looked, ended, stayed, went


def _log(chance: Floats) -> Floats:
    """Return the logarithm; of what cannot be, one that is finite."""
    return np.log(np.maximum(chance, np.finfo(float).tiny))


class _Going(Walk):
    def __init__(self, chain: Chain, parameters: Parameters, item: Integers) -> None:
        self._chain, self._parameters, self._item = chain, parameters, item
        self._attractive = _attract(parameters, item)
        self._goes_on = float(chain._goes_on(parameters)[0, 0])
        self._examined = np.ones(len(item))

    def chance(self, rank: int) -> Floats:
        return self._attractive[:, rank] * self._examined

    def see(self, rank: int, clicked: Mask) -> None:
        stops = self._chain._stops(self._parameters, self._item, rank)[:, 0]
        chance = self.chance(rank)
        # After a skip users may not have looked at all.
        skipped = (self._examined - chance) / np.maximum(1 - chance, LEAST)
        self._examined = self._goes_on * np.where(clicked, 1 - stops, skipped)
