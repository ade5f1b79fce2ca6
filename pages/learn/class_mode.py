"""Class mode: students join by a link, and their agreement moves on the lecturer's screen."""

from dataclasses import replace

import streamlit as st

from core.assessment.class_mode import (
    ITEMS,
    MOST_STUDENTS,
    OPEN_FOR,
    end_lesson,
    list_class_topics,
    restart_lesson,
    start_lesson,
)
from core.store.rounds.lessons import Lesson, current_lesson, stop_joining
from pages.learn.class_screen import show_screen
from pages.learn.past_classes import show_past
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext, look_at

PURPOSE = (
    f"All students judge the same {ITEMS} pages on their own devices; how far they agree, and the "
    "weight that their disagreement gives to each level, are updated here as they judge."
)


@page("class-mode", "Learn", "Class", "organiser", headed=False)
def draw(context: PageContext) -> None:
    """Start a class, or show the one that is on."""
    lesson = current_lesson(context.store)
    if lesson is None:
        st.title("Class")
        st.markdown(PURPOSE)
        _ask_start(context)
    else:
        room = replace(context, collection_id=lesson.collection_id)
        keep_fresh(room)
        show_screen(room, lesson)
        _offer_changes(context, lesson)
    show_past(context)


def _ask_start(context: PageContext) -> None:
    topics = list_class_topics()
    queries = dict(zip(topics["topic_id"], topics["query"], strict=True))
    with st.form("start-class"):
        topic = st.selectbox("Query", list(queries), format_func=queries.__getitem__, width=300)
        described = st.toggle(
            "Tell students what the query is meant to be",
            help="Without it they see the query alone, which may mean several things. Judge once "
            "without and once with it, and compare the two.",
        )
        pressed = st.form_submit_button("Start a class", type="primary")
    hours = int(OPEN_FOR.total_seconds() // 3600)
    st.caption(
        f"This makes a new collection of {ITEMS} made-up pages. Up to {MOST_STUDENTS} students "
        f"join within {hours} hours, under nicknames; they see nobody's labels and no other "
        "collection. The screen is for a projector: it names neither students nor pages unless you "
        "ask it to."
    )
    if pressed:
        lesson = start_lesson(context.store, topic, described=described, by=context.person_id)
        _go_to(lesson)


def _offer_changes(context: PageContext, lesson: Lesson) -> None:
    stopped = lesson.stopped_at is not None
    with st.container(horizontal=True):
        with st.popover("Reset for the next class", icon=":material/restart_alt:"):
            st.markdown(
                "This class ends: its students cannot judge any more, and its labels stay. A new, "
                "empty class on the same query begins, with a new address."
            )
            if st.button("End it and begin anew", type="primary"):
                _go_to(restart_lesson(context.store, lesson, by=context.person_id))
        if st.button("Reopen to new students" if stopped else "Close to new students"):
            stop_joining(context.store, lesson, stopped=not stopped, by=context.person_id)
            st.rerun()
        with st.popover("End the class", icon=":material/stop_circle:"):
            st.markdown(
                "Nobody can join or judge any more. All labels are kept for the result pages."
            )
            if st.button("End it", type="primary"):
                end_lesson(context.store, lesson, by=context.person_id)
                st.rerun()


def _go_to(lesson: Lesson) -> None:
    """Look at the new class here and on all other pages."""
    look_at(lesson.collection_id)
    st.rerun()
