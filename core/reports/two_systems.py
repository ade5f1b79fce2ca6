"""Where one system is above another: the report of two systems, topic by topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import pandas as pd

from core.measures.catalogue import parse_measure
from core.numerals import MOST_DIGITS, tell_digits, write_number
from core.reports.report import Column, Estimated, Report
from core.reports.scores import Scores
from core.wording import count, mark_fact

FAR = 4
"""How many topics are named on which the systems are furthest apart."""

EQUAL = 1e-12
"""Scores that differ by less than this differ by rounding only."""


@dataclass(frozen=True)
class TwoSystemsQuestion:
    """What is asked of two systems: where, and by how much, the first is above the second.

    Parameters
    ----------
    first, second : str
        The systems.
    measure : str
        One of those that are scored.
    """

    first: str
    second: str
    measure: str


@dataclass(frozen=True, eq=False)
class TwoSystems(Report):
    """Two systems side by side, topic by topic; nothing is tested.

    Parameters
    ----------
    scores : Scores
        Of both, by this measure among others.
    question : TwoSystemsQuestion
        What is asked.
    names : mapping of topic to str
        What topics are called; one that is not in it goes by its id.
    """

    scores: Scores
    question: TwoSystemsQuestion
    names: Mapping[str, str] = field(default_factory=dict)

    name: ClassVar[str] = "two systems"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "topics": Estimated(
            "Two systems, topic by topic",
            "",
            {one: Column(one) for one in ("name", "first", "second", "difference")},
        ),
    }

    @cached_property
    def topics(self) -> pd.DataFrame:
        """``topic_id, name, first, second, difference, judged_first, judged_second``.

        ``difference`` is the first's score less the second's, 0 where rounding alone tells them
        apart; a row for each topic that counts.
        """
        scores = self.scores.counted
        scores = scores[scores["measure"] == self.question.measure]
        first, second = (
            scores[scores["system"] == system].set_index("topic_id")[["value", "judged"]]
            for system in (self.question.first, self.question.second)
        )
        both = first.join(second.add_suffix("_second"))
        difference = both["value"] - both["value_second"]
        rows = pd.DataFrame(
            {
                "first": both["value"],
                "second": both["value_second"],
                "difference": difference.mask(difference.abs() < EQUAL, 0.0),
                "judged_first": both["judged"],
                "judged_second": both["judged_second"],
            }
        ).reset_index()
        rows.insert(1, "name", [self.names.get(topic, topic) for topic in rows["topic_id"]])
        return rows

    @property
    def furthest(self) -> pd.DataFrame:
        """The few topics on which the systems are furthest apart, those first."""
        far = self.topics["difference"].abs().sort_values(ascending=False, kind="stable")
        rows = self.topics.loc[far.index[:FAR]]
        return rows[rows["difference"] != 0]

    def _count_as_far(self) -> int:
        """Return how many topics are not named though they are as far apart as one that is."""
        far = self.topics["difference"].abs()
        least = float(self.furthest["difference"].abs().min())
        return int((far > least - EQUAL).sum()) - len(self.furthest)

    @property
    def answer(self) -> str:
        """On how many topics each is higher, and where they are furthest apart."""
        asked, difference = self.question, self.topics["difference"]
        if difference.empty:
            return f"Nothing to find for {asked.measure} on any topic."
        won, lost = int((difference > 0).sum()), int((difference < 0).sum())
        mean = _write_apart(difference.mean())
        rises = parse_measure(asked.measure).greater_is_better
        far = zip(self.furthest["name"], self.furthest["difference"], strict=True)
        named = ", ".join(f"{name} ({_write_apart(apart)})" for name, apart in far)
        if named and (others := self._count_as_far()):
            named += f", and {count(others, 'other topic')} as far"
        return (
            f"By {asked.measure}, {mark_fact(asked.first)} is higher on {won} of "
            f"{count(len(difference), 'topic')}, {mark_fact(asked.second)} on {lost}, and they are "
            f"equal on {len(difference) - won - lost}. The mean difference is {mean}."
            f"{'' if rises else ' Lower is better by this measure.'}"
            f"{f' Furthest apart: {named}.' if named else ''}"
        )


def _write_apart(difference: float) -> str:
    """Return a difference with as many decimals as it takes to be one."""
    told = round(float(difference), 3) != 0
    digits = 3 if told else min(tell_digits(abs(difference)), MOST_DIGITS)
    return write_number(difference, digits, signed=True)
