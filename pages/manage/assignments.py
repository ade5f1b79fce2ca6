"""The organiser's page about assignments: what is judged, by whom, how often."""

import streamlit as st

from pages.manage.notice import begin
from pages.manage.pair_preview import preview_pairs
from pages.manage.plan_form import plan_round
from pages.manage.pool_preview import preview
from pages.manage.round_list import show_rounds
from pages.shared.page import page
from pages.shared.session import Visit
from pages.shared.wording import needs_collection

WAYS = {"one": "One at a time, by level", "two": "Two side by side"}
PURPOSE = "A round hands the best documents of every run to assessors, topic by topic."


@page("Manage", "Assignments", ":material/assignment_ind:", "organiser")
def draw(visit: Visit) -> None:
    """Show the rounds and what a new one would hand out."""
    begin(visit, PURPOSE)
    if needs_collection(visit):
        return
    show_rounds(visit)
    st.header("A new round", anchor=False)
    way = st.segmented_control(
        "Way of judging",
        list(WAYS),
        default="one",
        format_func=WAYS.__getitem__,
        required=True,
        key="round-way",
    )
    chosen = preview(visit) if way == "one" else preview_pairs(visit)
    if chosen is not None:
        plan_round(visit, *chosen)
