"""The agreement page's part on aspects: agreement on each, and how it goes with relevance."""

import streamlit as st

from core.analysis.agreement.aspects import LINEAR, agreement_of_aspects
from pages.shared.figure import show_table
from pages.shared.session import PageContext


def show_aspects(context: PageContext, facet: str) -> None:
    """Show each aspect of a facet beside relevance."""
    rows = agreement_of_aspects(context.study, facet)
    if rows.empty:
        st.info(f"No aspect is asked of {facet}s.")
        return
    show_table(
        rows,
        "agreement-aspects",
        "What else was judged of the same items. Linear weighted κ over all pairs of assessors, "
        "with its 95 % interval; **topics** are what is sampled. **τ with relevance** is Kendall's "
        "τ-b between an item's mean level of the aspect and its mean relevance, over the **items** "
        "that have both from the same assessors: near 1 the aspect repeats relevance, near 0 it "
        "says something of its own. An aspect that is asked only from some level on is compared "
        "with those levels only, which brings τ nearer to 0. Choose an aspect above to see its "
        "pairs and topics.",
        column_config={
            "value": LINEAR.title,
            "units": "topics",
            "tau": "τ with relevance",
        },
    )
