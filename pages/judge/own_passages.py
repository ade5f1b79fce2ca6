"""The passages that somebody marked with a label of their own."""

import streamlit as st

from core.language.translate import t
from core.store.events.labels import Key
from core.store.events.marked import hash_text
from core.store.events.passages import find_marked, text_of
from pages.shared.session import PageContext


def show_own_passages(context: PageContext, key: Key) -> None:
    """Quote what was marked with the label that stands, if anything was."""
    label = context.store.labels.current(context.collection_id, context.person_id)[key]
    marked = find_marked(context.store, [label.event_id]).get(label.event_id)
    if marked is None:
        return
    st.caption(t("Passages you marked"))
    text = text_of(context.store, context.collection_id, key) or ""
    if hash_text(text) != marked.text_hash:
        st.text(t("What you marked is in another version of this text."))
        return
    for start, end in marked.spans:
        st.text(f"“{text[start:end]}”")
