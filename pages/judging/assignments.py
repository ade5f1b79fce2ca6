"""The organiser's page about assignments: what is judged, by whom, how often."""

import streamlit as st

from pages.judging.pair_preview import preview_pairs
from pages.judging.plan_form import plan_round
from pages.judging.pool_preview import preview
from pages.judging.round_list import show_rounds
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

WAYS = {"one": "One at a time, by level", "two": "Two side by side"}
PURPOSE = "A round assigns the top documents of every run to assessors, topic by topic."


@page("assignments", "Judging", "Rounds", "organiser")
def draw(context: PageContext) -> None:
    """Show the rounds and what a new one would hand out."""
    begin(context, PURPOSE)
    if needs_collection(context):
        return
    show_rounds(context)
    st.header("A new round", anchor=False)
    way = st.segmented_control(
        "Way of judging",
        list(WAYS),
        default="one",
        format_func=WAYS.__getitem__,
        required=True,
        key="round-way",
    )
    chosen = preview(context) if way == "one" else preview_pairs(context)
    if chosen is not None:
        plan_round(context, *chosen)
