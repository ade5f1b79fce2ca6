"""What stands around pages: the banner of the demo, the way out, and the end of a session."""

import streamlit as st

from core.language.translate import speaking, t
from core.wording import name_with_role, plain
from pages.shared.session import PageContext, asked_language
from pages.shared.simulation_bar import show_simulation
from pages.shared.tour import offer_tour

_BUTTON = (
    '<form method="{method}" action="{action}" target="_self" style="display:inline">'
    '<button style="font:inherit;padding:.55rem 1.2rem;margin:0 .6rem .6rem 0;cursor:pointer;'
    "border:1px solid currentColor;border-radius:.5rem;background:transparent;color:inherit"
    '">{text}</button></form>'
)


def say_goodbye() -> None:
    """Say on a page that is still open that its session has ended, and lead to the way in."""
    st.title("Dissent")
    with speaking(asked_language()):
        st.info(t("You are signed out in this browser."))
        st.html(_button("/", t("Sign in"), method="get"))


def show_banner(context: PageContext) -> None:
    """Say in one line that the demo is a demo, and that labels are simulated where they are."""
    simulated = _simulated(context)
    if not context.demo and not simulated:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="banner"):
        if context.demo:
            st.caption(
                ":material/science: "
                + t(
                    "**Demo**, thrown away at its end. To judge or to watch, sign out on the page "
                    "*Account*."
                ),
                width="content",
            )
        if simulated:
            with st.popover("Labels are simulated", type="tertiary", icon=":material/smart_toy:"):
                st.markdown(plain(simulated))
        if context.demo:
            show_simulation(context)
            offer_tour(context)


def _simulated(context: PageContext) -> str:
    """Return how labels were made up, for those who see what comes of them."""
    reads = context.person is not None and context.person.role != "assessor"
    return context.collection.simulated if reads and context.collection_id else ""


def name_visitor(context: PageContext) -> str:
    """Return in Markdown who is signed in."""
    assert context.person is not None
    who = plain(name_with_role(context.person.name, t(context.person.role)))
    return t("Signed in as **{name}**.", name=who)


def offer_sign_out() -> None:
    """Draw the way out."""
    st.html(_button("/leave", t("Sign out")))


def _button(action: str, text: str, method: str = "post") -> str:
    return _BUTTON.format(action=action, text=text, method=method)
