"""The organiser's page of informativeness: which measure tells most about the rankings."""

import streamlit as st

from core.errors import DissentError
from core.wording import plain, plain_with_facts
from pages.results.measures.informativeness_closer import show_closer
from pages.results.measures.informativeness_question import ask
from pages.results.measures.informativeness_study import ShownStudy, study_rankings
from pages.results.measures.informativeness_tables import show_errors, show_inference, show_statuses
from pages.shared.aspect_widgets import RESULTS, choose_aspect
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.scoring_widgets import needs_runs
from pages.shared.session import PageContext
from pages.shared.wording import say_why_not

PURPOSE = (
    "Which measure says most about the rankings? Suppose that only one measure's value and the "
    "number of relevant documents were known for each ranking. From these two, probabilities of "
    "relevance are inferred by maximum entropy and compared with the actual ranking: the better "
    "the match, the more informative the measure (Ashkan & Clarke 2011)."
)


@page("informativeness", "Results", "Informativeness", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show what each measure tells about rankings: curves, other measures, single rankings."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_runs(context):
        return
    context = choose_aspect(context, RESULTS)
    try:
        question = ask(context)
        shown = None if question is None else study_rankings(context, question)
    except DissentError as error:
        say_why_not(error, "Nothing can be inferred from these choices:")
        return
    if shown is not None:
        _show(context, shown)


def _show(context: PageContext, shown: ShownStudy) -> None:
    found = shown.report
    context.sheet.answer(plain_with_facts(found.answer))
    show_errors(shown)
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in found.verdict[1:]))
    st.caption(shown.note())
    show_inference(shown)
    show_closer(shown)
    show_statuses(shown)
