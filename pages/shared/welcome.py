"""What stands around pages: the banner of the demo, the way out, and the end of a session.

The bar with which an organiser of the demo lets simulated assessors judge.
"""

from collections.abc import Callable

import streamlit as st

from core.assessment.simulated.simulation import FAILED, NOBODY_WATCHED, NOTHING_LEFT, Simulation
from core.language.translate import speaking, t
from core.wording import name_with_role, plain
from pages.server.running import server
from pages.shared.session import PageContext, asked_language
from pages.shared.tour import offer_tour

_SECONDS = 1.5
_ENDED = {
    "": "Simulated assessors are paused",
    NOTHING_LEFT: "Simulated assessors have judged all that they hold",
    NOBODY_WATCHED: "Simulated assessors are paused, for nobody was watching",
    FAILED: "Simulated assessors have stopped at an error; the server's log says which",
}


def show_simulation(context: PageContext) -> None:
    """Offer to start, pause and speed up the simulation, where the collection in view has one."""
    simulation = server().simulation
    if simulation is None or not context.may_change:
        return
    if simulation.collection_id != context.collection_id:
        return
    was_judging = simulation.is_judging

    @st.fragment(run_every=_SECONDS if was_judging else None)
    def watch() -> None:
        simulation.watch()
        if simulation.is_judging != was_judging:
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center", key="simulation"):
            st.caption(describe_simulation(simulation), width="content")
            _show_buttons(simulation)

    watch()


def describe_simulation(simulation: Simulation) -> str:
    """Return in words what simulated assessors are doing, and how much they have judged."""
    given = f"{simulation.count_given():,}"
    if simulation.is_judging:
        rate = f"{simulation.rate:,} labels a minute"
        return f"Simulated assessors are judging: {rate}; {given} so far"
    return f"{_ENDED[simulation.why_paused]}; {given} labels so far"


def _show_buttons(simulation: Simulation) -> None:
    """Draw the buttons; the bar is drawn anew after each, at its own pace."""
    if simulation.is_judging:
        _show_button("Pause", "pause", simulation.pause)
    else:
        _show_button("Start", "play_arrow", simulation.start)
    may_be = simulation.is_judging and simulation.may_be_faster
    _show_button("Faster", "fast_forward", simulation.faster, disabled=not may_be)


def _show_button(label: str, icon: str, act: Callable[[], None], *, disabled: bool = False) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        type="tertiary",
        key=f"simulation-{label.lower()}",
        on_click=act,
        disabled=disabled,
    )


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
