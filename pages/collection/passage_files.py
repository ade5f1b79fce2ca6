"""The passages that assessors marked, as a file."""

import streamlit as st

from core.collection.passages_export import write_passages_csv
from core.store.events.passages import read_passages
from core.store.people.pseudonyms import hide_assessors
from core.store.store import Store
from pages.collection.label_files import file_name
from pages.shared.session import PageContext, while_signed_in


def offer_passages(context: PageContext) -> None:
    """Offer the passages as CSV, where there are any."""
    place = context.store, context.collection_id
    if read_passages(*place).empty:
        return
    st.header("Passages", anchor=False)
    st.markdown(
        "What assessors marked as the passages that decided. *start* and *end* count Unicode code "
        "points of the snippet or the page's text, *text_hash* is the SHA-256 of that text. Where "
        "the collection holds another version of it, *quote* is empty."
    )
    names = st.checkbox("With ids and names", key="export-passage-names")
    st.download_button(
        "Passages",
        data=while_signed_in(lambda: passages_csv(*place, names=names)),
        file_name=file_name(context, "Passages.csv"),
        mime="text/csv",
        on_click="ignore",
    )


def passages_csv(store: Store, collection_id: str, *, names: bool) -> bytes:
    """Return the passages of the labels that stand as CSV."""
    passages = read_passages(store, collection_id)
    if not names:
        passages = hide_assessors(store, collection_id, passages).drop(columns="name")
    return write_passages_csv(passages)
