"""How manage pages begin, and how a change on them ends: with a word on what was done."""

import streamlit as st

from pages.shared.session import PageContext

_NOTICE = "manage-notice"


def finish(message: str) -> None:
    """Draw the page again, with a message about what was done."""
    st.session_state[_NOTICE] = message
    st.rerun()


def begin(context: PageContext, purpose: str) -> None:
    """Say what the page is for, and what was just done."""
    context.sheet.explain(purpose)
    if message := st.session_state.pop(_NOTICE, ""):
        st.success(message, icon=":material/check_circle:")
