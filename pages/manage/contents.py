"""What a collection holds."""

import pandas as pd
import streamlit as st

from core.store.frames import (
    count_contents,
    list_qrels,
    read_document_index,
    read_results,
    read_runs,
    read_topics,
)
from core.store.store import Store
from pages.manage.wording import count
from pages.shared.session import Visit


def show_contents(visit: Visit) -> None:
    """Show the counts, then the topics and the systems."""
    store, collection_id = visit.store, visit.collection_id
    counts = count_contents(store, collection_id)
    with st.container(horizontal=True):
        for noun, number in counts.items():
            st.metric(noun.capitalize(), f"{number:,}", width=130)
    if not any(counts.values()):
        st.info("Nothing is here yet. Begin under *Import* with topics, documents and runs.")
        return
    without = int((~read_document_index(store, collection_id)["readable"]).sum())
    if without:
        st.caption(f"{count(without, 'document')} without a text: nobody can judge the page.")
    if counts["topics"]:
        st.subheader("Topics", anchor=False)
        st.dataframe(read_topics(store, collection_id), hide_index=True)
    systems = _systems(store, collection_id, store.state(collection_id)[1])
    if len(systems):
        st.subheader("Systems", anchor=False)
        st.dataframe(systems, hide_index=True)
    if counts["qrels"]:
        st.subheader("Imported qrels", anchor=False)
        st.dataframe(pd.DataFrame({"name": list_qrels(store, collection_id)}), hide_index=True)


@st.cache_data(show_spinner=False, max_entries=20, hash_funcs={Store: lambda store: store.path})
def _systems(store: Store, collection_id: str, changes: int) -> pd.DataFrame:
    runs = read_runs(store, collection_id)
    results = read_results(store, collection_id).rename(columns={"engine": "system"})
    snippets = results.groupby("system").size()
    table = runs.groupby("system").agg(
        topics=("topic_id", "nunique"), lines=("document_id", "size"), deepest=("rank", "max")
    )
    return table.assign(snippets=snippets).fillna({"snippets": 0}).astype("int64").reset_index()
