"""What a snippet level and a page level are worth together; part of the disagreement page."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from core.collection.records import PAGE, SNIPPET
from core.disagreement.combined import CombinedRatings, combined_weights
from core.figures.disagreement import draw_combined
from core.store.rounds import list_rounds
from pages.analyse.facets import TWO_ASSESSORS, counted_levels
from pages.analyse.pair_weights import combined_of, has_both_scales, highest_levels
from pages.analyse.strata import select_part
from pages.analyse.user_model import UserModel, write_number
from pages.shared.figure import show_figure, show_table
from pages.shared.live import kept, scales_of
from pages.shared.session import Visit
from pages.shared.wording import plain

SEED = 1


def show_combined(visit: Visit, facet: str, model: UserModel, stratum: str) -> None:
    """Show the weights of (snippet level, page level) pairs, where both are judged."""
    if not has_both_scales(visit):
        return
    st.divider()
    st.subheader("Snippet and page together")
    st.markdown(
        "A user sees the snippet first: a good page behind a poor snippet is not opened. So the "
        "pair of both levels that one assessor gave is weighed as one, and top means that both "
        "are top."
    )
    combined = combined_of(visit)
    rows = _name(visit, kept(visit, _weights, facet, model, stratum))
    if not rows["pairs"].any():
        st.info(
            f"No two assessors have each judged the same snippet and its page yet. {TWO_ASSESSORS}"
        )
        return
    _note_unpaired(visit, combined)
    left, right = st.columns([2, 3])
    with left:
        _show_matrix(visit, rows, model)
    with right:
        _show_table(rows)


def _show_matrix(visit: Visit, rows: pd.DataFrame, model: UserModel) -> None:
    scales = scales_of(visit)
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
        "cases; a dash where no such pair occurs on an item that two assessors judged. Along a "
        "row you see what the snippet adds to the same page level.",
    )


def _show_table(rows: pd.DataFrame) -> None:
    number = st.column_config.NumberColumn
    show_table(
        rows,
        "combined-weights-table",
        "Pairs of levels by falling weight. **page alone** is the weight of the page level when "
        "nobody asks about the snippet: where it is much higher, the snippet hides the page. "
        "**cases** are counted as above; weights from fewer than 50 stand in brackets.",
        column_config={
            "cases": number("cases", format="%.1f"),
            "p_shown": st.column_config.TextColumn("p(both top)", alignment="right"),
            "weight_shown": st.column_config.TextColumn("weight", alignment="right"),
            "page_weight": number("page alone", format="%.2f"),
        },
        column_order=["snippet", "page", "weight_shown", "page_weight", "p_shown", "cases"],
    )


def _note_unpaired(visit: Visit, combined: CombinedRatings) -> None:
    """Say how many snippet labels have no page label beside them, and what that means."""
    if not combined.unpaired:
        return
    note = (
        f"{combined.unpaired:,} snippet labels are left out because the same assessor gave the "
        "page no level."
    )
    names = {level.level: level.name for level in scales_of(visit)[SNIPPET]}
    starts = [
        one.page_from
        for one in list_rounds(visit.store, visit.collection_id)
        if one.page_from is not None and one.judges_snippets and one.judges_pages
    ]
    if starts:
        note += (
            f" Pages were judged from the snippet level {plain(names[min(starts)])} on only, so "
            "these weights hold for pages that an assessor would have opened."
        )
    st.caption(note)


def _weights(visit: Visit, facet: str, model: UserModel, stratum: str) -> pd.DataFrame:
    combined, part = combined_of(visit), (visit, facet, model.top, stratum)
    return combined_weights(
        replace(
            combined,
            ratings=select_part(*part, combined.ratings),
            page_ratings=select_part(*part, combined.page_ratings),
        ),
        users=model.users,
        at_least=model.at_least,
        top=highest_levels(visit, facet, model),
        weighting=model.weighting,
        keep_lowest=model.keep_lowest,
        rng=np.random.default_rng(SEED),
    )


def _name(visit: Visit, table: pd.DataFrame) -> pd.DataFrame:
    """Put level names in the place of grades, and numbers as they are written."""
    scales = scales_of(visit)
    rows = table.assign(
        snippet=table["snippet"].map(counted_levels(scales[SNIPPET])),
        page=table["page"].map(counted_levels(scales[PAGE])),
    )
    for column in ("p", "weight"):
        shown = [write_number(*pair) for pair in zip(rows[column], rows["few"], strict=True)]
        rows[f"{column}_shown"] = shown
    return rows
