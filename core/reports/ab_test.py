"""Whether users fare otherwise in one arm of an A/B test than in the other, by its log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd

from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, TooLittleData
from core.interleaving.ab_test import (
    ArmDifference,
    Users,
    adjust_by_before,
    check_split,
    compare_arms,
    smallest_found,
    users_needed,
)
from core.numerals import say_p, tell_digits, write_limits, write_number, write_p
from core.reports.report import Column, Estimated, Report
from core.wording import count, mark_fact

UNLIKELY = 0.001
"""A split less likely than that is a fault of the test, not chance."""

FEW = 50
"""With fewer users in an arm limits are not tried."""

LEAST = 5
"""Of fewer users in an arm it is not told what they find: of three, two in three tests do."""

SKEWED, MISLEADING = 0.2, 0.35
"""With more skewness of the difference p is noted to be too small; with still more, it is not told.

Of outcomes yes or no in arms of 50 to 4,950 users that do not differ, p < .05 comes with .2 at most
in 6.1 of 100 tests, with .35 in 8.1, with .5 in 14, with more than 1 in up to 89.
"""

MISLEADS = "arms are too uneven for outcomes so skewed: limits and p would mislead"

_TOO_SMALL = (
    "one arm has fewer users than the other, and {what} outcomes unlike the rest: limits hold "
    "less often than in 95 of 100 tests, and of such arms that do not differ, p < 0.05 comes in up "
    "to {often} of 100 tests"
)

EFFECTS = (0.01, 0.02, 0.05, 0.1, 0.2)
"""Parts of the first arm's outcome that a difference is asked to be found of."""

WELCH, ADJUSTED = "welch", "welch, adjusted"
_ALIKE = {
    WELCH: "nobody's visits differ from the others' of the arm",
    ADJUSTED: "the outcomes before foretell all of it: nothing is left to chance",
}
"""Why there are no limits."""


def _is_misleading(one: ArmDifference) -> bool:
    return bool(abs(one.skewness) > MISLEADING)


def _hide_misleading(one: ArmDifference) -> ArmDifference:
    hidden = {"low": np.nan, "high": np.nan, "p": np.nan}
    return one._replace(**hidden) if _is_misleading(one) else one


def _say_why_not(one: ArmDifference, method: str) -> str:
    """Return why a difference has no limits."""
    return MISLEADS if _is_misleading(one) else _ALIKE[method]


def _write_small(value: float) -> str:
    return write_number(value, tell_digits(abs(value), 4))


@dataclass(frozen=True)
class ABQuestion:
    """What is asked of an A/B test.

    Parameters
    ----------
    first : str
        The arm that the other is compared with; the first by name, without.
    share : float
        Which share of the users was to go to the other arm.
    alpha : float
        Below which p shows a difference.
    """

    first: str = ""
    share: float = 0.5
    alpha: float = SignificanceTest.alpha

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise BadInput("a share of users lies between 0 and 1", field="share")
        _ = SignificanceTest(alpha=self.alpha)


USUAL = ABQuestion()
"""What is asked where nothing is chosen."""


@dataclass(frozen=True, eq=False)
class ABTest(Report):
    """Whether users fare otherwise in one arm than in the other; ``dissent.ab_test`` makes it.

    Users are what is sampled and what was dealt to the arms. Its tables are ``arms``,
    ``difference``, ``split`` and ``needed``.

    Parameters
    ----------
    log : DataFrame
        ``user, arm, outcome, before``, as ``read_ab_log`` returns it.
    question : ABQuestion
        With which arm the other is compared, and how users were to be split.

    Raises
    ------
    BadInput
        There is no such arm, or there are not two.
    TooLittleData
        An arm has fewer than two users.
    """

    log: pd.DataFrame
    question: ABQuestion = USUAL

    name: ClassVar[str] = "A/B test"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "arms": Estimated(
            "What came of visits in each arm",
            "",
            {
                "arm": Column("arm", names="nobody"),
                "users": Column("users"),
                "visits": Column("visits"),
                "value": Column("outcome of a visit", digits=4),
                "before": Column("before the test", "Mean over users of whom it is known.", 4),
            },
            estimate="",
        ),
        "difference": Estimated(
            "Difference of the arms",
            "difference in the outcome of a visit",
            {
                "estimate": Column("estimate", names="nobody"),
                "value": Column("difference", digits=4),
                "p": Column("p", "Of Welch's t over users.", write=write_p),
                "removed": Column("variance taken away", percent=True),
            },
        ),
        "split": Estimated(
            "Whether users are split as planned",
            "",
            {
                "arm": Column("arm", names="nobody"),
                "users": Column("users"),
                "expected": Column("expected", digits=1),
                "p": Column("p", "Exact, of the binomial over users.", write=write_p),
            },
            estimate="",
        ),
        "needed": Estimated(
            "Users that find a difference in four of five tests",
            "",
            {
                "effect": Column("part of the first arm's outcome", percent=True),
                "difference": Column("difference", write=_write_small),
                "users": Column("users, both arms", digits=0),
            },
            estimate="",
        ),
    }

    @cached_property
    def names(self) -> tuple[str, str]:
        """The arms, the one that is compared with first."""
        names = sorted(map(str, self.log["arm"].unique()))
        if len(names) != 2:
            raise BadInput(f"there are two arms in an A/B test, not {len(names)}", field="arm")
        if self.question.first and self.question.first not in names:
            reason = f"'{self.question.first}' is no arm; there are {' and '.join(names)}"
            raise BadInput(reason, field="first")
        first = self.question.first or names[0]
        return first, names[first == names[0]]

    @cached_property
    def _by_user(self) -> pd.DataFrame:
        """Return ``arm`` (0 or 1), ``visits, outcome, before`` of users seen in one arm only."""
        place = self.log["arm"].astype("str").map({name: at for at, name in enumerate(self.names)})
        users = self.log.assign(arm=place).groupby("user", sort=False)
        found = users.agg(
            arm=("arm", "first"),
            last=("arm", "max"),
            least=("arm", "min"),
            visits=("outcome", "size"),
            outcome=("outcome", "sum"),
            before=("before", "first"),
        )
        return found[found["last"] == found["least"]]

    @cached_property
    def users(self) -> Users:
        """The users of both arms."""
        own = self._by_user
        found = Users(
            own["arm"].to_numpy(np.int64),
            *(own[name].to_numpy(np.float64) for name in ("visits", "outcome", "before")),
        )
        if (np.bincount(found.arm, minlength=2) < 2).any():
            raise TooLittleData("an arm has fewer than two users who were in it alone")
        return found

    @property
    def in_both(self) -> int:
        """How many users were in both arms, and are left out."""
        return int(self.log["user"].nunique()) - len(self._by_user)

    @cached_property
    def arms(self) -> pd.DataFrame:
        """``arm, users, visits, value, before``."""
        users = self.users
        counts = np.bincount(users.arm, minlength=2)
        visits = np.bincount(users.arm, users.visits, minlength=2).astype(np.int64)
        before = pd.Series(users.before).groupby(users.arm).mean()
        return pd.DataFrame(
            {
                "arm": self.names,
                "users": counts,
                "visits": visits,
                "value": users.means(),
                "before": before.reindex([0, 1]).to_numpy(),
            }
        )

    @cached_property
    def _found(self) -> tuple[ArmDifference, ArmDifference, float]:
        return compare_arms(self.users), *adjust_by_before(self.users)

    @cached_property
    def difference(self) -> pd.DataFrame:
        """A row as it is and, where outcomes before are known, one adjusted by them.

        ``estimate, value, low, high, p, removed, interval, unit, units, reason``.
        """
        plain, adjusted, removed = self._found
        rows = [("as it is", plain, np.nan, WELCH)]
        if not np.isnan(adjusted.value):
            rows.append(("adjusted by the outcomes before", adjusted, removed, ADJUSTED))
        told = [(name, _hide_misleading(one), share, method) for name, one, share, method in rows]
        return pd.DataFrame(
            [
                {
                    "estimate": name, "value": one.value, "low": one.low, "high": one.high,
                    "p": one.p, "removed": share, "interval": method, "unit": "user",
                    "units": len(self.users.arm),
                    "reason": _say_why_not(one, method) if np.isnan(one.p) else "",
                }
                for name, one, share, method in told
            ]
        )  # fmt: skip

    @cached_property
    def split(self) -> pd.DataFrame:
        """``arm, users, expected, p``: users in both arms are in neither."""
        counts = np.bincount(self.users.arm, minlength=2)
        share = np.array([1 - self.question.share, self.question.share])
        p = check_split(counts, self.question.share)
        expected = counts.sum() * share
        return pd.DataFrame({"arm": self.names, "users": counts, "expected": expected, "p": p})

    @cached_property
    def needed(self) -> pd.DataFrame:
        """``effect, difference, users``: by the surer of the estimates; empty without limits."""
        best, alpha = self._best, self.question.alpha
        first = abs(float(self.users.means()[0]))
        if not first > 0 or np.isnan(self._smallest):
            return pd.DataFrame({"effect": [], "difference": [], "users": []})
        effects = np.array(EFFECTS)
        users = users_needed(best.error, len(self.users.arm), effects * first, alpha, best.freedom)
        return pd.DataFrame({"effect": effects, "difference": effects * first, "users": users})

    @property
    def _best(self) -> ArmDifference:
        """The estimate that is told: adjusted wherever outcomes before are known, and can be."""
        plain, adjusted, _ = self._found
        return plain if np.isnan(adjusted.p) else adjusted

    @property
    def is_skewed(self) -> bool:
        """Whether arms are so uneven, and outcomes so skewed, that p and limits mislead."""
        return _is_misleading(self._best)

    @property
    def is_split_badly(self) -> bool:
        """Whether so uneven a split is no chance."""
        return bool(self.split["p"].iloc[0] < UNLIKELY)

    @property
    def answer(self) -> str:
        """Whether the split is as planned, whether the arms differ, and what could be found."""
        one, (first, second) = self._best, self.names
        digits = tell_digits(one.high - one.low)
        low, high = (write_number(value, digits) for value in self.users.means())
        if np.isnan(one.p):
            why = f"Outcomes do not vary between users of an arm: {low} a visit in {first}, {high} "
            return " ".join([*self._warn_of_split(), f"{why}in {second}; nothing is tested."])
        if self.is_skewed:
            why = f"Whether {mark_fact(second)} and {mark_fact(first)} differ in the outcome of a "
            users = count(len(self.users.arm), "user")
            told = f"{why}visit is {mark_fact('not told')}: {high} and {low}, over {users}, but "
            return " ".join(
                [*self._warn_of_split(), f"{told}so unevenly split that p would mislead."]
            )
        shown = one.p < self.question.alpha
        direction = "higher" if one.value > 0 else "lower"
        why = (
            f"the outcome of a visit is {mark_fact(direction)} in {mark_fact(second)} than in "
            f"{mark_fact(first)}"
            if shown
            else f"{mark_fact(second)} and {mark_fact(first)} are {mark_fact('not shown')} to "
            "differ in the outcome of a visit"
        )
        how = "" if one is self._found[0] else "and adjusted by the outcomes before "
        if how and shown and one.value * self._found[0].value <= 0:
            how = "but adjusted by the outcomes before, which turns its sign, "
        limits = write_limits(one.low, one.high, digits)
        apart = f"{write_number(one.value, digits, signed=True)} {limits}"
        sentence = (
            f"{why}: {high} and {low}, {how}a difference of {apart}, {say_p(one.p)}, over "
            f"{count(len(self.users.arm), 'user')}."
        )
        begin = sentence[0].upper() + sentence[1:] if sentence[0].islower() else sentence
        return " ".join([*self._warn_of_split(), begin, *self._tell_power(digits)])

    def _tell_power(self, digits: int) -> list[str]:
        if np.isnan(self._smallest):
            return []
        return [
            f"So many users find a difference of {write_number(self._smallest, digits)} in four of "
            f"five tests (p < {self.question.alpha:g})."
        ]

    @cached_property
    def _smallest(self) -> float:
        """What so many users find; NaN where nothing is tested, or they are too few to say so."""
        one = self._best
        if np.isnan(one.p) or self.is_skewed or self.arms["users"].min() < LEAST:
            return np.nan
        return smallest_found(one.error, self.question.alpha, one.freedom)

    def _warn_of_split(self) -> list[str]:
        if not self.is_split_badly:
            return []
        users, expected = (self.split[name].tolist() for name in ("users", "expected"))
        return [
            f"{mark_fact('The split is not as planned')}: {users[0]:,} and {users[1]:,} users, "
            f"where {expected[0]:,.0f} and {expected[1]:,.0f} were to be expected "
            f"({say_p(self.split['p'].iloc[0])}), so what follows may come of who is missing."
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Who was left out, and how few there are."""
        notes = []
        if self.in_both:
            notes.append(f"users in both arms, left out: {self.in_both:,}")
        known = ~np.isnan(self.users.before)
        if 0 < known.sum() < len(known):
            notes.append(
                f"users without an outcome before, counted as its mean: {int((~known).sum()):,}"
            )
        if self.is_skewed:
            notes.append(_TOO_SMALL.format(what="of these few have", often=89))
        elif abs(self._best.skewness) > SKEWED:
            notes.append(_TOO_SMALL.format(what="some have", often=8))
        least = int(self.arms["users"].min())
        if least < FEW:
            notes.append(f"an arm has {least:,} users: limits are not tried with fewer than {FEW}")
        return tuple(notes)
