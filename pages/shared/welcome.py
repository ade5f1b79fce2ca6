"""What a visitor sees before signing in, and the banner of the demo."""

from html import escape

import streamlit as st

from pages.shared.session import Visit
from pages.shared.single_sign_on import is_configured, offer_single_sign_on
from pages.shared.wording import name_with_role, plain

_BUTTON = (
    '<form method="{method}" action="{action}" target="_self" style="display:inline">'
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
        buttons = [_button("/sign-in", "Sign in with a password", method="get")]
        if is_configured() and (on := offer_single_sign_on(visit)):
            buttons.insert(0, _button(on[0], escape(on[1])))
        st.html("".join(buttons))
        return
    st.markdown(
        "This is the **demo**. Everything in it is made up, its labels are simulated, and what "
        "you do is thrown away with it. How would you like to look around?"
    )
    st.html(
        _button("/demo/assessor", "Judge as an assessor")
        + _button("/demo/organiser", "Watch as an organiser")
    )


def show_banner(visit: Visit) -> None:
    """Say on every page that the demo is a demo and which labels are simulated."""
    if visit.demo:
        st.caption(
            ":material/science: **Demo on a throw-away store.** Sign out in the sidebar to "
            "change between judging and watching."
        )
    reads = visit.person is not None and visit.person.role != "assessor"
    if reads and visit.collection_id and visit.collection.simulated:
        st.caption(f":material/smart_toy: {plain(visit.collection.simulated)}")


def show_sign_out(visit: Visit) -> None:
    """Say in the sidebar who is signed in, with the way out."""
    if visit.person is None:
        return
    with st.sidebar:
        person = visit.person
        st.caption(f"Signed in as {plain(name_with_role(person.name, person.role))}")
        st.html(_button("/leave", "Sign out"))


def _button(action: str, text: str, method: str = "post") -> str:
    return _BUTTON.format(action=action, text=text, method=method)
