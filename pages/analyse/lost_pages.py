"""Good pages that users would not open, engine by engine; part of the disagreement page."""

import numpy as np
import pandas as pd
import streamlit as st

from core.collection.records import PAGE, SNIPPET
from core.disagreement.lost_pages import find_lost_pages, lost_pages_by_engine
from core.figures.lost_pages import draw_lost_pages
from pages.analyse.facets import counted_levels
from pages.analyse.pair_weights import combined_of, highest_levels
from pages.analyse.user_model import UserModel
from pages.shared.figure import show_figure, show_table
from pages.shared.live import kept, results_of, scales_of
from pages.shared.session import Visit
from pages.shared.wording import plain

SEED = 1


def show_lost_pages(visit: Visit, facet: str, model: UserModel) -> None:
    """Show which engines' snippets lose top pages, and which snippets these are."""
    scales = scales_of(visit)
    if set(scales) != {SNIPPET, PAGE}:
        return
    top = highest_levels(visit, facet, model)[1]
    if kept(visit, _find, top, None).empty:
        return
    st.subheader("Pages lost behind their snippets")
    below = _choose_level(counted_levels(scales[SNIPPET]))
    rows = kept(visit, _by_engine, top, below)
    worst = rows.iloc[0]
    name = plain(counted_levels(scales[PAGE])[top])
    st.markdown(
        f"Of the pages that an assessor found **{name}**, {rows['lost'].sum()} of "
        f"{rows['top_pages'].sum()} stand behind a snippet that would not have made the same "
        f"assessor open them. The largest share is that of **{plain(worst['engine'])}**: "
        f"{worst['lost']} of {worst['top_pages']}."
    )
    left, right = st.columns([2, 3])
    with left:
        show_figure(
            draw_lost_pages(rows),
            rows,
            "lost-pages",
            "The share of each engine's top pages, as one assessor judged them, whose snippet the "
            "same assessor put below the chosen level; with a 95 % interval from resampling "
            "topics. Engines judged on few topics have wide intervals or none. It is about the "
            "snippets, not about how good the pages are.",
        )
    with right:
        _show_snippets(visit, top, below)


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


def _show_snippets(visit: Visit, top: int, below: int) -> None:
    rows = kept(visit, _list_snippets, top, below)
    show_table(
        rows,
        "lost-snippets",
        "The snippets that lose a top page, most often lost first: **lost** of the **judged** "
        "labels that find the page top go with a snippet below the chosen level.",
        height=300,
        column_config={
            "topic_id": "topic",
            "document_id": "document",
            "top_labels": "judged",
            "snippet": st.column_config.TextColumn("snippet", width="large"),
        },
        column_order=["engine", "lost", "top_labels", "snippet", "topic_id", "document_id"],
    )


def _find(visit: Visit, top: int, below: int | None) -> pd.DataFrame:
    return find_lost_pages(combined_of(visit), top, below)


def _by_engine(visit: Visit, top: int, below: int) -> pd.DataFrame:
    found = kept(visit, _find, top, below)
    return lost_pages_by_engine(found, rng=np.random.default_rng(SEED))


def _list_snippets(visit: Visit, top: int, below: int) -> pd.DataFrame:
    """Return every snippet that loses its page, with its text."""
    keys = ["topic_id", "document_id", "engine"]
    found = kept(visit, _find, top, below)
    rows = found.groupby(keys, as_index=False).agg(
        lost=("lost", "sum"), top_labels=("lost", "size")
    )
    texts = results_of(visit)[[*keys, "snippet"]]
    rows = rows[rows["lost"] > 0].merge(texts, on=keys, how="left")
    return rows.sort_values(["lost", "engine", "topic_id"], ascending=[False, True, True])
