"""Practice items: chosen from the collection, with the right level and the reason."""

from typing import NamedTuple

import streamlit as st

from core.collection.records import FACETS, PAGE, SNIPPET
from core.errors import BadInput
from core.store.content.practice import (
    PracticeItem,
    add_practice_item,
    list_practice_items,
    read_candidates,
    remove_practice_item,
)
from core.store.content.scales import get_scales
from core.store.events.frames import read_topics
from core.wording import plain
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

_LONGEST = 1200
_MISSING = {
    SNIPPET: "No snippet of this topic is there. Import results, or choose the page.",
    PAGE: "No page of this topic is there. Import documents with text, and runs or results.",
}


class _Candidate(NamedTuple):
    document_id: str
    engine: str
    title: str
    shown: str


def show_practice(context: PageContext) -> None:
    """List the practice items and offer to add one."""
    st.markdown(
        "Assessors judge these first and are told the right level and why. Practice labels are "
        "kept apart; no analysis counts them. Leave this empty for no practice. Choose items that "
        "are in no pool: an assessor who has practised on an item knows its level."
    )
    _list_items(context)
    st.header("Add an item", anchor=False)
    topics = read_topics(context.store, context.collection_id)
    if topics.empty:
        st.info("Import topics first.")
        return
    queries = dict(zip(topics["topic_id"], topics["query"], strict=True))
    topic_id = st.selectbox("Topic", list(queries), format_func=lambda one: queries[one])
    facet = st.radio("What is judged", FACETS, horizontal=True)
    found = read_candidates(context.store, context.collection_id, topic_id, facet)
    if found.empty:
        st.info(_MISSING[facet])
        return
    candidates = [_Candidate(*row) for row in found[[*_Candidate._fields]].itertuples(index=False)]
    chosen = st.selectbox("Item", candidates, format_func=_call)
    with st.container(border=True):
        st.text(chosen.shown[:_LONGEST])
    _ask_level(context, topic_id, facet, chosen)


def _call(one: _Candidate) -> str:
    return " · ".join(filter(None, (one.title, one.document_id, one.engine)))


def _ask_level(context: PageContext, topic_id: str, facet: str, chosen: _Candidate) -> None:
    scale = get_scales(context.store, context.collection_id)[facet]
    names = {one.level: plain(f"{one.name}: {one.meaning}".removesuffix(": ")) for one in scale}
    with st.form("practice", clear_on_submit=True):
        level = st.radio("The right level", list(names), format_func=names.get)
        why = st.text_input("Why, in one line")
        pressed = st.form_submit_button("Add")
    if not pressed:
        return
    item = PracticeItem(topic_id, chosen.document_id, facet, chosen.engine, level, why.strip())
    try:
        add_practice_item(context.store, context.collection_id, item, by=context.person_id)
    except BadInput as error:
        refuse(error, "The item was not added.")
        return
    finish("The practice item is added.")


def _list_items(context: PageContext) -> None:
    scales = get_scales(context.store, context.collection_id)
    names = {(facet, one.level): one.name for facet in scales for one in scales[facet]}
    for item in list_practice_items(context.store, context.collection_id):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            level = names.get((item.facet, item.level), str(item.level))
            where = " · ".join(filter(None, (item.topic_id, item.document_id, item.engine)))
            st.markdown(f"{item.facet.capitalize()} {plain(where)}: **{plain(level)}**")
            st.markdown(plain(item.why))
            if st.button("Remove", key=f"remove-{item}", icon=":material/delete:"):
                remove_practice_item(
                    context.store, context.collection_id, item, by=context.person_id
                )
                finish("The practice item is removed.")
