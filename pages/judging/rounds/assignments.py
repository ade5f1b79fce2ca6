"""The organiser's page about rounds: what is judged, by whom, how often, until when."""

import streamlit as st

from pages.judging.rounds.new_round import plan_round
from pages.judging.rounds.round_list import show_rounds
from pages.judging.rounds.seeing_form import offer_seeing
from pages.judging.rounds.withdrawn import show_withdrawn
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

PURPOSE = (
    "A round assigns the top documents of every run to assessors, topic by topic. A *slot* is one "
    "assessor's place at one topic, or at one batch of it: open to anybody, reserved for somebody, "
    "taken, or finished. *Topics × people* shows who holds which."
)


@page("assignments", "Judging", "Rounds", "organiser")
def draw(context: PageContext) -> None:
    """Show the rounds and what a new one would hand out."""
    begin(context, PURPOSE)
    if needs_collection(context):
        return
    show_rounds(context)
    offer_seeing(context)
    st.header("A new round", anchor=False)
    plan_round(context)
    show_withdrawn(context)
