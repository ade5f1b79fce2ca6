"""How far assessors agree within each round of judging."""

import streamlit as st

from core.analysis.agreement.between_assessors import agreement_of, agreement_of_rounds
from pages.shared.figure import show_report
from pages.shared.session import PageContext


def show_rounds(context: PageContext, facet: str) -> None:
    """Show κ within each round, once there are labels of one."""
    rows = agreement_of_rounds(context.study, facet)
    if rows.empty:
        st.info(f"No {facet} was judged in a round yet. Imported labels are of no round.")
        return
    show_report(
        agreement_of(context.study, facet),
        "rounds",
        "agreement-by-round",
        "Linear weighted κ of the labels that were given in each round, pooled over its pairs "
        "of assessors, with its 95 % interval; topics are what is sampled. Imported labels are "
        "of no round. Two rounds whose intervals overlap may still differ.",
        rows=rows,
    )
