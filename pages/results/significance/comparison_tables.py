"""Figures and tables of a comparison: of one condition, and of all side by side.

What a comparison is based on: a table on the page, and columns in every file from it. One
condition in detail: which systems differ, by how much, and how significantly. Conditions side by
side: means, orders, and which differences are significant.
"""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd
import streamlit as st

from core.comparison.bayes import PRIOR, ROPE
from core.comparison.choices import HOLLANDER_WOLFE, MEANING
from core.comparison.conditions import BY, Comparison
from core.comparison.power import asl_curve, significant
from core.figures.comparison import (
    draw_asl_curves,
    draw_means,
    draw_overlaps,
    draw_significance_matrix,
    draw_tau_intervals,
)
from core.reports.compare import SystemComparison
from core.reports.conditions import tabulate_conditions
from core.reports.report import JUDGED
from core.wording import plain
from pages.results.significance.scored_conditions import ShownComparison
from pages.shared.figure import show_figure, show_report, show_table
from pages.shared.session import PageContext

BASED_ON = (
    "A row for each condition. *Topics* are those that count; topics *left out* are judged, but "
    "have no relevant document, or do not count under another condition. *Judged share* is that "
    "of the documents that the measure looks at; the others count as not relevant. "
    "*Unanswered* counts pairs of system and topic without results, which score 0. *Content* is "
    "the start of a hash of the judgements: the same hash means the same judgements."
)
SHORT = 12


@dataclass(frozen=True, eq=False)
class ComparisonBasis:
    """What is shown, and where it comes from."""

    context: PageContext
    shown: ShownComparison

    @cached_property
    def facts(self) -> pd.DataFrame:
        """What each condition is based on, a row each."""
        return tabulate_conditions(self.shown.report.scored)

    @property
    def measure(self) -> str:
        """The measure of all conditions; empty where it differs."""
        measures = self.shown.question.measures
        return measures[0] if len(measures) == 1 else ""

    def of_conditions(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame that has a column ``condition`` with what each is based on."""
        names = ["condition", "version", "content_hash", "topic_set", "measure", "topics", "judged"]
        new = [name for name in names if name == "condition" or name not in frame]
        return self._stamp(frame.merge(self.facts[new], on="condition", how="left"))

    def of_pairs(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame of ``first`` and ``second`` condition with what both are based on."""
        for side in ("first", "second"):
            facts = self.facts[["condition", "content_hash", "topic_set", "measure", "topics"]]
            facts = facts.add_prefix(f"{side}_").rename(columns={f"{side}_condition": side})
            frame = frame.merge(facts, on=side, how="left")
        return self._stamp(frame)

    def of_columns(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame with columns for each condition with more for what each is based on."""
        columns = {
            f"{fact['condition']}: {name}": fact[name]
            for fact in self.facts.to_dict("records")
            for name in ("content_hash", "topic_set", "measure", "topics", "judged")
        }
        return self._stamp(frame.assign(**columns))

    def show(self) -> None:
        """Show the facts."""
        st.header("What this is based on", anchor=False)
        facts = self.facts.assign(content=self.facts["content_hash"].str[:SHORT])
        show_table(
            self._stamp(facts),
            "comparison-basis",
            BASED_ON,
            column_config={
                "condition": st.column_config.TextColumn(pinned=True),
                "topic_set": "topic set",
                "left_out": "left out",
                "judged": JUDGED,
                "judged_documents": "judged documents",
                "last_event": "last event",
            },
            column_order=[
                "condition", "version", "content", "topic_set", "measure", "topics", "left_out",
                "judged", "unanswered", "judged_documents", "labels", "last_event",
            ],
        )  # fmt: skip

    def _stamp(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame.assign(
            **self.shown.question.significance.settings,
            collection=self.context.collection.name,
            simulated=bool(self.context.collection.simulated),
        )


MOST_IN_MATRIX = 40


def show_one_condition(
    context: PageContext, basis: ComparisonBasis, report: SystemComparison
) -> None:
    """Show the differences of one condition, and the pairs behind it."""
    comparison = report.comparison
    tested = {one.name: one for one in comparison.conditions if one.matrix is not None}
    if not tested:
        return
    chosen = tested[_choose_condition(context, list(tested))]
    measure = basis.facts.set_index(BY)["measure"][chosen.name]
    ranked = comparison.ranked[comparison.ranked[BY] == chosen.name].sort_values("rank")
    if len(ranked) <= MOST_IN_MATRIX:
        show_figure(
            draw_significance_matrix(
                chosen.pairs, ranked["system"].tolist(), comparison.alpha, str(measure)
            ),
            basis.of_conditions(chosen.pairs.assign(condition=chosen.name)),
            "comparison-differences",
            f"Every two systems under '{plain(chosen.name)}', the best first. The column is better "
            "by its mean, and darker by more; a dot marks differences that are significant at "
            f"α = {comparison.alpha:g}. The pointer shows the difference with the 95 % limits of "
            "the test, where it has any, and p. A cell without a dot may hide a difference that "
            "the test cannot show.",
            nobody=("first", "second"),
        )
    else:
        st.caption(f"With more than {MOST_IN_MATRIX} systems there is no matrix; see the table.")
    _show_pairs(basis, comparison, chosen.name)
    _show_posterior(basis, report, chosen.name)


def _choose_condition(context: PageContext, names: list[str]) -> str:
    """Return which condition is looked at closely, where there are several."""
    if len(names) == 1:
        return names[0]
    with context.sheet.choices:
        return st.selectbox(
            "Under the condition",
            names,
            label_visibility="collapsed",
            width=220,
            key="comparison-closely",
        )


def _show_pairs(basis: ComparisonBasis, comparison: Comparison, name: str) -> None:
    (pairs,) = (one.pairs for one in comparison.conditions if one.name == name)
    clear = significant(pairs, comparison.alpha)
    every = st.toggle(
        f"Show all {len(pairs):,} pairs, not only the {len(clear):,} significant ones",
        key="comparison-all-pairs",
    )
    shown = pairs if every or clear.empty else clear
    shown = shown.sort_values("p", kind="stable", ignore_index=True)
    show_report(
        SystemComparison,
        "pairs",
        "comparison-pairs",
        "Every two systems: the difference of their means with the 95 % limits of the test, which "
        "leave out 0 where p < .05 and hold for all pairs at once (each alone where no correction "
        "was chosen; topics are the sample); p, corrected like that; and the effect size, the "
        "difference in standard deviations. A small p says that there is a difference, not that it "
        "is large.",
        rows=shown.assign(condition=name),
        stamp=basis.of_conditions,
        without=[BY],
    )


def _show_posterior(basis: ComparisonBasis, report: SystemComparison, name: str) -> None:
    """Show how likely each of two systems is better, where somebody looks."""
    with st.expander("How likely is one better? (Bayesian)"):
        rope = st.number_input(
            "Practically equal within", 0.0, value=ROPE, step=0.01, width=220, key="comparison-rope"
        )
        show_report(
            report,
            "posterior",
            "comparison-posterior",
            "Every two systems: the posterior probability that the first is better by more than "
            f"{rope:g}, that both are equal within {rope:g}, and that the second is better; the "
            f"95 % credible limits of the difference (topics are the sample). Prior: {PRIOR}.",
            rows=report.bayesian(rope, name).assign(rope=rope),
            stamp=basis.of_conditions,
            without=[BY],
        )


def show_means(basis: ComparisonBasis, report: SystemComparison) -> None:
    """Show each system's mean and rank under every condition."""
    st.header("Scores", anchor=False)
    comparison = report.comparison
    ranked, several = comparison.ranked, len(comparison.conditions) > 1
    first = comparison.conditions[0].name
    measure = basis.measure or "score"
    show_figure(
        draw_means(ranked, measure),
        basis.of_conditions(ranked),
        "comparison-means",
        f"Each system's mean under every condition, systems in the order of '{first}' (compare "
        "Sakai 2017, Figures 1 and 2). A line that never rises has the same order; where lines "
        "cross, systems swap ranks. Do not compare heights between versions or measures: their "
        "scales differ."
        if several
        else "Each system's mean, the best first.",
    )
    show_report(
        report,
        "ranking",
        "comparison-ranks",
        "The mean of every system with its 95 % limits, and its rank. Equal means share a rank.",
        stamp=basis.of_columns,
    )


def show_orders(basis: ComparisonBasis, report: SystemComparison) -> None:
    """Show how alike the orders of systems are."""
    st.header("Similarity of the orders", anchor=False)
    comparison, orders = report.comparison, report.orders
    names, sakai = [one.name for one in comparison.conditions], "equivalent" in orders
    show_figure(
        draw_tau_intervals(orders, names),
        basis.of_pairs(orders),
        "comparison-tau",
        "Kendall's τ-b of every two orders with its 95 % interval (compare Sakai 2017, Tables 3 "
        f"and 6): 1 is the same order, 0 unrelated, −1 reversed. Limits: {MEANING[_unit(orders)]}. "
        "Bold orders are shown to differ: were the true order one, chance would hardly ever give "
        "so low a τ. The others are not shown to differ, which does not make them equal.",
        listed=("first", "second"),
    )
    show_report(
        report,
        "orders",
        "comparison-orders",
        "Every two conditions: Kendall's τ-b with its interval; p of one true order, and below "
        "which τ the orders would have been shown to differ; τ_AP, RBO and RBA, which weigh the "
        "top of the order more; Spearman's ρ; how many systems move more than two ranks, and the "
        "system that moves most; which system is best under each."
        + (" Equivalent by Sakai's rule: the upper limit reaches 1." if sakai else ""),
        stamp=basis.of_pairs,
    )


def _unit(orders: pd.DataFrame) -> str:
    return HOLLANDER_WOLFE if "equivalent" in orders else str(orders["unit"].iloc[0])


def show_significance(basis: ComparisonBasis, report: SystemComparison) -> None:
    """Show how many differences each condition finds, and which of them others find, too."""
    st.header("Which differences are significant", anchor=False)
    _show_power(basis, report)
    comparison, overlap = report.comparison, report.overlap
    if overlap.empty:
        return
    names = [one.name for one in comparison.conditions if one.matrix is not None]
    explanation = (
        "Of the pairs of systems that differ significantly under either of two conditions: how "
        "many do so under the first only / under both / under the second only, and the share of "
        "both, the significance overlap (compare Sakai 2017, Tables 4 and 7). *Reversed* counts "
        "pairs that are significant under both in opposite directions; each counts once for the "
        "first only and once for the second only."
    )
    show_figure(
        draw_overlaps(overlap, names),
        basis.of_pairs(overlap),
        "comparison-overlap",
        f"{explanation} Read a cell as only its row / both / only its column.",
        nobody=("text",),
        listed=("first", "second"),
    )
    show_report(report, "overlap", "comparison-overlap-table", explanation, stamp=basis.of_pairs)


def _show_power(basis: ComparisonBasis, report: SystemComparison) -> None:
    comparison = report.comparison
    alpha = comparison.alpha
    show_report(
        report,
        "power",
        "comparison-power",
        f"Discriminative power: how many pairs of systems differ significantly at α = {alpha:g} "
        "(compare Sakai 2017, Tables 5 and 8). *Only here* counts those that are significant under "
        "none of the other conditions. With fewer topics, fewer pairs differ significantly, "
        "whatever the quality of the topics. No p can be below *least p*, however clear the "
        "difference.",
        stamp=basis.of_conditions,
        without=() if len(comparison.conditions) > 1 else ["only_here"],
    )
    tested = [one for one in comparison.conditions if not one.pairs.empty]
    if not tested:
        return
    curves = pd.concat([_rise(one.name, asl_curve(one.pairs)) for one in tested])
    show_figure(
        draw_asl_curves(curves, alpha),
        basis.of_conditions(curves),
        "comparison-asl",
        "The achieved significance levels: p of every pair of systems, the smallest first. Where a "
        "line crosses α, read off how many pairs are significant; a line further to the right has "
        "more significant pairs. Values of p above the drawn range are in the data.",
        nobody=("first", "second"),
    )


def _rise(name: str, curve: pd.DataFrame) -> pd.DataFrame:
    """Return a curve of falling p from its other end."""
    rising = curve.iloc[::-1].reset_index(drop=True)
    return rising.assign(**{BY: name}, pair=rising.index + 1)
