"""Starting a class: on made-up pages, on the lecturer's own, or on a topic of a collection."""

from collections.abc import Callable, Mapping

import streamlit as st

from core.assessment.class_mode import (
    ITEMS,
    MOST_STUDENTS,
    OPEN_FOR,
    list_class_topics,
    split_pages,
    start_lesson,
    start_own_lesson,
    start_topic_lesson,
)
from core.language.translate import LANGUAGES, speaking
from core.store.content.collections import list_collections
from core.store.events.frames import read_topics
from core.store.rounds.lessons import Lesson, is_lesson
from pages.shared.session import PageContext, asked_language

Start = Callable[[], Lesson]

_TOLD = "Tell students what the query is meant to be"
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
    described = st.toggle(_TOLD, help=_HELP)
    language = _ask_language()
    return lambda: start_lesson(
        context.store, topic, described=described, language=language, by=context.person_id
    )


def _ask_own(context: PageContext) -> Start:
    query = st.text_input("Query", key="class-query", width=400)
    told = st.text_input(
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
        description=told,
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
    described = st.toggle(_TOLD, help=_HELP, key="class-topic-told")
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
