"""What a collection holds."""

import pandas as pd
import streamlit as st

from core.store.frames import count_contents, list_qrels, read_document_index
from pages.shared.live import results_of, runs_of, settled, topics_of
from pages.shared.session import Visit
from pages.shared.wording import count


def show_contents(visit: Visit) -> None:
    """Show the counts, then the topics and the systems."""
    store, collection_id = visit.store, visit.collection_id
    counts = count_contents(store, collection_id)
    with st.container(horizontal=True):
        for noun, number in counts.items():
            st.metric(noun.capitalize(), f"{number:,}", width=110)
    if not any(counts.values()):
        st.info("Nothing is here yet. Begin under *Import* with topics, documents and runs.")
        return
    _say_without_text(visit)
    if counts["topics"]:
        st.subheader("Topics", anchor=False)
        st.dataframe(without_empty(topics_of(visit)), hide_index=True)
    systems = settled(visit, _systems)
    if len(systems):
        st.subheader("Systems", anchor=False)
        st.dataframe(systems, hide_index=True)
    if counts["qrels"]:
        st.subheader("Imported qrels", anchor=False)
        st.dataframe(pd.DataFrame({"name": list_qrels(store, collection_id)}), hide_index=True)


def without_empty(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out the columns in which nothing stands."""
    return table.loc[:, ~(table.isna() | table.isin([""])).all()]


def _say_without_text(visit: Visit) -> None:
    documents = read_document_index(visit.store, visit.collection_id)
    if without := int((~documents["readable"]).sum()):
        st.caption(f"{count(without, 'document')} without a text: nobody can judge the page.")
    returned = pd.concat([runs_of(visit)["document_id"], results_of(visit)["document_id"]])
    if missing := len(set(returned) - set(documents["document_id"])):
        st.caption(
            f"The systems returned {count(missing, 'more document')} that no file of documents "
            "has described: nobody can judge those."
        )


def _systems(visit: Visit) -> pd.DataFrame:
    snippets = results_of(visit).groupby("engine").size()
    table = (
        runs_of(visit)
        .groupby("system")
        .agg(topics=("topic_id", "nunique"), lines=("document_id", "size"), deepest=("rank", "max"))
    )
    return table.assign(snippets=snippets).fillna({"snippets": 0}).astype("int64").reset_index()
