"""Which systems differ, under one condition or several: the report of a comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from core.comparison.bayes import ROPE, compare_posterior
from core.comparison.choices import TOPICS, UNITS
from core.comparison.conditions import (
    BY,
    PAIR_COLUMNS,
    Comparison,
    Condition,
    Orders,
    compare_conditions,
    examine_condition,
    hold_scores,
    order_conditions,
    tell_many_pairs,
    tell_skewed,
    tell_unseen_gains,
)
from core.comparison.power import superscripts
from core.comparison.significance_test import SignificanceTest
from core.comparison.variance import ENOUGH
from core.comparison.verdict import describe_orders, reach_verdict
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.numerals import ABSENT, write_p
from core.reports.conditions import (
    Progress,
    ScoredCondition,
    SplitVariance,
    count_different_topics,
    examine_conditions,
    keep_common_topics,
    split_variances,
)
from core.reports.mean_limits import tell_skewed_topics
from core.reports.report import JUDGED, Column, Estimated, Report
from core.reports.scores import average_topics
from core.wording import mark_fact

DIFFERENT_TOPICS = (
    "not every topic counts under every condition, so that conditions are compared on different "
    "topics; ask for common topics to compare them on those that all count"
)

_CONDITION = Column("condition", names="lists")
_TWO = {one: Column(one, names="nobody") for one in ("first", "second")}
_TWO_CONDITIONS = {one: Column(one, names="lists") for one in ("first", "second")}
_P = Column("p", write=write_p)


def _shorten(content_hash: str) -> str:
    return content_hash[:12]


def _write_least(p: float) -> str:
    return ABSENT if np.isnan(p) else f"{p:.2g}"


def _write_needed(topics: float) -> str:
    return f"{topics:,.0f}" if np.isfinite(topics) else "no number"


@dataclass(frozen=True)
class CompareQuestion:
    """What is asked of systems that are scored under some conditions.

    Parameters
    ----------
    test : SignificanceTest
        How differences are tested, with α.
    tau_unit : str
        What limits of τ take for the sample, of ``UNITS``.
    common_topics : bool
        Whether only those topics count that all conditions on the same topic set count.
    rope : float
        Differences this small are practically none, for the posterior.
    """

    test: SignificanceTest = field(default_factory=SignificanceTest)
    tau_unit: str = UNITS[0]
    common_topics: bool = False
    rope: float = ROPE


USUAL = CompareQuestion()
"""What is asked where nothing is chosen."""


@dataclass(frozen=True, eq=False)
class SystemComparison(Report):
    """What differs between systems; ``dissent.compare`` makes it.

    Its tables are computed when first asked for; ``verdict`` says what they come to, ``answer`` is
    its first sentence. ``comparison`` has what the tables are made of, ``variances`` splits the
    variance of the scores of each measure and topic set by topic, system and qrels version.

    Parameters
    ----------
    given : sequence of ScoredCondition
        At least one, each named, with scores of the same systems and its measure among its facts.
    question : CompareQuestion
        What is asked.
    examine : callable
        What tests a condition, as ``examine_condition``; it may keep results.
    progress : callable, optional
        Told the share of the tests done and the condition at work; what it raises ends them.
    """

    given: Sequence[ScoredCondition]
    question: CompareQuestion = USUAL
    examine: Callable[..., Condition] = examine_condition
    progress: Progress | None = None

    name: ClassVar[str] = "compare"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "ranking": Estimated(
            "Means and ranks",
            "mean score of this system",
            {BY: _CONDITION, "system": Column("system", names="nobody"), "value": Column("mean"),
             "rank": Column("rank")},
            across=BY,
            spread=("value", "rank"),
        ),
        "pairs": Estimated(
            "Every two systems",
            "difference between the means of the two systems",
            {BY: _CONDITION, **_TWO, "difference": Column("difference"), "p": _P,
             "effect_size": Column("effect size", "the difference in standard deviations")},
            estimate="difference",
        ),
        "power": Estimated(
            "Discriminative power",
            "",
            {BY: _CONDITION, "topics": Column("topics"), "systems": Column("systems"),
             "judged": JUDGED, "significant": Column("significant pairs"),
             "pairs": Column("all pairs"),
             "only_here": Column("only here", "significant under none of the other conditions"),
             "permutations": Column("permutations"),
             "least_p": Column("least p", "no p can be below it", write=_write_least),
             "content_hash": Column("qrels hash", write=_shorten, names="nobody")},
        ),
        "orders": Estimated(
            "Orders of systems compared (limits: the τ that studies of this size find on average)",
            "the τ-b that studies of this size find on average",
            {**_TWO_CONDITIONS, "systems": Column("systems"), "tau": Column("Kendall's τ-b"),
             "p": Column("p", "corrected for all pairs of orders (Holm)", write=write_p),
             "differ": Column("shown to differ"), "shown_below": Column("τ shown below"),
             "equivalent": Column("equivalent", "the upper limit reaches 1"),
             "tau_ap": Column("τ_AP"), "spearman": Column("Spearman's ρ"), "rbo": Column("RBO"),
             "rba": Column("RBA"), "far": Column("moves > 2 ranks"),
             "largest": Column("largest move"), "mover": Column("system that moves most"),
             "best_first": Column("best under first"), "best_second": Column("best under second"),
             "limit_reason": Column("why no limits", names="lists")},
            estimate="tau",
        ),
        "overlap": Estimated(
            "Significant pairs of two conditions",
            "",
            {**_TWO_CONDITIONS, "only_first": Column("only first"), "both": Column("both"),
             "only_second": Column("only second"),
             "share": Column("both, of all", percent=True), "turned": Column("reversed")},
        ),
        "letters": Estimated(
            "Who is significantly better than whom",
            "",
            {"letter": Column(""), "system": Column("system", names="nobody"),
             "mean": Column("mean"), "better_than": Column("better than")},
        ),
        "posterior": Estimated(
            "How likely the first is better, both are equal, the second is better",
            "difference, by its posterior",
            {**_TWO, "first_better": Column("first better", percent=True),
             "equal": Column("equal", percent=True),
             "second_better": Column("second better", percent=True),
             "difference": Column("difference")},
            estimate="difference",
        ),
        "variance": Estimated(
            "Variance of scores",
            "",
            {"conditions": Column("conditions"), "source": Column("source", names="nobody"),
             "variance": Column("variance", digits=4), "share": Column("share", percent=True),
             "degrees": Column("degrees of freedom", digits=0)},
        ),
        "generalisability": Estimated(
            "How far other topics would give the same order",
            "generalisability coefficient Eρ²",
            {"conditions": Column("conditions"), "value": Column("Eρ²"),
             "absolute": Column("Φ"),
             "topics_needed": Column(f"topics for Eρ² = {ENOUGH:g}", write=_write_needed)},
        ),
    }  # fmt: skip

    @cached_property
    def scored(self) -> Sequence[ScoredCondition]:
        """The scores that are compared: on common topics, if that is asked; raises BadInput."""
        if not self.question.common_topics:
            return self.given
        kept = keep_common_topics(self.given)
        if not all(one.topics for one in kept):
            raise BadInput("no topic counts under all conditions; do not ask for common topics")
        return kept

    @property
    def notes(self) -> Sequence[str]:
        """What the reader has to know of the topics that are compared on, and of skewed scores."""
        conditions = self.comparison.conditions
        notes = [DIFFERENT_TOPICS] if count_different_topics(self.scored) else []
        notes += [
            f"{one.name}: {note}"
            for one in self.scored
            for note in tell_skewed_topics(one.scores.assign(measure=str(one.facts["measure"])))
        ]
        warnings = (tell(one) for tell in (tell_skewed, tell_many_pairs) for one in conditions)
        return (*notes, *filter(None, (*warnings, tell_unseen_gains(conditions))))

    @cached_property
    def comparison(self) -> Comparison:
        """All conditions tested and side by side.

        Raises
        ------
        BadInput
            As from ``compare_conditions`` and ``examine_conditions``.
        """
        test = self.question.test
        examined = examine_conditions(self.scored, test, self.progress, self.examine)
        return compare_conditions(examined, test, self.question.tau_unit, self._ordered)

    @cached_property
    def _ordered(self) -> Orders:
        """The orders of the systems, which need no test of their differences."""
        test, measures = self.question.test, {str(one.facts["measure"]) for one in self.scored}
        held = [hold_scores(one.name, one.scores, test, one.judges) for one in self.scored]
        greater = all(parse_measure(one).greater_is_better for one in measures)
        asked = self.question.tau_unit, test.alpha
        return order_conditions(held, *asked, greater_is_better=greater)

    @property
    def ranked(self) -> pd.DataFrame:
        """``condition, system, rank, value`` under each condition; differences are not tested."""
        return self._ordered[0]

    @cached_property
    def variances(self) -> Sequence[SplitVariance]:
        """The variance of the scores by its sources, for each measure and topic set."""
        return split_variances(self.scored, self.comparison.conditions)

    @property
    def verdict(self) -> list[str]:
        """What was found, in sentences."""
        return list(reach_verdict(self.comparison))

    @cached_property
    def answer(self) -> str:
        """Whether order and significance stand under all conditions; of one, who is best."""
        return reach_verdict(self.comparison, mark_fact)[0]

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """``condition, system, rank, value``, limits of the mean by `average_topics`, ``judged``.

        Best first, conditions in order.
        """
        means = [
            average_topics(one.scores.assign(measure=str(one.facts["measure"]))).assign(
                **{BY: one.name}
            )
            for one in self.scored
        ]
        limits = pd.concat(means, ignore_index=True).rename(columns={"topics": "units"})
        names = ["low", "high", "interval", "unit", "units", "judged", "reason"]
        return self.ranked.merge(limits[[BY, "system", *names]], on=[BY, "system"])

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Every two systems under every condition: difference, limits, p, effect size."""
        return self._of_conditions(
            lambda one: one.pairs,
            self._name_limits,
        )

    def _name_limits(self, one: Condition) -> str:
        if one.matrix is None or one.pairs["low"].isna().all():
            return ""
        return self.question.test.name_limits(len(one.matrix.systems))

    @property
    def power(self) -> pd.DataFrame:
        """How many pairs are significant under each condition: the columns of ``Comparison``."""
        return self.comparison.power

    @property
    def orders(self) -> pd.DataFrame:
        """Every two orders, with τ and its limits: the columns of ``Comparison``."""
        return self._ordered[1]

    def tell_orders(self) -> str:
        """Return whether the order of systems changes, and what moves; of several conditions."""
        return describe_orders(self.orders, mark_fact)

    @property
    def overlap(self) -> pd.DataFrame:
        """Which significant pairs every two conditions share: the columns of ``Comparison``."""
        return self.comparison.overlap

    @cached_property
    def letters(self) -> pd.DataFrame:
        """``condition`` and the columns of ``superscripts``."""
        alpha = self.question.test.alpha
        return self._of_conditions(lambda one: superscripts(one.matrix, one.pairs, alpha))

    @property
    def posterior(self) -> pd.DataFrame:
        """What `bayesian` gives for the width that is asked for."""
        return self.bayesian(self.question.rope)

    def bayesian(self, rope: float = ROPE, condition: str = "") -> pd.DataFrame:
        """Every two systems under every condition, or under one: how likely each is better.

        Parameters
        ----------
        rope : float, default 0.01
            Differences this small are practically none.
        condition : str, optional
            The name of one.

        Returns
        -------
        DataFrame
            The columns of ``compare_posterior``, ``condition``, ``interval``, ``unit`` and
            ``units``.
        """
        return self._of_conditions(
            lambda one: compare_posterior(one.matrix, rope), lambda _: "posterior-t", condition
        )

    def _of_conditions(
        self,
        make: Callable[[Any], pd.DataFrame],
        interval: Callable[[Any], str] | None = None,
        only: str = "",
    ) -> pd.DataFrame:
        """Return a table of each tested condition below each other, with what is sampled."""
        tables = []
        for one in self.comparison.conditions:
            if one.matrix is not None and only in ("", one.name):
                table = make(one)
                if interval:
                    table = table.assign(
                        interval=interval(one), unit=TOPICS, units=len(one.matrix.topics)
                    )
                table.insert(0, BY, one.name)
                tables.append(table)
        empty = pd.DataFrame(columns=[BY, *PAIR_COLUMNS])
        return pd.concat(tables, ignore_index=True) if tables else empty

    @cached_property
    def variance(self) -> pd.DataFrame:
        """``conditions`` and their variance by its sources: see ``VarianceStudy.components``."""
        parts = [
            one.study.components.assign(conditions=", ".join(one.conditions))
            for one in self.variances
        ]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    @cached_property
    def generalisability(self) -> pd.DataFrame:
        """A row for each of ``variances``: ``value`` is Eρ², the rest as ``VarianceStudy`` has it.

        ``conditions, value, absolute, low, high, topics, topics_needed, versions, reason,
        interval, unit, units``.
        """
        rows = [
            {
                "conditions": ", ".join(one.conditions),
                **{name: value for name, value in vars(one.study).items() if name != "components"},
                "interval": "f",
                "unit": "topic × system",
                "units": one.study.topics,
            }
            for one in self.variances
        ]
        return pd.DataFrame(rows).rename(columns={"relative": "value"})

    def _repr_html_(self) -> str:
        return f"<p>{'<br>'.join(self.verdict)}</p>{self.power.to_html(index=False)}"
