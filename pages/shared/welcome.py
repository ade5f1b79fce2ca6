"""What stands around pages: the banner of the demo, the way out, and the end of a session."""

import streamlit as st

from core.analysis.base.wording import name_with_role, plain
from pages.shared.session import PageContext

_BUTTON = (
    '<form method="{method}" action="{action}" target="_self" style="display:inline">'
    '<button style="font:inherit;padding:.55rem 1.2rem;margin:0 .6rem .6rem 0;cursor:pointer;'
    "border:1px solid currentColor;border-radius:.5rem;background:transparent;color:inherit"
    '">{text}</button></form>'
)


def say_goodbye() -> None:
    """Say on a page that is still open that its session has ended, and lead to the way in."""
    st.title("Dissent")
    st.info("You are signed out in this browser.")
    st.html(_button("/", "Sign in", method="get"))


def show_banner(context: PageContext) -> None:
    """Say on every page that the demo is a demo and which labels are simulated."""
    if context.demo:
        st.caption(
            ":material/science: **Demo on a throw-away store.** Sign out in the sidebar to "
            "change between judging and watching."
        )
    reads = context.person is not None and context.person.role != "assessor"
    if reads and context.collection_id and context.collection.simulated:
        st.caption(f":material/smart_toy: {plain(context.collection.simulated)}")


def show_sign_out(context: PageContext) -> None:
    """Say in the sidebar who is signed in, with the way out."""
    if context.person is None:
        return
    with st.sidebar:
        person = context.person
        st.caption(f"Signed in as {plain(name_with_role(person.name, person.role))}")
        st.html(_button("/leave", "Sign out"))


def _button(action: str, text: str, method: str = "post") -> str:
    return _BUTTON.format(action=action, text=text, method=method)
