"""The organiser's page of comparisons: which systems differ significantly, and when."""

import streamlit as st

from core.analysis.base.wording import plain, plain_with_facts
from core.errors import BadInput
from core.reports.compare import SystemComparison
from pages.results.significance.comparison_basis import ComparisonBasis
from pages.results.significance.comparison_pairs import show_one_condition
from pages.results.significance.comparison_question import ask
from pages.results.significance.comparison_sides import show_means, show_orders, show_significance
from pages.results.significance.comparison_variance import show_variance
from pages.results.significance.scored_conditions import (
    ShownComparison,
    examine_shown,
    remember,
    score_conditions,
    settle,
)
from pages.shared.aspect_widgets import RESULTS, choose_aspect
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.scoring_widgets import needs_runs
from pages.shared.session import PageContext

PURPOSE = (
    "Which systems differ significantly, and would other assessors, other topics or another "
    "measure have led to the same conclusion? Everything is computed under each condition and "
    "shown side by side (Sakai 2017)."
)


@page("comparison", "Results", "Significance", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show orders and significant differences under several conditions, side by side."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_runs(context):
        return
    context = choose_aspect(context, RESULTS)
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
    show_one_condition(context, basis, report)
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in report.verdict[1:]))
    st.caption(plain(f"All conditions: {question.fixed} · {comparison.made}."))
    st.caption(f"{plain(comparison.correction)} {question.significance.kind.error_rate}")
    show_means(basis, comparison)
    if len(comparison.conditions) > 1:
        show_orders(basis, comparison)
    show_significance(basis, comparison)
    show_variance(basis, report)
    basis.show()
