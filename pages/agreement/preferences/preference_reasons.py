"""Why assessors preferred one to the other, where they said so."""

import streamlit as st

from core.analysis.agreement.preference_reasons import reasons_by_winner
from pages.shared.figure import show_table
from pages.shared.session import PageContext


def show_reasons(context: PageContext, kind: str, facet: str) -> None:
    """Show how often each reason was given, by winner; nothing where nobody gave one."""
    rows = reasons_by_winner(context.study, kind, facet)
    if rows.empty:
        return
    st.header("Reasons")
    show_table(
        rows,
        "preference-reasons",
        "How often assessors gave a reason for what they preferred, and on which side that stood: "
        "a reason that is given for one side only may be one for the side. **of**: preferences for "
        "this winner that have any reason; one can have several, so shares can add up to more "
        "than 1. Hidden repeats are left out.",
        column_config={
            "left": "on the left",
            "right": "on the right",
            "share": st.column_config.NumberColumn(format="%.3f"),
        },
        nobody=("winner", "reason"),
    )
