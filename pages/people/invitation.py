"""A new invitation link: shown until it is put away, and never again."""

import streamlit as st

from core.store.people.people import invite
from core.wording import plain
from pages.shared.notice import finish
from pages.shared.server_address import server_address
from pages.shared.session import PageContext

_LINK = "manage-invitation"


def make_invitation(context: PageContext, person_id: str, name: str) -> None:
    """Make a link for somebody and draw the page again with it."""
    token = invite(context.store, person_id, by=context.person_id)
    st.session_state[_LINK] = (name, f"{server_address()}/enter/{token}")
    finish(f"{plain(name)} can sign in with the link below.")


def show_invitation() -> None:
    """Show the link that was just made."""
    if _LINK not in st.session_state:
        return
    name, link = st.session_state[_LINK]
    with st.container(border=True):
        st.markdown(
            f"**Link for {plain(name)}.** Copy it now and send it to nobody else: whoever opens it "
            "first is signed in by this name. It works once, for seven days, and cannot be shown "
            "again."
        )
        st.code(link, language=None, wrap_lines=True)
        if st.button("I have copied it"):
            del st.session_state[_LINK]
            st.rerun()
