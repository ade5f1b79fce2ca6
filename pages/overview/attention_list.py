"""What needs attention: each thing with how much of it there is, and where one acts."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.overview.findings import DOUBTFUL, OPEN, STOPS, Finding
from pages.overview.links import link_to
from pages.shared.session import PageContext

ICONS = {
    STOPS: ":material/error:",
    DOUBTFUL: ":material/warning:",
    OPEN: ":material/radio_button_unchecked:",
}
"""One shape for each grade, so that it is told without colour."""


def show_attention(context: PageContext, findings: Sequence[Finding]) -> None:
    """List what needs attention, worst first."""
    st.header("Needs attention", anchor=False)
    if not findings:
        st.markdown("Nothing needs attention.")
    for one in findings:
        what, where = st.columns([5, 2], gap="xxsmall", vertical_alignment="center")
        what.markdown(f"{ICONS[one.grade]} **{one.kind}**: {one.what}.")
        with where:
            link_to(context, one.page)
