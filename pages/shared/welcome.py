"""What a visitor sees before signing in, and the banner of the demo."""

import streamlit as st

from pages.shared.session import Visit
from pages.shared.wording import name_with_role, plain

_BUTTON = (
    '<form method="post" action="{action}" target="_self" style="display:inline">'
    '<button style="font:inherit;padding:.55rem 1.2rem;margin:0 .6rem .6rem 0;cursor:pointer;'
    "border:1px solid currentColor;border-radius:.5rem;background:transparent;color:inherit"
    '">{text}</button></form>'
)


def show_welcome(visit: Visit) -> None:
    """Say what this is and how to get in."""
    st.title("Dissent")
    st.markdown(
        "People judge search results together here. Where they disagree, the disagreement "
        "is measured and used instead of being averaged away."
    )
    if not visit.demo:
        st.info("You need an invitation link. The organiser of this study can send you one.")
        return
    st.markdown(
        "This is the **demo**. Everything in it is made up, its labels are simulated, and what "
        "you do is thrown away with it. How would you like to look around?"
    )
    st.html(
        _BUTTON.format(action="/demo/assessor", text="Judge as an assessor")
        + _BUTTON.format(action="/demo/organiser", text="Watch as an organiser")
    )


def show_banner(visit: Visit) -> None:
    """Say on every page that the demo is a demo and which labels are simulated."""
    if visit.demo:
        st.caption(
            ":material/science: **Demo on a throw-away store.** Sign out in the sidebar to "
            "change between judging and watching."
        )
    organiser = visit.person is not None and visit.person.role == "organiser"
    if organiser and visit.collection_id and visit.collection.simulated:
        st.caption(f":material/smart_toy: {plain(visit.collection.simulated)}")


def show_sign_out(visit: Visit) -> None:
    """Say in the sidebar who is signed in, with the way out."""
    if visit.person is None:
        return
    with st.sidebar:
        person = visit.person
        st.caption(f"Signed in as {plain(name_with_role(person.name, person.role))}")
        st.html(_BUTTON.format(action="/leave", text="Sign out"))
