"""Whether the ranking of the systems has come to rest; computed when somebody asks."""

import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.base.wording import plain
from core.analysis.overview.stability import (
    STABLE,
    describe_stability,
    ranking_stability,
)
from core.figures.progress import draw_stability
from pages.shared.figure import show_figure
from pages.shared.session import PageContext

OPENED = "stability-opened"


def show_stability(context: PageContext) -> None:
    """Compare today's ranking with those of earlier states, once this part is opened."""
    asked = st.expander("Is the ranking stable?", key=OPENED, on_change="rerun")
    if not asked.open:
        return
    with asked:
        rows = ranking_stability(context.study)
        declared = declared_of(context.study)
        measure, version = plain(declared.measure), plain(declared.version)
        st.markdown(describe_stability(rows, measure))
        if rows["tau"].notna().any():
            show_figure(
                draw_stability(rows, STABLE),
                rows,
                "stability",
                f"Kendall's τ-b between the order of the systems by mean {measure} now and after "
                "10 %, 20 %, … of the labels in the order in which they came; imported labels "
                "come in the order of their files. The judgements are those of the version "
                f"*{version}*. From τ = {STABLE:g} on, two rankings are commonly taken for the "
                "same (Voorhees 2000). A ranking at rest is not yet a right one: all states share "
                "the same pool and the same assessors.",
            )
