"""The assessor's page: one item after the other, by keyboard."""

import streamlit as st

from core.analysis.judging.deadlines import tell_assessor
from core.assessment.handing_out.assignment_content import AssignmentContent
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.handing_out.qualifying import TEST
from core.assessment.handing_out.queue import Assignment
from core.language.translate import t
from core.store.rounds.lessons import lesson_of
from core.store.store import utc_now
from pages.judge.again import show_again
from pages.judge.assignment import component_data, data_without_work
from pages.judge.class_view import follow_class, show_own, tell_waiting
from pages.judge.component import AROUND, judge_component
from pages.judge.plain import judge_plainly
from pages.judge.qualifying_result import repeat_test, rules_for_screen, show_result
from pages.judge.revealed_levels import show_revealed
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
    handed_out = handed_out or repeat_test(context)
    if handed_out is None and lesson is not None:
        tell_waiting()
        return
    plain = st.sidebar.toggle(
        t("Plain buttons"),
        help=t(
            "Judge with ordinary buttons, one request for each. Use this if the judging screen "
            "does not work in your browser."
        ),
    )
    if show_result(context, handed_out):
        return
    if handed_out and (due := tell_assessor(handed_out[0].rules, utc_now())):
        st.caption(due)
    if plain and show_revealed(context):
        return
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
        if handed_out[0].slot == TEST:
            data["test"] = rules_for_screen(context)
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


def _stopped(context: PageContext) -> str:
    """Return why nothing is handed out here at all, or nothing."""
    if not context.collection_id:
        return t("You are not an assessor of any collection now. The organiser can add you to one.")
    if context.collection.closed_at:
        return t("This collection is closed. Thank you; what was saved is kept.")
    return ""
