"""The click logs of a collection: what each holds, how its queries became topics, its end."""

from typing import Any

import streamlit as st

from core.analysis.base.wording import count, plain
from core.analysis.clicks.query_topics import JoinedLog, join_log
from core.store.clicks.click_logs import delete_click_log, list_click_logs, read_malformed
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.table import draw_table

_SHOWN = ["name", "sessions", "pages", "clicks", "queries", "depth", "malformed", "imported_at"]
_MOST = 200


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
    told = (
        f"**{topics:,}** of {count(counts['queries'], 'query is', 'queries are')} topics of this "
        f"collection: {counts['by_id']:,} by id, {counts['by_text']:,} by text."
    )
    if several:
        told += f" {count(several, 'query is', 'queries are')} the text of several topics."
    known = counts["documents"] - counts["unknown_documents"]
    told += (
        f" **{known:,}** of {count(counts['documents'], 'document')} shown are in it. What is not "
        "known stays in the log."
    )
    return told
