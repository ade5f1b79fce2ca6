"""The assessor's page: one item after the other, by keyboard."""

from pathlib import Path

import streamlit as st

from core.analysis.judging.deadlines import tell_assessor
from core.assessment.next_assignment import next_assignment
from core.assessment.qualifying import read_standing
from core.store.rounds.lessons import lesson_of
from core.store.store import utc_now
from pages.judge.assignment import component_data
from pages.judge.class_view import follow_class, show_own, tell_waiting
from pages.judge.component import judge_component
from pages.judge.plain import judge_plainly
from pages.shared.consent import ask_consent
from pages.shared.page import page
from pages.shared.session import PageContext

_AROUND = Path(__file__).parent / "screen" / "styles" / "around.css"


@page("judge", "Judge", "Judge", "assessor", headed=False)
def draw(context: PageContext) -> None:
    """Hand out what is next and show it."""
    if stop := _stopped(context):
        st.title("Judge")
        st.info(stop)
        return
    if ask_consent(context):
        return
    lesson = lesson_of(context.store, context.collection_id)
    if lesson is not None:
        follow_class(context, lesson)
        if lesson.revealed_at is not None:
            show_own(context)
            return
    handed_out = next_assignment(context.store, context.collection_id, context.person_id)
    if handed_out is None:
        if lesson is not None:
            tell_waiting()
            return
        st.title("Judge")
        if barred := _barred(context):
            st.info(barred)
            return
        st.success(
            "There is nothing for you to judge now. Your judgements are saved; you can see and "
            "change them under *History*. New work appears here when the organiser adds it."
        )
        st.button("Look again", icon=":material/refresh:")
        return
    assignment, content = handed_out
    if due := tell_assessor(assignment.rules, utc_now()):
        st.caption(due)
    plain = st.sidebar.toggle(
        "Plain buttons",
        help="Judge with ordinary buttons, one request for each. Use this if the judging screen "
        "does not work in your browser.",
    )
    if plain:
        judge_plainly(context, assignment, content)
        return
    st.html(_AROUND)
    judge_component(
        component_data(context.store, context.collection, assignment, content, context.session_id),
        key=f"judge-{context.collection_id}",
    )


def _barred(context: PageContext) -> str:
    """Return what somebody is told who is below the mark of the qualifying test, or nothing."""
    standing = read_standing(context.store, context.collection_id, context.person_id)
    if not standing.is_barred:
        return ""
    return (
        f"Thank you for the test. {standing.right} of your {standing.items} answers are as set by "
        f"the organiser, and {standing.needed} are asked for. The organiser sees this, and can "
        "still let you in."
    )


def _stopped(context: PageContext) -> str:
    """Return why nothing is handed out here at all, or nothing."""
    if not context.collection_id:
        return "You are not an assessor of any collection now. The organiser can add you to one."
    if context.collection.closed_at:
        return "This collection is closed. Thank you; what was saved is kept."
    return ""
