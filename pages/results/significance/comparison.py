"""The organiser's page of comparisons: which systems differ significantly, and when.

What the variance of scores comes from, and how many topics tell systems apart.
"""

import numpy as np
import streamlit as st

from core.comparison.variance import ENOUGH, VarianceStudy
from core.errors import BadInput
from core.numerals import write_limits, write_number
from core.reports.compare import SystemComparison
from core.wording import plain, plain_with_facts
from pages.results.significance.comparison_question import ask
from pages.results.significance.comparison_tables import (
    ComparisonBasis,
    show_means,
    show_one_condition,
    show_orders,
    show_significance,
)
from pages.results.significance.scored_conditions import (
    ShownComparison,
    examine_shown,
    remember,
    score_conditions,
    settle,
)
from pages.shared.figure import show_report
from pages.shared.page import page
from pages.shared.scoring_widgets import open_results
from pages.shared.session import PageContext
from pages.shared.wording import show_notes

PURPOSE = (
    "Which systems differ significantly, and would other assessors, other topics or another "
    "measure have led to the same conclusion? Everything is computed under each condition and "
    "shown side by side (Sakai 2017)."
)


@page("comparison", "Results", "Significance", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show orders and significant differences under several conditions, side by side."""
    if (opened := open_results(context, PURPOSE)) is None:
        return
    context = opened
    question = ask(context)
    if question is None:
        return
    now = score_conditions(context, question)
    if not now.given:
        context.sheet.tell("None of your choices can be scored yet.")
        return
    shown = settle(context, now)
    try:
        report = examine_shown(shown)
    except BadInput as error:
        st.error(plain(str(error)))
        return
    remember(context, shown)
    _show(context, shown, report)


def _show(context: PageContext, shown: ShownComparison, report: SystemComparison) -> None:
    question, comparison = shown.question, report.comparison
    basis = ComparisonBasis(context, shown)
    context.sheet.answer(plain_with_facts(report.answer))
    show_notes(report.notes)
    show_one_condition(context, basis, report)
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in report.verdict[1:]))
    st.caption(plain(f"All conditions: {question.fixed} · {comparison.made}."))
    st.caption(f"{plain(comparison.correction)} {question.significance.kind.error_rate}")
    show_means(basis, report)
    if len(comparison.conditions) > 1:
        show_orders(basis, report)
    show_significance(basis, report)
    show_variance(basis, report)
    basis.show()


def show_variance(basis: ComparisonBasis, report: SystemComparison) -> None:
    """Show variance components and generalisability coefficients."""
    found = report.variances
    if not found:
        return
    st.header("Where the variance comes from", anchor=False)
    for split in found:
        if len(found) > 1:
            st.markdown(f"*{', '.join(split.conditions)}*")
        st.markdown(_describe(split.study))
    show_report(
        report,
        "variance",
        "comparison-variance",
        "The variance of the scores by its sources: how far topics differ, systems differ, the "
        "versions differ that judge the same topics, and what they do together; the last holds "
        "chance, too. Topics, systems and versions are taken for samples of many.",
        stamp=basis.of_columns,
        without=() if len(found) > 1 else ["conditions"],
    )


def _describe(study: VarianceStudy) -> str:
    if np.isnan(study.relative):
        return f"{study.reason[0].upper()}{study.reason[1:]}."
    limits = "" if np.isnan(study.low) else f" {write_limits(study.low, study.high)}"
    needed = (
        f"{study.topics_needed:,.0f} topics would give {ENOUGH:g}"
        if np.isfinite(study.topics_needed)
        else f"no number of topics would give {ENOUGH:g} with so few versions"
    )
    return (
        f"With {study.topics:,} topics the generalisability coefficient Eρ² is "
        f"**{write_number(study.relative)}**{limits}: 1 if other topics gave the same order of "
        f"systems. {needed[0].upper()}{needed[1:]}. Φ, for the means themselves, is "
        f"{write_number(study.absolute)}."
    )
