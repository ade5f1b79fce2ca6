"""How many people, how many topics, and on what to ask next: the report of opinions.

References
----------
Brennan (2001), Generalizability Theory, Springer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from core.agreement.ratings import Ratings
from core.errors import BadInput, TooLittleData
from core.numerals import write_number
from core.planning.choices import USUAL_DEPTH
from core.planning.learning import learn_means, list_opinions
from core.planning.opinions import (
    FACETS,
    KnownFacets,
    OpinionDesign,
    Opinions,
    StandardError,
    error_of_difference,
    error_of_mean,
    find_nesting,
    know_facets,
)
from core.planning.variance import METHOD, UNIT
from core.reports.report import Column, Estimated, Report
from core.reports.sampling import SEED, new_rng
from core.wording import count, mark_fact

OPINIONS = (1, 2, 3, 5)
"""Opinions an item that are compared."""


@dataclass(frozen=True)
class OpinionQuestion:
    """What is asked of labels.

    Parameters
    ----------
    items : int
        How many items of a topic a system's score is the mean of; 0 for ten, or as many as a topic
        has at the median where that is less.
    budget : int
        Labels that designs are compared at; 0 for as many as there are.
    draws, seed : int
        Of the learning curve.
    """

    items: int = 0
    budget: int = 0
    draws: int = 200
    seed: int = SEED

    def __post_init__(self) -> None:
        if self.draws < 2:
            raise BadInput("a learning curve is of two draws or more", field="draws")


USUAL = OpinionQuestion()
"""What is asked where nothing is chosen."""

_ERRORS = {
    "mean": Column("error of a mean", "Standard error of a system's mean level."),
    "difference": Column("of a difference", "Of two systems that return different items."),
}


@dataclass(frozen=True, eq=False)
class OpinionPlan(Report):
    """What more topics and more opinions would buy; ``dissent.plan_opinions`` makes it.

    A generalisability study of labels, whatever items they are on and whoever gave them.

    Parameters
    ----------
    ratings : Ratings
        The labels of one facet.
    question : OpinionQuestion
        What is asked.
    """

    ratings: Ratings
    question: OpinionQuestion = USUAL

    name: ClassVar[str] = "plan of opinions"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "components": Estimated(
            "Variance of labels by what it comes from",
            "",
            {"facet": Column("of", names="nobody"), "variance": Column("variance"),
             "share": Column("share", percent=True)},
        ),
        "equal_cost": Estimated(
            "The same number of labels",
            "standard error of the difference of two systems",
            {"opinions": Column("opinions an item"), "topics": Column("topics"),
             "people": Column("people"), "labels": Column("labels", digits=0), **_ERRORS},
            estimate="difference",
        ),
        "gains": Estimated(
            "What more would buy",
            "standard error of the difference of two systems",
            {"step": Column("step", names="nobody"), "labels": Column("labels more", digits=0),
             **_ERRORS, "saved": Column("less", "Of the error of a difference.", digits=4)},
            estimate="difference",
        ),
        "learning": Estimated(
            "Learning curve",
            "",
            {"opinions": Column("opinions an item"), "topics": Column("topics"),
             "labels": Column("labels", digits=0),
             "error": Column("error", "Root mean squared, against all labels.")},
        ),
        "next": Estimated(
            "Where one more opinion on each item tells most",
            "",
            {"topic_id": Column("topic", names="nobody"), "items": Column("items"),
             "labels": Column("labels"), "fewest": Column("fewest opinions on an item"),
             "error": Column("error", "Of the topic's mean level, by who was asked."),
             "after": Column("with one more on each"),
             "saved": Column("variance less, a label", digits=6)},
        ),
    }  # fmt: skip

    @cached_property
    def _opinions(self) -> Opinions:
        if not len(self.ratings.item):
            raise TooLittleData("nothing has been judged so far")
        return Opinions.of(self.ratings)

    @cached_property
    def known(self) -> KnownFacets:
        """The variances, and those without each topic; raises TooLittleData."""
        if self.question.items < 0 or self.question.budget < 0:
            raise BadInput("items of a score, and labels, are whole numbers above 0")
        return know_facets(self._opinions)

    @cached_property
    def now(self) -> OpinionDesign:
        """The study as it is: topics, items that a score is the mean of, opinions, people."""
        given = self._opinions
        items = self.question.items or max(1, min(USUAL_DEPTH, int(np.median(given.sizes))))
        opinions = len(given.value) / len(given.counts)
        nesting = find_nesting(given)
        return OpinionDesign(len(given.sizes), items, opinions, given.people, nesting)

    @property
    def _pool(self) -> float:
        """How many items of a topic are judged, on average."""
        return float(self._opinions.sizes.mean())

    @property
    def components(self) -> pd.DataFrame:
        """``facet`` (topic, item, assessor, residual), ``variance, share`` of their sum."""
        own = asdict(self.known.whole)
        total = sum(own.values())
        rows = [(one, own[one], own[one] / total if total else np.nan) for one in FACETS]
        return pd.DataFrame(rows, columns=["facet", "variance", "share"])

    @cached_property
    def equal_cost(self) -> pd.DataFrame:
        """For as many labels: ``opinions, topics, people, labels, mean, difference``, limits."""
        budget = self.question.budget or len(self._opinions.value)
        rows = []
        for opinions in OPINIONS:
            topics = int(budget / (self._pool * opinions) + 1e-9)
            people = max(opinions, self.now.people)
            design = replace(self.now, topics=topics, opinions=opinions, people=people)
            if topics > 1:
                labels = topics * self._pool * opinions
                own = {"opinions": opinions, "topics": topics, "people": people, "labels": labels}
                rows.append(own | self._tell(design))
        return pd.DataFrame(rows, columns=[*_DESIGN, *_ESTIMATES])

    @cached_property
    def gains(self) -> pd.DataFrame:
        """``step, labels`` (more), ``mean, difference`` with limits, ``saved``."""
        now, pool = self.now, self._pool
        per_topic = pool * now.opinions
        whole = now.topics * pool
        more = max(1, round(whole / per_topic))
        steps = [
            ("as it is", 0.0, now),
            ("one more topic", per_topic, now.with_more(topics=1)),
            ("one more opinion on each item", whole, now.with_more(opinions=1)),
            (f"{count(more, 'more topic')} instead", more * per_topic, now.with_more(topics=more)),
        ]
        rows = [{"step": step, "labels": labels} | self._tell(at) for step, labels, at in steps]
        table = pd.DataFrame(rows, columns=["step", "labels", *_ESTIMATES])
        table.insert(5, "saved", table["difference"].iloc[0] - table["difference"])
        return table

    def _tell(self, design: OpinionDesign) -> dict[str, Any]:
        mean, difference = (one(self.known, design) for one in (error_of_mean, error_of_difference))
        return {
            **_name("mean", mean, "mean_"),
            **_name("difference", difference, ""),
            "interval": METHOD,
            "unit": UNIT,
            "units": self.known.topics,
            "reason": difference.reason,
        }

    @cached_property
    def learning(self) -> pd.DataFrame:
        """``opinions, topics, labels, error``: of parts of the labels, against all of them."""
        rng = new_rng(self.question.seed)
        return pd.DataFrame(learn_means(self._opinions, self.question.draws, rng))

    @cached_property
    def next(self) -> pd.DataFrame:
        """``topic_id, items, labels, fewest, error, after, saved``: most is saved first.

        ``error`` is of the topic's mean level over its items, by who happened to be asked;
        ``saved`` what one label more takes off its square. Both follow from how many opinions
        there are, never from what they say, so that whoever goes by them stays unbiased.
        """
        given, whole = self._opinions, self.known.whole
        by_one = whole.residual + self.now.nesting * whole.assessor
        topic, size = given.topic_of, given.sizes
        error, after = (
            np.bincount(topic, by_one / (given.counts + more)) / size**2 for more in (0, 1)
        )
        names = [self.ratings.topics[code] for code in np.unique(self.ratings.topic)]
        fewest = np.full(len(size), np.inf)
        np.minimum.at(fewest, topic, given.counts)
        table = pd.DataFrame(
            {
                "topic_id": names,
                "items": size.astype(np.int64),
                "labels": np.bincount(given.topic),
                "fewest": fewest.astype(np.int64),
                "error": np.sqrt(error),
                "after": np.sqrt(after),
                "saved": (error - after) / size,
            }
        )
        return table.sort_values(["saved", "topic_id"], ascending=[False, True], ignore_index=True)

    @cached_property
    def answer(self) -> str:
        """What scores are known to, what more would buy, and how the same labels tell most."""
        now, gains = self.now, self.gains.to_dict("records")
        here, topic, opinion, instead = gains
        if np.isnan(here["difference"]):
            return f"What more labels would buy cannot be told: {here['reason']}."
        if not any(asdict(self.known.whole).values()):
            return (
                "The labels vary neither between topics and items nor between people, so that they "
                "do not tell what more of them would buy."
            )
        best = [one for one in self.equal_cost.to_dict("records") if one["difference"] >= 0]
        labels, people = len(self._opinions.value), count(int(now.people), "person", "people")
        given = (
            f"By {count(labels, 'label')} of {people} on {count(int(now.topics), 'topic')}, "
            f"the mean level of {count(int(now.items), 'item')} a topic has a standard error of "
            f"{mark_fact(write_number(here['mean']))}, and the difference of two systems one of "
            f"{mark_fact(write_number(here['difference']))}{_limits(here)}"
        )
        sentence = (
            f"{given}. One more opinion on each item ({opinion['labels']:,.0f} labels) makes that "
            f"{mark_fact(write_number(opinion['difference']))}, as many labels on new topics "
            f"{mark_fact(write_number(instead['difference']))}, one more topic alone "
            f"{write_number(topic['difference'])}."
        )
        if not best:
            return sentence
        row = min(best, key=lambda one: one["difference"])
        return (
            f"{sentence} By these variances, as many labels tell differences best with "
            f"{mark_fact(count(row['opinions'], 'opinion'))} an item on "
            f"{mark_fact(count(row['topics'], 'topic'))}: {write_number(row['difference'])}."
        )

    @property
    def notes(self) -> Sequence[str]:
        """What the numbers take for granted."""
        notes = [
            "scores are mean levels; two systems are taken to return different items of the same "
            "topics, judged as those so far: what they share makes the error smaller",
            "limits of the error of a mean are over topics and assessors, those of a difference "
            "over topics with these assessors; that somebody may judge one topic higher than "
            "another is taken for chance",
        ]
        if list_opinions(self._opinions.counts) == [1]:
            notes.append("fewer than half of the items have two opinions: people are known badly")
        return notes


_DESIGN = ("opinions", "topics", "people", "labels")
_ESTIMATES = (
    *("mean", "mean_low", "mean_high", "difference", "low", "high"),
    *("interval", "unit", "units", "reason"),
)


def _name(column: str, error: StandardError, ends: str) -> dict[str, float]:
    return {column: error.value, f"{ends}low": error.low, f"{ends}high": error.high}


def _limits(row: Mapping[Any, Any]) -> str:
    if np.isnan(row["low"]):
        return ""
    return f" ({write_number(row['low'])} to {write_number(row['high'])})"
