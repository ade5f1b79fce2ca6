"""Who leads by one measure, and who is not shown to differ from it: the report of a leaderboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd

from core.comparison.conditions import Condition, examine_condition
from core.comparison.significance_test import SignificanceTest
from core.comparison.ties import order_best
from core.language.translate import t, tn
from core.measures.catalogue import parse_measure
from core.numerals import write_number, write_p
from core.reports.report import JUDGED, Column, Estimated, Report
from core.reports.scores import Scores
from core.wording import mark_fact


@dataclass(frozen=True)
class LeaderboardQuestion:
    """What is asked of who leads.

    Parameters
    ----------
    measure : str
        One of those that are scored.
    test : SignificanceTest
        By which systems differ, with α.
    """

    measure: str
    test: SignificanceTest = field(default_factory=SignificanceTest)


@dataclass(frozen=True, eq=False)
class Leaderboard(Report):
    """The systems by one measure, best first, each tested against the best.

    Its table is ``ranking``.

    Parameters
    ----------
    scores : Scores
        By this measure, or by it and others.
    question : LeaderboardQuestion
        What is asked.
    examine : callable
        What tests the systems, as ``examine_condition``; it may keep results.
    """

    scores: Scores
    question: LeaderboardQuestion
    examine: Callable[..., Condition] = examine_condition

    name: ClassVar[str] = "leaderboard"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "ranking": Estimated(
            "Systems, best first",
            "mean score of this system",
            {
                "rank": Column("rank"),
                "system": Column("system"),
                "value": Column("mean"),
                "judged": JUDGED,
                "p": Column(
                    "p", "Of no difference from the best, corrected for all pairs.", write=write_p
                ),
                "differs": Column("differs from the best"),
            },
        )
    }

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader has to know of the scores."""
        return tuple(self.scores.notes)

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """The columns of ``Scores.means`` of one measure, ``p, differs, untested``; best first.

        ``p`` is against the best, corrected for all pairs: of several that share the first rank
        the largest, and of these themselves against the first of them. ``differs`` is True for
        p < α, missing of the best and where nothing was tested; ``untested`` says why. Without a
        row where nothing has a score.
        """
        measure, test = self.question.measure, self.question.test
        means = self.scores.means
        means = means[(means["measure"] == measure) & means["value"].notna()]
        if means.empty:
            return means.assign(p=0.0, differs=pd.array([], "boolean"), untested="")
        best_first = order_best(means["value"], parse_measure(measure).greater_is_better)
        means = means.iloc[best_first].reset_index(drop=True)
        tested = self.examine(measure, self.scores.condition(measure, {}).scores, test)
        best, pairs = means["system"].iloc[0], tested.pairs
        first = means["rank"] == means["rank"].min()
        p = _find_p(pairs, best).reindex(means["system"]).to_numpy(np.float64)
        for other in means.loc[first, "system"].iloc[1:]:
            # Who differs from those that share the first rank differs from each of them.
            also = _find_p(pairs, other).reindex(means["system"]).to_numpy(np.float64)
            p = np.where(first, p, np.maximum(p, also))
        largest = pd.Series(p, means.index)
        differs = (largest < test.alpha).astype("boolean").mask(largest.isna())
        return means.assign(p=largest, differs=differs, untested=tested.reason)

    @property
    def answer(self) -> str:
        """Which system is best, how sure its mean is, and who is not shown to be worse."""
        others = self._judge()
        begun = self.scores.begin_answer(self.question.measure)
        return f"{begun}; {others}." if others else f"{begun}."

    def _judge(self) -> str:
        """Say how many others are not shown to be worse, or why this is not known."""
        rows, test = self.ranking, self.question.test
        if len(rows) < 2:
            return ""
        if rows["differs"].isna().all():
            reason = rows["untested"].iloc[0] or t("there are none")
            return t("differences are not tested: {reason}", reason=reason)
        best = int((rows["rank"] == rows["rank"].min()).sum())
        others = rows.iloc[best:]
        number, alike = len(others), int((~others["differs"].fillna(False)).sum())
        if others.empty:
            return ""
        tested = {"test": test.kind.title, "alpha": f"{test.alpha:g}"}
        if not alike:
            worse = tn(
                number, "the other is shown to be worse", "all {n} others are shown to be worse"
            )
            return t("{finding} ({test}, α = {alpha})", finding=mark_fact(worse), **tested)
        facts = {
            "some": mark_fact(tn(number, "the other", "{some} of {n} others", some=alike)),
            **tested,
        }
        if best == 1:
            said = tn(
                alike,
                "{some} is not shown to differ from it ({test}, α = {alpha})",
                "{some} are not shown to differ from it ({test}, α = {alpha})",
                **facts,
            )
        else:
            said = tn(
                alike,
                "{some} is not shown to differ from them ({test}, α = {alpha})",
                "{some} are not shown to differ from them ({test}, α = {alpha})",
                **facts,
            )
        return said + (self._tell_least(rows) if alike == number else "")

    def _tell_least(self, rows: pd.DataFrame) -> str:
        """Return that no difference could be shown on so few topics; '' where one could."""
        test, topics = self.question.test, int(rows["topics"].min())
        least = test.least_p(topics, len(rows))
        if least < test.alpha:
            return ""
        number = tn(topics, "{number} topic", "{number} topics", number=f"{topics:,}")
        words = {"topics": number, "p": write_number(least)}
        return "; " + t("with {topics} no p can be below {p}", **words)


def _find_p(pairs: pd.DataFrame, system: str) -> pd.Series[float]:
    """Return p of each system against one, by system."""
    own = pairs[(pairs["first"] == system) | (pairs["second"] == system)]
    other = own["first"].where(own["second"] == system, own["second"])
    return own["p"].astype("float64").set_axis(other.to_numpy())
