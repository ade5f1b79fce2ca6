"""Class mode: students join by a link, and their agreement moves on the lecturer's screen.

The classes that have ended, side by side.

Starting a class: on made-up pages, on the lecturer's own, or on a topic of a collection.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.analysis.learn.lesson import agreement_of, count_students, query_of
from core.assessment.class_mode import (
    ITEMS,
    MOST_STUDENTS,
    OPEN_FOR,
    end_lesson,
    list_class_topics,
    restart_lesson,
    split_pages,
    start_lesson,
    start_own_lesson,
    start_topic_lesson,
)
from core.language.translate import LANGUAGES, speaking, t
from core.store.content.collections import get_collection, list_collections
from core.store.events.frames import read_topics
from core.store.rounds.lessons import (
    Lesson,
    current_lesson,
    is_lesson,
    list_lessons,
    reveal,
    stop_joining,
)
from pages.learn.class_screen import show_screen
from pages.learn.projector import is_on, project, turn_off, turn_on
from pages.learn.worked_examples import number
from pages.shared.figure import show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext, asked_language, look_at

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


Start = Callable[[], Lesson]

_DESCRIBED = "Tell students what the query is meant to be"
_HELP = (
    "Without it they see the query alone, which may mean several things. Judge once without and "
    "once with it, and compare the two."
)


def ask_start(context: PageContext) -> Lesson | None:
    """Ask on what to judge; returns the class once it is started."""
    ways = _list_ways(context)
    chosen = st.segmented_control(
        "What to judge", list(ways), default=next(iter(ways)), required=True, key="class-source"
    )
    with st.form("start-class"):
        start = ways[str(chosen)](context)
        pressed = st.form_submit_button("Start a class", type="primary")
    hours = int(OPEN_FOR.total_seconds() // 3600)
    st.caption(
        f"This makes a new collection of up to {ITEMS} pages. Up to {MOST_STUDENTS} students join "
        f"within {hours} hours, under nicknames; until you reveal the labels they see nobody's, "
        "and no other collection."
    )
    if not pressed:
        return None
    with speaking(asked_language()):  # what is wrong with it is said as the browser wishes
        return start()


def _list_ways(context: PageContext) -> Mapping[str, Callable[[PageContext], Start]]:
    ways = {"Made-up pages": _ask_sample, "My own pages": _ask_own}
    return ways | ({"A topic of a collection": _ask_topic} if _list_topics(context) else {})


def _ask_sample(context: PageContext) -> Start:
    topics = list_class_topics()
    queries = dict(zip(topics["topic_id"], topics["query"], strict=True))
    topic = st.selectbox("Query", list(queries), format_func=queries.__getitem__, width=300)
    described = st.toggle(_DESCRIBED, help=_HELP)
    language = _ask_language()
    return lambda: start_lesson(
        context.store, topic, described=described, language=language, by=context.person_id
    )


def _ask_own(context: PageContext) -> Start:
    query = st.text_input("Query", key="class-query", width=400)
    description = st.text_input(
        "What students are told it is meant to be, if anything", key="class-told", help=_HELP
    )
    pages = st.text_area(
        f"Pages, up to {ITEMS}",
        key="class-pages",
        height=300,
        help="The first line of each page is its title.",
        placeholder="The title of the first page\nIts text …\n---\nThe title of the second page\n"
        "Its text …",
    )
    st.caption(
        "Between two pages put a line of three dashes; without any such line an empty line ends a "
        "page."
    )
    language = _ask_language()
    return lambda: start_own_lesson(
        context.store,
        query,
        split_pages(pages),
        description=description,
        language=language,
        by=context.person_id,
    )


def _ask_language() -> str:
    return st.selectbox(
        "Language of the class",
        list(LANGUAGES),
        index=list(LANGUAGES).index(asked_language()),
        format_func=LANGUAGES.__getitem__,
        key="class-language",
        width=300,
        help="What students read around the pages, the levels, and what is on the projector. A "
        "class on a topic of a collection has the collection's language and levels.",
    )


def _ask_topic(context: PageContext) -> Start:
    topics = _list_topics(context)
    chosen = st.selectbox(
        "Topic", list(topics), format_func=topics.__getitem__, key="class-topic", width=500
    )
    described = st.toggle(_DESCRIBED, help=_HELP, key="class-topic-told")
    return lambda: start_topic_lesson(
        context.store, *chosen, described=described, by=context.person_id
    )


def _list_topics(context: PageContext) -> dict[tuple[str, str], str]:
    """Return the queries of all collections but those of classes, by collection and topic."""
    return {
        (one.collection_id, str(topic)): f"{query} ({one.name})"
        for one in list_collections(context.store)
        if not is_lesson(context.store, one.collection_id)
        for topic, query in read_topics(context.store, one.collection_id)[
            ["topic_id", "query"]
        ].itertuples(index=False)
    }
