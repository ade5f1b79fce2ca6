"""What is found of assessors, beside what labels give that are dealt anew.

*Within items* the labels of an item go anew to those who judged it: items keep their labels, and
nobody has a way of judging of their own. *Within topics* all that a person did in a topic goes
anew, as a whole, to one of those who judged there: each topic may be read by each in a way of their
own, but nobody differs on the whole; topics are what is sampled. *Within people* the labels of a
person go anew to the items that they judged: people keep how often they give each level, and labels
tell nothing of items. Whether somebody judges otherwise than the others belongs to the first two;
what a choice of people makes of no agreement at all, to the third.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.agreement.coefficients import Kappa
from core.agreement.confusion import label_pairs
from core.agreement.corrections import correct
from core.agreement.intervals import Floats, divide
from core.agreement.multi_rater import krippendorff_alpha
from core.agreement.multi_rater_counts import PanelSums, sum_items
from core.agreement.ratings import Codes, Ratings
from core.agreement.topics import FEWEST_ITEMS

SHUFFLES, FEWEST_SHUFFLES = 199, 99
"""How often labels are dealt anew, and how often where there are very many."""

SHARES = (0.05, 0.1, 0.25, 0.5)
"""Which shares of the assessors are left out, those who agree least with the others first."""

FEWEST_TOPICS = 5
"""From how many topics on it is said whether somebody differs on the whole."""

_IN_ALL = 20_000_000
"""How many labels, and pairs of labels on one item, are looked at for each way of dealing."""

_TWO_SIDED = 1.959963984540054


class ByChance(NamedTuple):
    """What dealing labels anew gives: mean and 95 % limits of each value, and p of what was found.

    All of shape (n_values,); NaN where nothing was found. ``p`` is corrected for all of them.
    """

    mean: Floats
    low: Floats
    high: Floats
    p: Floats


class AssessorScores(NamedTuple):
    """What labels tell of their assessors.

    Attributes
    ----------
    kappa, gold : array, shape (..., n_assessors)
        Mean linear weighted κ with the others, over pairs with 10 common items or more, and κ with
        gold, from 10 items on; NaN where it is not defined.
    alpha : array, shape (..., 1 + n_choices)
        Krippendorff's α (ordinal) of all, then without those of each choice.
    stays : array of int, shape (..., n_assessors)
        Through how many choices, the smallest first, each assessor stays.
    """

    kappa: Floats
    gold: Floats
    alpha: Floats
    stays: Codes


def deal(group: Codes, times: int, rng: np.random.Generator) -> Iterator[Codes]:
    """Yield positions that mix what belongs to one group, and leave each in its group.

    Parameters
    ----------
    group : array of int, shape (n,)
        The group of each; not negative.
    times : int
    rng : Generator

    Yields
    ------
    array of int, shape (n,)
        ``values[positions]`` are values dealt anew; every order of a group is as likely.
    """
    place = np.argsort(group, kind="stable")
    ordered = group[place]
    for _ in range(times):
        positions = np.empty_like(place)
        positions[place] = place[np.argsort(ordered + rng.random(len(group)), kind="stable")]
        yield positions


def compare_with_dealt(found: Floats, dealt: Floats, sign: int) -> ByChance:
    """Set values beside those of dealings.

    Parameters
    ----------
    found : array, shape (n_values,)
        NaN where there is none.
    dealt : array, shape (n_dealings, n_values)
        The same on labels dealt anew.
    sign : {-1, 0, 1}
        Whether it is asked if values are lower than by chance, different, or higher.

    Returns
    -------
    ByChance
        ``p`` is by the largest distance of all values in a dealing, each in its own standard
        deviations (max-type), and what was found counts as a dealing: where labels are as if dealt,
        any p falls below .05 in 5 % of studies at most, whatever the number of values.

    References
    ----------
    Westfall and Young (1993), Resampling-Based Multiple Testing, Wiley.
    """
    known = ~np.isnan(found) & ~np.isnan(dealt).all(axis=0)
    mean, low, high, p = np.full((4, len(found)), np.nan)
    if known.any():
        pool = np.vstack([found, dealt])[:, known]
        mean[known] = np.nanmean(pool[1:], axis=0)
        low[known], high[known] = np.nanquantile(pool[1:], (0.025, 0.975), axis=0)
        pool = np.where(np.isnan(pool), np.nanmean(pool, axis=0), pool)
        far = (pool - pool.mean(axis=0)) / np.maximum(pool.std(axis=0), 1e-9)
        far = np.abs(far) if sign == 0 else sign * far
        p[known] = (far.max(axis=1)[:, np.newaxis] >= far[0] - 1e-9).mean(axis=0)
    return ByChance(mean, low, high, p)


def by_moments(found: Floats, deviation: Floats) -> ByChance:
    """Set sums of many labels beside the moments of all dealings: 0, and a standard deviation.

    Parameters
    ----------
    found, deviation : array, shape (n_values,)
        NaN where nothing is known.

    Returns
    -------
    ByChance
        As if normal; ``p`` is two-sided and corrected by Holm's method.
    """
    from scipy.special import ndtr

    known = ~np.isnan(found) & ~np.isnan(deviation)
    mean, p = np.where(known, 0.0, np.nan), np.full(len(found), np.nan)
    far = divide(np.abs(found[known]), deviation[known])
    # Where dealing moves nothing, nothing is beyond it.
    p[known] = correct(2 * ndtr(-np.where(np.isnan(far), 0, far)), "holm")
    return ByChance(mean, mean - _TWO_SIDED * deviation, mean + _TWO_SIDED * deviation, p)


def leniency_by_chance(ratings: Ratings, found: Floats) -> ByChance:
    """Set leniency beside that of labels dealt anew within items, by the moments of all dealings.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    found : array, shape (n_assessors,)
        Leniency of each; NaN with fewer than 10 common items.
    """
    level, size, people = (
        ratings.level.astype(np.float64),
        len(ratings.items),
        len(ratings.assessors),
    )
    labels, sums, squares = (
        _add_up(ratings.item, part, size) for part in (np.ones(len(level)), level, level**2)
    )
    spread = np.maximum(divide(squares - divide(sums**2, labels), labels - 1), 0)
    # A label is n / (n − 1) times as far from the others' mean as from the mean of all n.
    of_label = (spread * divide(labels, labels - 1))[ratings.item]
    common = ~np.isnan(of_label)
    who = ratings.assessor[common]
    variance, items = (_add_up(who, part, people) for part in (of_label[common], np.ones(len(who))))
    return by_moments(found, divide(np.sqrt(variance), items))


def deal_topics(ratings: Ratings, times: int, rng: np.random.Generator) -> Iterator[Codes]:
    """Yield whose labels are, where all that a person did in a topic is given to one there.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    times : int
    rng : Generator

    Yields
    ------
    array of int, shape (n_labels,)
        Positions in ``ratings.assessors``; every exchange of people within each topic is as
        likely.
    """
    people = len(ratings.assessors)
    cells, cell = np.unique(ratings.topic * people + ratings.assessor, return_inverse=True)
    topic, who = np.divmod(cells, people)
    for positions in deal(topic, times, rng):
        yield who[positions][cell]


def give_to(ratings: Ratings, owner: Codes) -> Ratings:
    """Return ratings whose labels are those of other assessors; nobody has two on one item."""
    order = np.argsort(ratings.item * len(ratings.assessors) + owner, kind="stable")
    return replace(ratings, assessor=owner[order], level=ratings.level[order])


@dataclass(frozen=True, eq=False)
class DealtScores:
    """Scores of labels as they are, and dealt anew; each way is dealt when first asked for.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    gold : array of int, shape (n_items,)
        The position of each item's gold level on the scale; −1 without one.
    shuffles : int, optional
        How often labels are dealt; as many as `count_shuffles` says, without.
    seed : int, default 1
    """

    ratings: Ratings
    gold: Codes
    shuffles: int | None = None
    seed: int = 1

    @cached_property
    def _score(self) -> _Scorer:
        return _Scorer(self.ratings, self.gold)

    @cached_property
    def times(self) -> int:
        """How often labels are dealt."""
        number = len(self.ratings.level) + len(self._score.left)
        return count_shuffles(number) if self.shuffles is None else self.shuffles

    @cached_property
    def left_out(self) -> tuple[int, ...]:
        """How many people each choice leaves out: two of those whose κ is known stay at least."""
        known = int((~np.isnan(self._score(self.ratings.level).kappa)).sum())
        numbers = {max(1, round(share * known)) for share in SHARES}
        return tuple(sorted(one for one in numbers if one <= known - 2))

    @cached_property
    def found(self) -> AssessorScores:
        """The scores of the labels as they are."""
        return self._score(self.ratings.level, self.left_out)

    @cached_property
    def within_items(self) -> AssessorScores:
        """Those of each dealing within items."""
        return self._deal_levels(self.ratings.item, 0)

    @cached_property
    def within_people(self) -> AssessorScores:
        """Those of each dealing within people."""
        return self._deal_levels(self.ratings.assessor, 1)

    @cached_property
    def within_topics(self) -> AssessorScores:
        """Those of each dealing within topics; NaN with fewer than 5 topics to deal in.

        Only topics count in which two people judged an item, for ``gold`` one with a gold level.
        NaN, too, where exchanging people parts those who share items: κ of who has none in half of
        the dealings, and α where they leave fewer than nine in ten of those with κ.
        """
        given = (give_to(self.ratings, owner) for owner in self.owners_within_topics())
        scores = _stack(_Scorer(one, self.gold)(one.level, self.left_out) for one in given)
        is_known = ~np.isnan(scores.kappa)
        enough = 0.9 * np.count_nonzero(~np.isnan(self.found.kappa))
        is_kept = self.is_over_topics and np.median(is_known.sum(axis=1)) >= enough
        is_met = self.is_over_topics & (is_known.mean(axis=0) > 0.5)
        return scores._replace(
            kappa=np.where(is_met, scores.kappa, np.nan),
            gold=scores.gold if self.is_gold_over_topics else np.full_like(scores.gold, np.nan),
            alpha=scores.alpha if is_kept else np.full_like(scores.alpha, np.nan),
        )

    def owners_within_items(self) -> Iterator[Codes]:
        """Yield whose each label is in each dealing within items."""
        for at in deal(self.ratings.item, self.times, self._rng(0)):
            owner = np.empty_like(at)
            owner[at] = self.ratings.assessor
            yield owner

    def owners_within_topics(self) -> Iterator[Codes]:
        """Yield whose each label is in each dealing within topics."""
        return deal_topics(self.ratings, self.times, self._rng(2))

    @cached_property
    def is_over_topics(self) -> bool:
        """Whether there are topics enough to deal in."""
        return self._count_topics(np.ones_like(self.gold, dtype=np.bool_)) >= FEWEST_TOPICS

    @cached_property
    def is_gold_over_topics(self) -> bool:
        """The same of items with a gold level."""
        return self._count_topics(self.gold >= 0) >= FEWEST_TOPICS

    def _count_topics(self, items: npt.NDArray[np.bool_]) -> int:
        """Return in how many topics two people judged one of these items."""
        labels = np.bincount(self.ratings.item, minlength=len(items))
        common = (items & (labels > 1))[self.ratings.item]
        return len(np.unique(self.ratings.topic[common]))

    def _deal_levels(self, group: Codes, way: int) -> AssessorScores:
        dealt = deal(group, self.times, self._rng(way))
        return _stack(self._score(self.ratings.level[at], self.left_out) for at in dealt)

    def _rng(self, way: int) -> np.random.Generator:
        return np.random.default_rng(self.seed).spawn(3)[way]


def count_shuffles(number: int) -> int:
    """Return how often so many labels and pairs of labels on one item are dealt anew."""
    return max(FEWEST_SHUFFLES, min(SHUFFLES, _IN_ALL // max(number, 1)))


def _add_up(place: Codes, values: Floats, size: int) -> Floats:
    sums: Floats = np.bincount(place, values, minlength=size).astype(np.float64)
    return sums


def _stack(scores: Iterable[AssessorScores]) -> AssessorScores:
    return AssessorScores(*(np.array(one) for one in zip(*scores, strict=True)))


class _Scorer:
    """Scores any levels of the same labels; what does not depend on levels is found once."""

    def __init__(self, ratings: Ratings, gold: Codes) -> None:
        self.ratings, people = ratings, len(ratings.assessors)
        none = np.zeros(0, dtype=np.int64)
        sides = [(none, none), *label_pairs(ratings)]
        left, right = (np.concatenate(side) for side in zip(*sides, strict=True))
        codes = ratings.assessor[left] * people + ratings.assessor[right]
        pairs, place, items = np.unique(codes, return_inverse=True, return_counts=True)
        counted = items >= FEWEST_ITEMS
        kept = counted[place]
        self.left, self.right = left[kept], right[kept]
        self.pair = (np.cumsum(counted) - 1)[place[kept]]
        self.first, self.second = np.divmod(pairs[counted], people)
        of_label = gold[ratings.item]
        self.with_gold, self.gold = of_label >= 0, of_label[of_label >= 0]

    def __call__(self, level: Codes, left_out: Sequence[int] = ()) -> AssessorScores:
        kappa = self._agree_with_others(level)
        # Who agrees least comes first, and who shares too little with others is never left out.
        order = np.argsort(kappa, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        rank[np.isnan(kappa)] = len(order)
        of_label = rank[self.ratings.assessor]
        sums = np.array([self._add_up(level, of_label >= number) for number in (0, *left_out)])
        alpha = krippendorff_alpha(PanelSums(self.ratings.levels, sums), "ordinal")
        stays = np.searchsorted(np.array(left_out), rank, side="right")
        return AssessorScores(kappa, self._agree_with_gold(level), alpha, stays)

    def _agree_with_others(self, level: Codes) -> Floats:
        value = self._kappa(self.pair, level[self.left], level[self.right], len(self.first))
        known, people = ~np.isnan(value), len(self.ratings.assessors)
        both = np.concatenate([self.first[known], self.second[known]])
        sums, numbers = (
            _add_up(both, np.concatenate([part, part]), people)
            for part in (value[known], np.ones(known.sum()))
        )
        return divide(sums, numbers)

    def _agree_with_gold(self, level: Codes) -> Floats:
        who, people = self.ratings.assessor[self.with_gold], len(self.ratings.assessors)
        if not len(who):
            return np.full(people, np.nan)
        value = self._kappa(who, level[self.with_gold], self.gold, people)
        return np.where(np.bincount(who, minlength=people) < FEWEST_ITEMS, np.nan, value)

    def _kappa(self, block: Codes, rows: Codes, columns: Codes, blocks: int) -> Floats:
        size = len(self.ratings.levels)
        cells = np.bincount((block * size + rows) * size + columns, minlength=blocks * size**2)
        matrices = cells.reshape(blocks, size, size).astype(np.float64)
        return Kappa("linear").value(matrices, self.ratings.levels)

    def _add_up(self, level: Codes, kept: npt.NDArray[np.bool_]) -> Floats:
        size, items = len(self.ratings.levels), len(self.ratings.items)
        cells = (self.ratings.item * size + level)[kept]
        counts = np.bincount(cells, minlength=items * size)
        return sum_items(counts.reshape(items, size), self.ratings.levels).flat
