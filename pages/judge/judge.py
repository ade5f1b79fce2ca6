"""The assessor's page: one item after the other, by keyboard."""

import streamlit as st

from core.analysis.judging.deadlines import tell_assessor
from core.assessment.assignment_content import AssignmentContent
from core.assessment.next_assignment import next_assignment
from core.assessment.qualifying import read_standing
from core.assessment.queue import Assignment
from core.language.translate import t
from core.store.rounds.lessons import lesson_of
from core.store.store import utc_now
from pages.judge.again import show_again
from pages.judge.assignment import component_data, data_without_work
from pages.judge.class_view import follow_class, show_own, tell_waiting
from pages.judge.component import AROUND, judge_component
from pages.judge.plain import judge_plainly
from pages.shared.consent import ask_consent
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext


@page("judge", "Judge", "Judge", "assessor", headed=False)
def draw(context: PageContext) -> None:
    """Hand out what is next and show it."""
    if stop := _stopped(context):
        st.title(t("Judge"))
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
    if show_again(context):
        return
    handed_out = next_assignment(context.store, context.collection_id, context.person_id)
    if handed_out is None and lesson is not None:
        tell_waiting()
        return
    if handed_out is None and (barred := _barred(context)):
        st.title(t("Judge"))
        st.info(barred)
        return
    if handed_out and (due := tell_assessor(handed_out[0].rules, utc_now())):
        st.caption(due)
    plain = st.sidebar.toggle(
        t("Plain buttons"),
        help=t(
            "Judge with ordinary buttons, one request for each. Use this if the judging screen "
            "does not work in your browser."
        ),
    )
    if plain and handed_out:
        judge_plainly(context, *handed_out)
    elif plain:
        _wait_for_work(context)
    else:
        _show_screen(context, handed_out)


def _show_screen(
    context: PageContext, handed_out: tuple[Assignment, AssignmentContent] | None
) -> None:
    """Show the judging screen; without work it says so, and asks again by itself."""
    offset = st.context.timezone_offset or 0
    if handed_out:
        data = component_data(
            context.store, context.collection, *handed_out, context.session_id, offset
        )
    else:
        data = data_without_work(
            context.store, context.collection, context.person_id, context.session_id, offset
        )
    st.html(AROUND)
    judge_component(data, key=f"judge-{context.collection_id}")


def _wait_for_work(context: PageContext) -> None:
    """Say that there is none, and look again when the collection has changed."""
    keep_fresh(context)
    st.title(t("Judge"))
    st.success(
        t(
            "There is nothing for you to judge now. Your judgements are saved; you can see and "
            "change them under *History*. New work appears here by itself."
        )
    )


def _barred(context: PageContext) -> str:
    """Return what somebody is told who is below the mark of the qualifying test, or nothing."""
    standing = read_standing(context.store, context.collection_id, context.person_id)
    if not standing.is_barred:
        return ""
    return t(
        "Thank you for the test. {right} of your {items} answers are as set by the organiser, and "
        "{needed} are asked for. The organiser sees this, and can still let you in.",
        right=standing.right,
        items=standing.items,
        needed=standing.needed,
    )


def _stopped(context: PageContext) -> str:
    """Return why nothing is handed out here at all, or nothing."""
    if not context.collection_id:
        return t("You are not an assessor of any collection now. The organiser can add you to one.")
    if context.collection.closed_at:
        return t("This collection is closed. Thank you; what was saved is kept.")
    return ""
