"""The page of interleaving: which of two runs users would click, and how soon that shows."""

import streamlit as st

from core.analysis.results.interleaving import preference_of, preferences_of_users
from core.errors import DissentError
from core.figures.interleaving import draw_preferences
from core.wording import plain_with_facts
from pages.results.interleaving.interleaving_log import show_log
from pages.results.interleaving.interleaving_parts import (
    FIXED,
    show_beside,
    show_numbers,
    show_power,
)
from pages.results.interleaving.interleaving_question import InterleavingContext, ask
from pages.shared.aspect_widgets import RESULTS, choose_aspect
from pages.shared.figure import show_figure
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.parts import show_parts
from pages.shared.scoring_widgets import needs_runs
from pages.shared.session import PageContext
from pages.shared.wording import say_why_not, show_notes

PURPOSE = (
    "Interleaving shows users one list made of two runs and credits their clicks to either. Here "
    "users are simulated: they click by the relevance of one qrels version. So this says what such "
    "users would prefer if the judgements were right, how many lists it would take until that "
    "shows, and how it compares with an A/B test and a measure; it is no evidence of what people "
    "want. A log of lists that people clicked can be read under *A log*. Clicks speak of the "
    "topics asked for: more lists do not make a difference hold for other topics."
)
SHOWN = (
    "Δ is the share of lists that the first run wins, ties counting half, less one half: 0.5 if it "
    "wins all, −0.5 if the second does. Each kind of simulated user and each method has 95 % "
    "limits, by drawing sessions again. **Perfect** users click all that is relevant and nothing "
    "else; **navigational** ones look for one good document; **informational** ones click much; a "
    "click model's, under *Options*, click as those of a click log did on results of each level. "
    "Limits grow narrower with more lists; they say nothing about other topics, nor about people."
)


@page("interleaving", "Results", "Interleaving", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show whom simulated users prefer, then power, nDCG, and logs."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_runs(context):
        return
    context = choose_aspect(context, RESULTS)
    asked = ask(context)
    if asked is None:
        return
    try:
        with st.spinner("Showing lists to simulated users"):
            _show(asked)
    except DissentError as error:
        say_why_not(error, "Nothing can be interleaved from these choices:")


def _show(asked: InterleavingContext) -> None:
    study, question = asked.context.study, asked.question
    found = preference_of(study, asked.choice, question)
    rows = preferences_of_users(study, asked.choice, question)
    asked.context.sheet.answer(plain_with_facts(found.answer))
    show_figure(
        draw_preferences(rows),
        asked.basis.add_columns(rows, study),
        "interleaving",
        SHOWN,
        nobody=FIXED,
    )
    show_notes(found.notes)
    show_parts(
        "interleaving-part",
        {
            "Numbers": lambda: show_numbers(asked, rows),
            "Lists needed": lambda: show_power(asked),
            "Beside a measure": lambda: show_beside(asked),
            "A log": lambda: show_log(asked),
        },
    )
