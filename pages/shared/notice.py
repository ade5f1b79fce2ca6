"""How manage pages begin, and how a change on them ends: with a word on what was done."""

import streamlit as st

from pages.shared.session import PageContext

_NOTICE, _SHOWN, _AGAIN = "manage-notice", "manage-notice-shown", "manage-notice-again"


def finish(message: str) -> None:
    """Draw the page again, with a message about what was done."""
    st.session_state[_NOTICE] = message
    st.rerun()


def draw_again() -> None:
    """Draw the page again unasked; what was just done is still told."""
    st.session_state[_AGAIN] = True
    st.rerun()


def begin(context: PageContext, purpose: str) -> None:
    """Say what the page is for, and what was just done."""
    context.sheet.explain(purpose)
    message = st.session_state.pop(_NOTICE, "")
    if st.session_state.pop(_AGAIN, False):
        message = message or st.session_state.get(_SHOWN, "")
    st.session_state[_SHOWN] = message
    if message:
        st.success(message, icon=":material/check_circle:")
