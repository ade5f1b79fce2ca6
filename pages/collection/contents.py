"""What a collection holds.

The click logs of a collection: what each holds, how its queries became topics, its end.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.base.study import (
    Study,
    results_of,
    runs_of,
    stands_apart_from_labels,
    topics_of,
)
from core.analysis.clicks.query_topics import JoinedLog, join_log
from core.store.clicks.click_logs import delete_click_log, list_click_logs, read_malformed
from core.store.events.frames import count_contents, list_qrels, read_document_index
from core.wording import count, plain
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.table import draw_table

_SHOWN = ["name", "sessions", "pages", "clicks", "queries", "depth", "malformed", "imported_at"]
_MOST = 200


def answer_contents(context: PageContext) -> None:
    """Say at the top of the page what there is."""
    counts = count_contents(context.store, context.collection_id)
    context.sheet.answer(describe_contents(counts))


def show_contents(context: PageContext) -> None:
    """Show the topics and the systems."""
    store, collection_id = context.store, context.collection_id
    counts = count_contents(store, collection_id)
    if not any(counts.values()):
        st.info("Begin under *Import* with topics and runs.")
        return
    _say_without_text(context)
    if counts["topics"]:
        st.header("Topics", anchor=False)
        draw_table(without_empty(topics_of(context.study)))
    systems = systems_of(context.study)
    if len(systems):
        st.header("Systems", anchor=False)
        draw_table(systems)
    if counts["click logs"]:
        show_click_logs(context)
    if counts["qrels"]:
        st.header("Imported qrels", anchor=False)
        draw_table(pd.DataFrame({"name": list_qrels(store, collection_id)}))


def describe_contents(counts: Mapping[str, int]) -> str:
    """Return in words how many there are of each; what there is none of is left out."""
    parts = [
        f"**{number:,}** {noun.removesuffix('s') if number == 1 and noun != 'qrels' else noun}"
        for noun, number in counts.items()
        if number
    ]
    return f"Holds {', '.join(parts) or 'nothing yet'}."


def without_empty(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out the columns in which nothing stands."""
    return table.loc[:, ~(table.isna() | table.isin([""])).all()]


def _say_without_text(context: PageContext) -> None:
    documents = read_document_index(context.store, context.collection_id)
    if without := int((~documents["readable"]).sum()):
        st.caption(f"{count(without, 'document')} without text: nobody can judge the page.")
    found = (runs_of(context.study), results_of(context.study))
    returned = {one for table in found for one in table["document_id"].unique()}
    if missing := len(returned - set(documents["document_id"])):
        st.caption(
            f"The systems returned {count(missing, 'more document')} that are in no file of "
            "documents: nobody can judge those."
        )


def show_click_logs(context: PageContext) -> None:
    """Show the logs, and for each how it joins the collection."""
    logs = list_click_logs(context.store, context.collection_id)
    st.header("Click logs", anchor=False)
    draw_table(logs[_SHOWN], column_config={"imported_at": "imported at"})
    for name in logs["name"]:
        with st.expander(f"{plain(name)}: queries, documents, malformed sessions"):
            _show_joined(context, name)


def _show_joined(context: PageContext, name: str) -> None:
    here = (context.store, context.collection_id)
    joined: JoinedLog = context.store.remember(
        ("joined click log", context.collection_id, name), lambda: join_log(*here, name)
    )
    st.markdown(describe_joined(joined.count()))
    queries = joined.queries
    draw_table(queries.head(_MOST))
    if len(queries) > _MOST:
        st.caption(f"The first {_MOST} of {count(len(queries), 'query', 'queries')}.")
    malformed = read_malformed(*here, name)
    if len(malformed):
        st.caption("Sessions that were left out when it was imported, with their first lines:")
        draw_table(malformed)
    with st.popover("Delete", icon=":material/delete:"):
        st.markdown("The log is deleted for good. The history says what it held.")
        if st.button("Delete this log", key=f"delete-log-{name}"):
            delete_click_log(*here, name, by=context.person_id)
            finish("The click log is deleted.")


def describe_joined(counts: dict[str, Any]) -> str:
    """Return in words how many queries are topics, and how many documents are known."""
    topics = counts["by_id"] + counts["by_text"]
    several = counts["ambiguous"]
    sentence = (
        f"**{topics:,}** of {count(counts['queries'], 'query is', 'queries are')} topics of this "
        f"collection: {counts['by_id']:,} by id, {counts['by_text']:,} by text."
    )
    if several:
        sentence += f" {count(several, 'query is', 'queries are')} the text of several topics."
    known = counts["documents"] - counts["unknown_documents"]
    sentence += (
        f" **{known:,}** of {count(counts['documents'], 'document')} shown are in it. What is not "
        "known stays in the log."
    )
    return sentence


@stands_apart_from_labels
def systems_of(study: Study) -> pd.DataFrame:
    """Return ``system, topics, lines, deepest, snippets``, a row for each system."""
    snippets = results_of(study).groupby("engine").size()
    by_system = runs_of(study).groupby("system", observed=True)
    table = by_system.agg(
        topics=("topic_id", "nunique"), lines=("document_id", "size"), deepest=("rank", "max")
    )
    table.index = table.index.astype("str")
    return table.assign(snippets=snippets).fillna({"snippets": 0}).astype("int64").reset_index()
