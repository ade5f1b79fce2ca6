"""How many votes on each pair of systems, and whom to compare next: the report of votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

import numpy as np
import pandas as pd

from core.agreement.corrections import correct
from core.agreement.intervals import Floats
from core.agreement.ratings import Codes
from core.collection.records import SYSTEMS
from core.comparison.paired import paired_t
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
from core.wording import count, mark_fact, name_some

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

ALPHA = 0.05
"""Below this corrected p, two rules differ by more than the chance of the draws."""

MOST_LEFT_OUT = 0.01
"""Rules that leave more than this share of systems without a vote, over draws, are not compared:
their error is of the others alone."""

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

    def __post_init__(self) -> None:
        if self.draws < 2:
            raise BadInput("rules are compared by two draws or more", field="draws")


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
             "without": Column("systems without a vote", "Left out of the error.", percent=True),
             "unbiased": Column("unbiased by design")},
        ),
        "learning": Estimated(
            "Learning curve",
            "",
            {"votes": Column("votes a pair"), "budget": Column("votes in all"), "error": _ERROR,
             "error_error": Column("±", digits=4)},
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
        """``rule, votes, error, error_error, bias, bias_error, swapped, without, unbiased``.

        ``error`` is the mean over draws of the root mean squared error of systems' win shares
        against those by all votes, ``error_error`` its standard error; ``bias`` that of the system
        whose mean over draws is farthest off, with its standard error; ``without`` the share of
        systems, over draws, that got no vote: they are left out of both.
        """
        return pd.DataFrame([row for row, _ in self._tried.values()])

    @cached_property
    def _tried(self) -> dict[str, tuple[dict[str, object], Floats]]:
        """The row of each rule and its error in each draw, by title."""
        votes, _ = self._coded
        if votes.counts.max() < 2:
            raise TooLittleData("no pair has two votes; what a second one tells takes some")
        if not 0 < self.budget <= len(votes.counts):
            raise BadInput(
                f"rules are compared at 1 to {len(votes.counts):,} votes, the number of pairs on "
                "a topic",
                field="budget",
            )
        rules = [rule for rule in RULES if rule.can_be(votes, self.budget)]
        return {rule.title: self._try(rule) for rule in rules}

    def _try(self, rule: VoteRule) -> tuple[dict[str, object], Floats]:
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
            "without": float(np.isnan(shares).mean()),
            "unbiased": rule.is_unbiased,
        }, errors

    @cached_property
    def learning(self) -> pd.DataFrame:
        """``votes`` a pair, ``budget, error, error_error``: as in ``rules``, by the budget."""
        votes, _ = self._coded
        rows = []
        for number in NUMBERS:
            rule = SameNumber(number)
            if not rule.can_be(votes, self.budget):
                continue
            for times in BUDGETS:
                budget = round(times * len(votes.counts))
                if not 0 < budget <= np.minimum(number, votes.counts).sum():
                    continue
                drawn = votes, budget, self.question.draws, new_rng(self.question.seed)
                errors = _measure(rule.draw(*drawn)[0] - votes.shares)
                spread = errors.std() / self.question.draws**0.5
                rows.append((number, budget, float(errors.mean()), float(spread)))
        return pd.DataFrame(rows, columns=["votes", "budget", "error", "error_error"])

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

    def find_alike(self, titles: Sequence[str]) -> tuple[str, ...]:
        """Return the rules that are not shown to have a larger error than the best of them.

        By a paired t test over draws, corrected for all pairs of these rules (Holm), at ``ALPHA``:
        it allows for the chance of the draws, not for other votes.

        Parameters
        ----------
        titles : sequence of str
            As ``rules`` has them.
        """
        errors = np.column_stack([self._tried[one][1] for one in titles])
        best = int(errors.mean(axis=0).argmin())
        p = correct(paired_t(errors).p, "holm")
        pairs = zip(*np.triu_indices(len(titles), k=1), p, strict=True)
        worse = {
            int(second if first == best else first)
            for first, second, one in pairs
            if best in (first, second) and one < ALPHA
        }
        return tuple(one for at, one in enumerate(titles) if at not in worse)

    @cached_property
    def answer(self) -> str:
        """How many votes a pair tell most for the same money, and what adapting does."""
        error = {title: float(errors.mean()) for title, (_, errors) in self._tried.items()}
        tried = {SameNumber(one).title: one for one in NUMBERS if SameNumber(one).title in error}
        same = {one: number for one, number in tried.items() if self._reaches_all(one)}
        if not same:
            return self._tell_same(same, error)
        left = [f"{number:,}" for title, number in tried.items() if title not in same]
        parts = [
            self._tell_same(same, error),
            self._tell_close(same, error),
            f"By {name_some(left)} a pair, systems are left without a vote." if left else "",
        ]
        return " ".join(one for one in parts if one)

    def _tell_close(self, same: Mapping[str, int], error: Mapping[str, float]) -> str:
        """Return the error where close systems get more; '' where that cannot be tried."""
        close = CloseSystems().title
        if close not in error:
            return ""
        best = min(same, key=lambda one: error[one])
        alike = {best, close} <= {*self.find_alike([*same, close])}
        return (
            f"Where {close}, with votes reweighted, it is {mark_fact(write_number(error[close]))}"
            + (f", which the draws do not tell from {best}." if alike else ".")
        )

    def _reaches_all(self, title: str) -> bool:
        """Return whether hardly any system is left without a vote."""
        return bool(cast("float", self._tried[title][0]["without"]) <= MOST_LEFT_OUT)

    def _tell_same(self, same: Mapping[str, int], error: Mapping[str, float]) -> str:
        """Return how near the numbers of votes come that leave no system without one."""
        budget = mark_fact(count(self.budget, "vote"))
        among = f"win shares by all {count(len(self._coded[0].item), 'vote')}"
        if not same:
            return (
                f"Of {budget}, no number a pair can be tried beside {among}: each leaves systems "
                "without a vote."
            )
        if len(same) == 1:
            (only,) = same
            return (
                f"Of {budget}, only {mark_fact(only)} can be tried beside {among}: the error is "
                f"{write_number(error[only])}."
            )
        listed = ", ".join(f"{write_number(error[one])} by {same[one]}" for one in same)
        return (
            f"Of {budget}, {self._tell_nearest(same)} {among}, where each pair gets as many: "
            f"the error is {listed}."
        )

    def _tell_nearest(self, same: Mapping[str, int]) -> str:
        """Return which numbers of votes come nearest, up to 'nearest to'."""
        alike = self.find_alike([*same])
        if len(alike) == len(same):
            nothing = mark_fact("no number a pair is shown to come nearest")
            return f"{nothing} by {self.question.draws:,} draws to"
        numbers = name_some([f"{same[one]:,}" for one in alike])
        last = same[alike[-1]]
        what = mark_fact(f"{numbers} {'vote' if last == 1 else 'votes'} a pair")
        verb = "comes" if alike == (SameNumber(1).title,) else "come"
        apart = (
            f", which {self.question.draws:,} draws do not tell apart," if len(alike) > 1 else ""
        )
        return f"{what}{apart} {verb} nearest to"

    @property
    def notes(self) -> Sequence[str]:
        """What is biased, how votes that follow the table are counted, what errors are of."""
        return (
            "a further vote where votes of a pair differ is chosen by outcome: win shares are "
            "biased, whether pairs or votes weigh alike",
            "votes that follow the table of the next ones are a second batch: give both, so that "
            "they are reweighted; pooled they are biased",
            "errors are of draws from these votes: by other people, or on other topics, another "
            "number of votes a pair may come nearer",
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
