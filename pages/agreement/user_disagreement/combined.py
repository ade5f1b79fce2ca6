"""Weights of pairs of a snippet level and a page level; part of the disagreement page."""

import pandas as pd
import streamlit as st

from core.analysis.agreement.level_weights import ask_combined_weights, has_both_scales
from core.collection.records import PAGE, SNIPPET
from core.figures.disagreement import draw_combined
from core.reports.level_weights import CombinedWeights, WeightsQuestion
from core.wording import plain_with_facts
from pages.shared.facet_widgets import TWO_ASSESSORS
from pages.shared.figure import show_figure, show_report
from pages.shared.session import PageContext
from pages.shared.user_model_widgets import write_estimates
from pages.shared.wording import show_notes


def show_combined(context: PageContext, facet: str, question: WeightsQuestion) -> None:
    """Show the weights of (snippet level, page level) pairs, where both are judged."""
    if not has_both_scales(context.study):
        return
    st.divider()
    st.header("Snippet and page together")
    st.markdown(
        "A user sees the snippet first: a good page behind a poor snippet is not opened. So the "
        "two levels that one assessor gave get one weight together, and top means that both are "
        "top."
    )
    found = ask_combined_weights(context.study, facet, question)
    said = plain_with_facts(found.answer)
    if not found.has_pairs:
        st.info(f"{said} {TWO_ASSESSORS}")
        return
    st.markdown(said)
    show_notes(found.notes)
    rows = write_estimates(found.pairs).assign(
        snippet=found.pairs["snippet_name"], page=found.pairs["page_name"]
    )
    left, right = st.columns([2, 3])
    with left:
        _show_matrix(rows, found)
    with right:
        _show_table(found)


def _show_matrix(rows: pd.DataFrame, found: CombinedWeights) -> None:
    names, model = found.labels.names, found.model
    show_figure(
        draw_combined(rows, [*names[SNIPPET].values()], [*names[PAGE].values()]),
        rows,
        "combined-weights",
        f"The probability that at least {model.at_least} of {model.users} users find both snippet "
        "and page top, given both levels of one of them. Darker is more; in brackets under 50 "
        "cases or 5 topics; a dash where no such pair occurs on an item that two assessors judged. "
        "Along a row you see the effect of the snippet at the same page level.",
    )


def _show_table(found: CombinedWeights) -> None:
    show_report(
        found,
        "pairs",
        "combined-weights-table",
        "Pairs of levels, highest **UDM weight** first. **page alone** is that of the page level "
        "when the snippet is ignored: where it is much higher, users miss the page because of its "
        "snippet. **cases** are counted as above; **few**: fewer than 50, or 5 topics.",
    )
