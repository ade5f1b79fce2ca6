"""Good pages that users would not open, engine by engine; part of the disagreement page."""

import streamlit as st

from core.analysis.agreement.level_weights import ask_combined_weights
from core.analysis.agreement.missed_pages import missed_by_engine, missed_pages_of, missed_snippets
from core.analysis.base.study import scales_of
from core.collection.records import PAGE, SNIPPET, counted_levels
from core.figures.missed_pages import draw_missed_pages
from core.reports.level_weights import WeightsQuestion
from core.reports.user_model import UserModel
from core.wording import plain
from pages.shared.figure import show_figure, show_table
from pages.shared.session import PageContext


def show_missed_pages(context: PageContext, facet: str, model: UserModel) -> None:
    """Show which engines' snippets lose top pages, and which snippets these are."""
    scales = scales_of(context.study)
    if set(scales) != {SNIPPET, PAGE}:
        return
    top = ask_combined_weights(context.study, facet, WeightsQuestion(model)).top[1]
    if missed_pages_of(context.study, top, None).empty:
        return
    st.header("Relevant pages missed because of their snippets")
    below = _choose_level(counted_levels(scales[SNIPPET]))
    rows = missed_by_engine(context.study, top, below)
    worst = rows.iloc[0]
    name = plain(counted_levels(scales[PAGE])[top])
    st.markdown(
        f"Of the pages that an assessor found **{name}**, {rows['lost'].sum():,} of "
        f"{rows['top_pages'].sum():,} have a snippet that would not have made the same assessor "
        f"open them. The largest share is that of **{plain(worst['engine'])}**: "
        f"{worst['lost']:,} of {worst['top_pages']:,}."
    )
    left, right = st.columns([2, 3])
    with left:
        show_figure(
            draw_missed_pages(rows),
            rows,
            "lost-pages",
            "The share of each engine's top pages, as one assessor judged them, whose snippet the "
            "same assessor put below the chosen level; with a 95 % interval; topics are "
            "what is sampled. Engines judged on few topics have wide intervals or none. This "
            "describes the snippets, not the quality of the pages.",
        )
    with right:
        _show_snippets(context, top, below)


def _choose_level(levels: dict[int, str]) -> int:
    """Let the organiser choose from which snippet level on a user opens the page."""
    place, _ = st.columns([1, 2])
    chosen = place.selectbox(
        "Users open a page from the snippet level",
        list(levels)[:0:-1],
        format_func=levels.__getitem__,
        key="lost-below",
    )
    return int(chosen)


def _show_snippets(context: PageContext, top: int, below: int) -> None:
    rows = missed_snippets(context.study, top, below)
    show_table(
        rows,
        "lost-snippets",
        "Snippets because of which a top page is missed, most often missed first: of the "
        "**judged** labels that find the page top, **missed** is the number whose snippet is below "
        "the chosen level.",
        height=300,
        column_config={
            "lost": "missed",
            "top_labels": "judged",
            "snippet": st.column_config.TextColumn("snippet", width="large"),
        },
        column_order=["engine", "lost", "top_labels", "snippet", "topic_id", "document_id"],
    )
