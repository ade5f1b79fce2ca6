"""Class mode: students join by a link, and their agreement moves on the lecturer's screen.

The classes that have ended, side by side.
"""

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.analysis.learn.lesson import agreement_of, count_students, query_of
from core.assessment.class_mode import ITEMS, end_lesson, restart_lesson
from core.language.translate import speaking, t
from core.store.content.collections import get_collection
from core.store.rounds.lessons import Lesson, current_lesson, list_lessons, reveal, stop_joining
from pages.learn.class_screen import show_screen
from pages.learn.class_start import ask_start
from pages.learn.projector import is_on, project, turn_off, turn_on
from pages.learn.steps import number
from pages.shared.figure import show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext, look_at

PURPOSE = (
    f"All students judge the same pages, {ITEMS} at most, on their own devices. On a projector the "
    "class joins, judges, and sees page by page where it disagrees, and why."
)


@page("class-mode", "Learn", "Class", "organiser", headed=False)
def draw(context: PageContext) -> None:
    """Start a class, or show the one that is on."""
    lesson = current_lesson(context.store)
    if lesson is None:
        turn_off()
        st.title("Class")
        st.markdown(PURPOSE)
        if started := ask_start(context):
            _go_to(started)
        show_past(context)
        return
    room = replace(context, collection_id=lesson.collection_id)
    keep_fresh(room)
    with speaking(room.study.collection.language):
        if is_on():
            project(room, lesson)
            return
        _offer_projector(context, lesson)
        show_screen(room, lesson)
        _offer_changes(context, lesson)
    show_past(context)


def _offer_projector(context: PageContext, lesson: Lesson) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            t("Show on a projector"),
            type="primary",
            icon=":material/slideshow:",
            on_click=turn_on,
            help=t(
                "Join, judge, reveal and summary, one after the other, without the navigation. "
                "Space or → goes on, ← back, f fills the screen, d discusses a page, Esc leaves."
            ),
        )
        if lesson.revealed_at is not None:
            st.caption(t("The labels are revealed: nobody judges any more."), width="content")
            if st.button(t("Let the class judge on")):
                reveal(context.store, lesson, revealed=False, by=context.person_id)
                st.rerun()


def _offer_changes(context: PageContext, lesson: Lesson) -> None:
    stopped = lesson.stopped_at is not None
    with st.container(horizontal=True):
        with st.popover(t("Reset for the next class"), icon=":material/restart_alt:"):
            st.markdown(
                t(
                    "This class ends: its students cannot judge any more, and its labels stay. A "
                    "new, empty class on the same pages begins, with a new address."
                )
            )
            if st.button(t("End it and begin anew"), type="primary"):
                _go_to(restart_lesson(context.store, lesson, by=context.person_id))
        if st.button(t("Reopen to new students") if stopped else t("Close to new students")):
            stop_joining(context.store, lesson, stopped=not stopped, by=context.person_id)
            st.rerun()
        with st.popover(t("End the class"), icon=":material/stop_circle:"):
            st.markdown(
                t("Nobody can join or judge any more. All labels are kept for the result pages.")
            )
            if st.button(t("End it"), type="primary"):
                end_lesson(context.store, lesson, by=context.person_id)
                st.rerun()


def _go_to(lesson: Lesson) -> None:
    """Look at the new class here and on all other pages."""
    look_at(lesson.collection_id)
    st.rerun()


def show_past(context: PageContext) -> None:
    """List the classes that have ended and were not empty."""
    ended = [
        one
        for one in list_lessons(context.store)
        if get_collection(context.store, one.collection_id).closed_at is not None
    ]
    rows = [row for row in (_row(context, one) for one in reversed(ended)) if row["students"]]
    if not rows:
        return
    with st.expander("Earlier classes"):
        show_table(
            pd.DataFrame(rows),
            "past-classes",
            "Classes that have ended. Linear weighted κ is pooled over all pairs of "
            "students, with a 95 % interval over the pages. *Told*: whether students knew what the "
            "query was meant to be. On all other pages, their collections have this name.",
            column_config={
                "started": st.column_config.DatetimeColumn("started (UTC)", format="D MMM, HH:mm"),
                "kappa": number("linear weighted κ"),
                "low": number("from"),
                "high": number("to"),
            },
        )


def _row(context: PageContext, lesson: Lesson) -> dict[str, object]:
    room = replace(context, collection_id=lesson.collection_id)
    query, description = query_of(room.study)
    counts, agreement = count_students(room.study), agreement_of(room.study)
    known = agreement.iloc[0] if len(agreement) else {"value": None, "low": None, "high": None}
    return {
        "class": lesson.number,
        "query": query,
        "told": bool(description),
        "started": lesson.started_at,
        "students": counts["students"],
        "labels": counts["labels"],
        "kappa": known["value"],
        "low": known["low"],
        "high": known["high"],
    }
