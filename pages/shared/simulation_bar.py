"""The bar with which an organiser of the demo lets simulated assessors judge."""

from collections.abc import Callable

import streamlit as st

from core.assessment.simulated.simulation import FAILED, NOBODY_WATCHED, NOTHING_LEFT, Simulation
from pages.server.running import server
from pages.shared.session import PageContext

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
