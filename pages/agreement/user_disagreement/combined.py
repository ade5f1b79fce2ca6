"""Weights of pairs of a snippet level and a page level; part of the disagreement page."""

import pandas as pd
import streamlit as st

from core.analysis.agreement.level_weights import combined_weights_of
from core.analysis.agreement.pair_weights import combined_of, has_both_scales
from core.analysis.base.labels import counted_levels
from core.analysis.base.study import scales_of
from core.collection.records import PAGE, SNIPPET
from core.disagreement.combined import CombinedRatings
from core.figures.disagreement import draw_combined
from core.reports.user_model import UserModel
from core.store.rounds.rounds import list_rounds
from core.wording import plain
from pages.shared.facet_widgets import TWO_ASSESSORS
from pages.shared.figure import show_figure, show_table
from pages.shared.session import PageContext
from pages.shared.table import TENTHS
from pages.shared.user_model_widgets import write_few


def show_combined(context: PageContext, facet: str, model: UserModel, stratum: str) -> None:
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
    combined = combined_of(context.study)
    rows = _name(context, combined_weights_of(context.study, facet, model, stratum))
    if not rows["pairs"].any():
        st.info(
            f"No two assessors have each judged the same snippet and its page yet. {TWO_ASSESSORS}"
        )
        return
    _note_unpaired(context, combined)
    left, right = st.columns([2, 3])
    with left:
        _show_matrix(context, rows, model)
    with right:
        _show_table(rows)


def _show_matrix(context: PageContext, rows: pd.DataFrame, model: UserModel) -> None:
    scales = scales_of(context.study)
    show_figure(
        draw_combined(
            rows,
            list(counted_levels(scales[SNIPPET]).values()),
            list(counted_levels(scales[PAGE]).values()),
        ),
        rows,
        "combined-weights",
        f"The probability that at least {model.at_least} of {model.users} users find both snippet "
        "and page top, given both levels of one of them. Darker is more; in brackets under 50 "
        "cases or 5 topics; a dash where no such pair occurs on an item that two assessors judged. "
        "Along a row you see the effect of the snippet at the same page level.",
    )


def _show_table(rows: pd.DataFrame) -> None:
    number = st.column_config.NumberColumn
    show_table(
        rows,
        "combined-weights-table",
        "Pairs of levels, highest **UDM weight** first. **page alone** is that of the page level "
        "when the snippet is ignored: where it is much higher, users miss the page because of its "
        "snippet. **cases** are counted as above; weights from fewer than 50, or 5 topics, "
        "are in brackets.",
        column_config={
            "cases": number("cases", format=TENTHS),
            "p_shown": st.column_config.TextColumn("p(both top)", alignment="right"),
            "weight_shown": st.column_config.TextColumn("UDM weight", alignment="right"),
            "page_weight": number("page alone", format="%.3f"),
        },
        column_order=["snippet", "page", "weight_shown", "page_weight", "p_shown", "cases"],
    )


def _note_unpaired(context: PageContext, combined: CombinedRatings) -> None:
    """Say how many snippet labels have no page label beside them, and what that means."""
    if not combined.unpaired:
        return
    note = (
        f"{combined.unpaired:,} snippet labels are left out because the same assessor gave the "
        "page no level."
    )
    names = {level.level: level.name for level in scales_of(context.study)[SNIPPET]}
    starts = [
        one.page_from
        for one in list_rounds(context.store, context.collection_id)
        if one.page_from is not None and one.judges_snippets and one.judges_pages
    ]
    if starts:
        note += (
            f" Pages were judged from the snippet level {plain(names[min(starts)])} on only, so "
            "these weights hold for pages that an assessor would have opened."
        )
    st.caption(note)


def _name(context: PageContext, table: pd.DataFrame) -> pd.DataFrame:
    """Put level names in the place of levels, and numbers as they are written."""
    scales = scales_of(context.study)
    rows = table.assign(
        snippet=table["snippet"].map(counted_levels(scales[SNIPPET])),
        page=table["page"].map(counted_levels(scales[PAGE])),
    )
    for column in ("p", "weight"):
        shown = [write_few(*pair) for pair in zip(rows[column], rows["few"], strict=True)]
        rows[f"{column}_shown"] = shown
    return rows
