"""How manage pages begin, and how a change on them ends: with a word on what was done."""

import streamlit as st

from core.analysis.base.wording import plain
from pages.shared.session import PageContext

_NOTICE = "manage-notice"


def finish(message: str) -> None:
    """Draw the page again, with a message about what was done."""
    st.session_state[_NOTICE] = message
    st.rerun()


def begin(context: PageContext, purpose: str) -> None:
    """Say what the page is for, which collection it shows, and what was just done."""
    if context.collection_id:
        closed = " It is closed to new judgements." if context.collection.closed_at else ""
        st.markdown(f"{purpose} You are looking at **{plain(context.collection.name)}**.{closed}")
    else:
        st.markdown(purpose)
    if message := st.session_state.pop(_NOTICE, ""):
        st.success(message, icon=":material/check_circle:")
