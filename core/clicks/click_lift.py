"""How often preferences read from clicks agree with people, beside what position alone gives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats, mean_interval
from core.clicks.click_log import ClickLog, Integers, Mask
from core.clicks.preference_rule import PreferenceRule

INTERVAL, UNIT = "linearised jackknife", "session"
BLOCK = 2**14
"""Pages at a time: pairs of ranks stay small beside the log."""

NO_PAIR = "the rule reads no pair that people tell apart"
NO_CHANCE = "no page has people's preference this way round at these ranks"
FEW = "all pairs are of one session: limits over sessions need two"


class Opinion(Protocol):
    """What people say of two results of a page."""

    def compare(self, item: Integers) -> Floats:
        """Return 1 where the first is better, −1 where the second is, 0 for a tie, else NaN.

        Takes items of shape (n_pages, depth), -1 for none; returns (n_pages, depth, depth).
        """


@dataclass(frozen=True, eq=False)
class Worths:
    """People's opinion as a value of each item: its level, or the weight of its level.

    Parameters
    ----------
    worth : array of float, shape (n_items,)
        NaN where nobody judged.
    """

    worth: Floats

    def compare(self, item: Integers) -> Floats:
        """Return the signs of differences."""
        of_each = np.where(item >= 0, self.worth[item], np.nan)
        signs: Floats = np.sign(of_each[:, :, np.newaxis] - of_each[:, np.newaxis, :])
        return signs


@dataclass(frozen=True, eq=False)
class SideBySide:
    """People's opinion as preferences between pairs of items.

    Parameters
    ----------
    first, second : array of int, shape (n_pairs,)
        Items.
    balance : array of float, shape (n_pairs,)
        Preferences for the first less those for the second; 0 is a tie. Rows of one pair add up.
    items : int
        How many items there are.
    """

    first: Integers
    second: Integers
    balance: Floats
    items: int

    def compare(self, item: Integers) -> Floats:
        """Return the signs of balances."""
        both = np.concatenate([self._number(self.first, self.second), self._other_way_round])
        pairs, place = np.unique(both, return_inverse=True)
        sums = np.bincount(place, np.concatenate([self.balance, -self.balance]))
        one, other = item[:, :, np.newaxis], item[:, np.newaxis, :]
        wanted = np.where((one >= 0) & (other >= 0), self._number(one, other), -1)
        at = np.minimum(np.searchsorted(pairs, wanted), max(len(pairs) - 1, 0))
        if not len(pairs):
            return np.full(wanted.shape, np.nan)
        return np.where(pairs[at] == wanted, np.sign(sums[at]), np.nan)

    @property
    def _other_way_round(self) -> Integers:
        return self._number(self.second, self.first)

    def _number(self, first: Integers, second: Integers) -> Integers:
        number: Integers = first.astype(np.int64) * self.items + second
        return number


def click_lift(rules: Sequence[PreferenceRule], log: ClickLog, opinion: Opinion) -> pd.DataFrame:
    """Compare preferences that rules read from clicks with people's.

    Parameters
    ----------
    rules : sequence of PreferenceRule
    log : ClickLog
    opinion : Worths or SideBySide

    Returns
    -------
    DataFrame
        A row a rule: ``rule, title``; ``pairs`` that people tell apart, beside ``ties`` and
        ``unjudged`` ones, which count nowhere else; ``agree``, the share of pairs in which people
        prefer the same; ``expected``, the share that position alone gives; ``lift``, agree over
        expected (1: clicks tell nothing beyond position), with 95 % limits ``low, high``;
        ``interval, unit, units`` (sessions with such pairs); ``reason`` where one is NaN.

    Notes
    -----
    Position alone: of all pages that show results which people tell apart at the same two ranks,
    whatever was clicked, the share in which people prefer the one at the rank that the rule
    prefers; weighed by how often the rule has these ranks. It is the exact expectation were each
    pair at its ranks taken from such a page at random, and needs no model of clicks.
    Limits: each session's part in the logarithm of the lift, the expected share's included, gives
    its standard error; on the scale of the share they are those of `mean_interval`. A lift is at
    most 1 / expected.

    References
    ----------
    Joachims, Granka, Pan, Hembrooke and Gay (2005), SIGIR, doi:10.1145/1076034.1076063, for the
    rules; that clicks agree with people more than by position is compared here as a ratio.
    """
    base = _Base.of(log, opinion)
    counted = [_Counted.of(rule, log, opinion) for rule in rules]
    rows = []
    for rule, one in zip(rules, counted, strict=True):
        parts = _sum_parts(rule, one, base, log, opinion)
        rows.append({"rule": str(rule), "title": rule.title, **_limit(one, base, parts)})
    return pd.DataFrame(rows).assign(interval=INTERVAL, unit=UNIT)[_COLUMNS]


_COLUMNS = [
    "rule", "title", "pairs", "ties", "unjudged", "agree", "expected", "lift", "low", "high",
    "interval", "unit", "units", "reason",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Base:
    """By two ranks: pages on which people tell the results apart, and prefer the first."""

    apart: Floats
    for_first: Floats

    @classmethod
    def of(cls, log: ClickLog, opinion: Opinion) -> "_Base":
        shape = log.depth, log.depth
        apart, for_first = np.zeros(shape), np.zeros(shape)
        for block in _deal(log):
            signs = opinion.compare(log.item[block])
            apart += (np.abs(signs) == 1).sum(axis=0)
            for_first += (signs == 1).sum(axis=0)
        return cls(apart, for_first)

    @property
    def share(self) -> Floats:
        share = np.zeros(self.apart.shape)
        np.divide(self.for_first, self.apart, out=share, where=self.apart > 0)
        return share


@dataclass(frozen=True, eq=False)
class _Counted:
    """By two ranks: the pairs of a rule that people tell apart; and others, in all."""

    apart: Floats
    agreeing: float
    ties: int
    unjudged: int

    @classmethod
    def of(cls, rule: PreferenceRule, log: ClickLog, opinion: Opinion) -> "_Counted":
        apart, agreeing, ties, unjudged = np.zeros((log.depth, log.depth)), 0.0, 0, 0
        for block in _deal(log):
            signs = opinion.compare(log.item[block])
            chosen = rule.pairs(log.clicked[block], log.shown[block])
            apart += (chosen & (np.abs(signs) == 1)).sum(axis=0)
            agreeing += float((chosen & (signs == 1)).sum())
            ties += int((chosen & (signs == 0)).sum())
            unjudged += int((chosen & np.isnan(signs)).sum())
        return cls(apart, agreeing, ties, unjudged)

    def expect(self, base: _Base) -> float:
        """Return how many pairs would agree by position alone."""
        return float((self.apart * base.share).sum())


def _deal(log: ClickLog) -> Iterator[slice]:
    for start in range(0, len(log), BLOCK):
        yield slice(start, start + BLOCK)


@dataclass(frozen=True, eq=False)
class _Parts:
    """Of each session: what it adds to the logarithm of the lift, and whether it has pairs."""

    influence: Floats
    has_pairs: Mask


def _sum_parts(
    rule: PreferenceRule, counted: _Counted, base: _Base, log: ClickLog, opinion: Opinion
) -> _Parts:
    expected, share = counted.expect(base), base.share
    weight = np.zeros(share.shape)
    np.divide(counted.apart, base.apart, out=weight, where=base.apart > 0)
    influence, pairs = np.zeros(log.sessions), np.zeros(log.sessions)
    for block in _deal(log):
        signs = opinion.compare(log.item[block])
        chosen = rule.pairs(log.clicked[block], log.shown[block])
        apart, session = np.abs(signs) == 1, log.session[block]
        own = chosen & apart
        agreeing = (own & (signs == 1)).sum(axis=(1, 2))
        moved = (own * share + weight * ((signs == 1) - share * apart)).sum(axis=(1, 2))
        page = agreeing / max(counted.agreeing, 1) - moved / (expected or np.inf)
        influence += np.bincount(session, page, minlength=log.sessions)
        pairs += np.bincount(session, own.sum(axis=(1, 2)), minlength=log.sessions)
    return _Parts(influence, pairs > 0)


def _limit(counted: _Counted, base: _Base, parts: _Parts) -> dict[str, object]:
    pairs, chance = counted.apart.sum(), counted.expect(base)
    agree, expected = (one / pairs if pairs else np.nan for one in (counted.agreeing, chance))
    units = int(parts.has_pairs.sum())
    sessions = len(parts.influence)
    lift = agree / expected if chance else np.nan
    row = {
        "pairs": int(pairs),
        "ties": counted.ties,
        "unjudged": counted.unjudged,
        "agree": agree,
        "expected": expected,
        "lift": lift,
        "units": units,
    }
    if not chance or units < 2:
        reason = NO_PAIR if not pairs else NO_CHANCE if not chance else FEW
        return {**row, "low": np.nan, "high": np.nan, "reason": reason}
    squares = float((parts.influence**2).sum()) * sessions / (sessions - 1)
    error = agree * np.sqrt(squares) if 0 < agree < 1 else 0.0
    low, high = mean_interval(np.array([agree]), np.array([error]), np.array([float(units)]))
    return {**row, "low": float(low[0]) / expected, "high": float(high[0]) / expected, "reason": ""}
