"""How many votes on each pair of systems, and whom to compare next: the report of votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats
from core.agreement.ratings import Codes
from core.collection.records import SYSTEMS
from core.errors import BadInput, TooLittleData
from core.numerals import write_number
from core.planning.vote_rules import (
    CloseSystems,
    SameNumber,
    ThirdWhereTwoDiffer,
    VoteRule,
    Votes,
    combine_batches,
    find_gaps,
    share_out,
    share_systems,
    weigh_close,
)
from core.preference.selection import comparable_preferences
from core.reports.report import Column, Estimated, Report
from core.reports.sampling import SEED, new_rng
from core.wording import count, mark_fact

NUMBERS = (1, 2, 3, 5)
"""Votes a pair that are tried."""

RULES: tuple[VoteRule, ...] = (
    *map(SameNumber, NUMBERS),
    ThirdWhereTwoDiffer(),
    ThirdWhereTwoDiffer(is_pooled=True),
    CloseSystems(),
    CloseSystems(is_pooled=True),
)
"""Ways to spend a budget, in the order in which they are shown."""

BUDGETS = (0.25, 0.5, 1.0, 2.0)
"""That learning curves have, as multiples of the number of pairs on a topic."""

NEXT = 100
"""So many further votes are shared out."""

_USUAL_BUDGET = 2 / 3
_MANY = 10**9


@dataclass(frozen=True)
class VoteQuestion:
    """What is asked of votes.

    Parameters
    ----------
    budget : int
        Votes that rules are compared at; 0 for two to every three pairs on a topic.
    draws, seed : int
        Of each rule.
    """

    budget: int = 0
    draws: int = 500
    seed: int = SEED


USUAL = VoteQuestion()
"""What is asked where nothing is chosen."""

_ERROR = Column("error", "Root mean squared over systems, a mean over draws.", digits=4)


@dataclass(frozen=True, eq=False)
class VotePlan(Report):
    """How near few votes come to win shares by all; ``dissent.plan_votes`` makes it.

    Parameters
    ----------
    given : DataFrame
        Preferences; those between systems count.
    question : VoteQuestion
        What is asked.
    later : DataFrame, optional
        Those of a second batch, whose pairs of systems were chosen by the table ``next`` of the
        first: then ``shares`` weighs the two so that they stay unbiased.
    """

    given: pd.DataFrame
    question: VoteQuestion = USUAL
    later: pd.DataFrame | None = None

    name: ClassVar[str] = "plan of votes"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "rules": Estimated(
            "Within the same budget",
            "",
            {"rule": Column("rule", names="nobody"), "votes": Column("votes", digits=0),
             "error": _ERROR, "error_error": Column("±", digits=4),
             "bias": Column("largest bias", digits=4), "bias_error": Column("±", digits=4),
             "swapped": Column("pairs in the wrong order", percent=True),
             "unbiased": Column("unbiased by design")},
        ),
        "learning": Estimated(
            "Learning curve",
            "",
            {"votes": Column("votes a pair"), "budget": Column("votes in all"), "error": _ERROR},
        ),
        "shares": Estimated(
            "Win shares",
            "",
            {"system": Column("system", names="nobody"), "share": Column("share of wins"),
             "votes": Column("votes")},
        ),
        "next": Estimated(
            f"The next {NEXT} votes, were close systems to get more",
            "",
            {"first": Column("first", names="nobody"), "second": Column("second", names="nobody"),
             "votes": Column("votes"), "share": Column("share of the first"),
             "gap": Column("apart", "In win shares."), "asked": Column("next")},
        ),
    }  # fmt: skip

    @cached_property
    def _coded(self) -> tuple[Votes, list[str]]:
        return _code(self.given)

    @property
    def budget(self) -> int:
        """How many votes rules are compared at."""
        return self.question.budget or round(_USUAL_BUDGET * len(self._coded[0].counts))

    @cached_property
    def rules(self) -> pd.DataFrame:
        """``rule, votes, error, error_error, bias, bias_error, swapped, unbiased``.

        ``error`` is the mean over draws of the root mean squared error of systems' win shares
        against those by all votes, ``error_error`` its standard error; ``bias`` that of the system
        whose mean over draws is farthest off, with its standard error.
        """
        votes, _ = self._coded
        if votes.counts.max() < 2:
            raise TooLittleData("no pair has two votes; what a second one tells takes some")
        if not 0 < self.budget <= len(votes.counts):
            raise BadInput(
                f"rules are compared at 1 to {len(votes.counts):,} votes, the number of pairs on "
                "a topic",
                field="budget",
            )
        return pd.DataFrame([self._try(rule) for rule in RULES if rule.can_be(votes, self.budget)])

    def _try(self, rule: VoteRule) -> dict[str, object]:
        votes, _ = self._coded
        draws = self.question.draws
        shares, asked = rule.draw(votes, self.budget, draws, new_rng(self.question.seed))
        apart = shares - votes.shares
        errors = _measure(apart)
        mean, spread = np.nanmean(apart, axis=0), np.nanstd(apart, axis=0) / draws**0.5
        worst = int(np.argmax(np.abs(mean)))
        return {
            "rule": rule.title,
            "votes": float(asked.mean()),
            "error": float(errors.mean()),
            "error_error": float(errors.std() / draws**0.5),
            "bias": float(mean[worst]),
            "bias_error": float(spread[worst]),
            "swapped": _swap(shares, votes.shares),
            "unbiased": rule.is_unbiased,
        }

    @cached_property
    def learning(self) -> pd.DataFrame:
        """``votes`` a pair, ``budget, error``: as in ``rules``, by the size of the budget."""
        votes, _ = self._coded
        rows = []
        for number in NUMBERS:
            rule = SameNumber(number)
            if not rule.can_be(votes, self.budget):
                continue
            for times in BUDGETS:
                budget = round(times * len(votes.counts))
                if budget > np.minimum(number, votes.counts).sum():
                    continue
                drawn = votes, budget, self.question.draws, new_rng(self.question.seed)
                errors = _measure(rule.draw(*drawn)[0] - votes.shares)
                rows.append((number, budget, float(errors.mean())))
        return pd.DataFrame(rows, columns=["votes", "budget", "error"])

    @cached_property
    def shares(self) -> pd.DataFrame:
        """``system, share, votes``: each pair of systems weighs as many topics as it has.

        Of two batches, by weights that no answer has changed: see `combine_batches`.
        """
        votes, systems = self._coded
        begun, sizes = _by_pair(votes)
        played = np.bincount(votes.item)
        if self.later is not None:
            more, names = _code(self.later, systems)
            if names != systems or len(more.pairs[0]) != len(votes.pairs[0]):
                raise BadInput(
                    "the second batch needs a vote on every pair of systems of the first, and on "
                    "no other"
                )
            later, asked = _by_pair(more)
            planned = share_out(int(asked.sum()), np.ones(len(asked)), np.full(len(asked), _MANY))
            many = np.full(len(sizes), _MANY)
            begun = combine_batches(begun, later, many, sizes, planned)
        own = share_systems(begun, sizes.astype(np.float64), *votes.pairs, votes.systems)
        number = np.bincount(votes.first, played, votes.systems)
        number += np.bincount(votes.second, played, votes.systems)
        return pd.DataFrame({"system": systems, "share": own, "votes": number.astype(np.int64)})

    @cached_property
    def next(self) -> pd.DataFrame:
        """``first, second, votes, share, gap, asked``: how further votes would be shared out."""
        votes, systems = self._coded
        share, sizes = _by_pair(votes)
        gaps = find_gaps(votes, share, sizes)
        played = np.bincount(votes.pair, votes.counts).astype(np.int64)
        most = np.full(len(sizes), NEXT)
        names = (np.array(systems, dtype=object)[code] for code in votes.pairs)
        table = pd.DataFrame(
            {
                **dict(zip(("first", "second"), names, strict=True)),
                "votes": played,
                "share": share,
                "gap": gaps,
                "asked": share_out(NEXT, weigh_close(gaps, sizes), most),
            }
        )
        return table.sort_values(["gap", "first", "second"], ignore_index=True)

    @cached_property
    def answer(self) -> str:
        """How many votes a pair tell most for the same money, and what adapting does."""
        rows = self.rules.set_index("rule")["error"]
        titles = {one: SameNumber(one).title for one in NUMBERS}
        same = {one: rows[title] for one, title in titles.items() if title in rows}
        best = min(same, key=lambda one: same[one])
        listed = ", ".join(f"{write_number(error)} by {one}" for one, error in same.items())
        nearest = mark_fact(f"{count(best, 'vote')} a pair")
        among = f"win shares by all {count(len(self._coded[0].item), 'vote')}"
        sentence = (
            f"Of {mark_fact(count(self.budget, 'vote'))}, only {nearest} can be tried beside "
            f"{among}: the error is {write_number(same[best])}."
            if len(same) == 1
            else f"Of {mark_fact(count(self.budget, 'vote'))}, {nearest} "
            f"{'comes' if best == 1 else 'come'} nearest to {among}, where each pair gets as many: "
            f"the error is {listed}."
        )
        close = CloseSystems().title
        if close not in rows:
            return sentence
        return (
            f"{sentence} Where {close}, with votes reweighted, it is "
            f"{mark_fact(write_number(rows[close]))}."
        )

    @property
    def notes(self) -> Sequence[str]:
        """What is biased, and how votes that follow the table are to be counted."""
        return (
            "a further vote where votes of a pair differ is chosen by outcome: win shares are "
            "biased, whether pairs or votes weigh alike",
            "votes that follow the table of the next ones are a second batch: give both, so that "
            "they are reweighted; pooled they are biased",
        )


def _code(given: pd.DataFrame, systems: Sequence[str] = ()) -> tuple[Votes, list[str]]:
    """Return votes as numbers, and the systems by code."""
    chosen = comparable_preferences(given[given["kind"] == SYSTEMS])
    known = sorted({*systems, *chosen["first"], *chosen["second"]})
    if len(known) < 2:
        raise TooLittleData("votes are between two systems at least")
    place = {name: code for code, name in enumerate(known)}
    first, second = (chosen[one].map(place).to_numpy(np.int64) for one in ("first", "second"))
    value = chosen["choice"].map({"first": 1.0, "second": 0.0, "tie": 0.5}).to_numpy(np.float64)
    is_turned = first > second
    value = np.where(is_turned, 1 - value, value).astype(np.float64)
    first, second = np.where(is_turned, (second, first), (first, second)).astype(np.int64)
    keys = pd.DataFrame({"topic": chosen["topic_id"].to_numpy(), "first": first, "second": second})
    item = keys.groupby(["topic", "first", "second"], sort=True).ngroup().to_numpy(np.int64)
    order = np.argsort(item, kind="stable")
    _, begin = np.unique(item[order], return_index=True)
    of_item = order[begin]
    in_order = value[order].astype(np.float64), item[order].astype(np.int64)
    return Votes(*in_order, first[of_item], second[of_item], len(known)), known


def _by_pair(votes: Votes) -> tuple[Floats, Codes]:
    """Return the share of the first of each pair of systems over topics, and their number."""
    sizes = np.bincount(votes.pair).astype(np.int64)
    return np.bincount(votes.pair, votes.means) / sizes, sizes


def _measure(apart: Floats) -> Floats:
    """Return the root mean squared error of each draw; systems without a vote are left out."""
    found: Floats = np.sqrt(np.nanmean(apart**2, axis=1))
    return found


def _swap(shares: Floats, whole: Floats) -> float:
    """Return the share of pairs of systems in another order than by all votes, a tie half."""
    one, other = np.triu_indices(len(whole), 1)
    same = (shares[:, one] - shares[:, other]) * (whole[one] - whole[other])
    return float(np.nanmean(np.where(np.isnan(same), np.nan, (same < 0) + (same == 0) / 2)))
