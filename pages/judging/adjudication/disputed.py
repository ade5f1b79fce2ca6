"""One item on which assessors disagree: what they saw, and what everyone said of it."""

from html import escape

import pandas as pd
import streamlit as st

from core.analysis.agreement.between_assessors import ITEM
from core.analysis.base.study import labels_of, results_of, scales_of, topics_of
from core.collection.records import SNIPPET
from core.store.content.documents import get_document
from core.wording import plain
from pages.shared.addresses import page_address
from pages.shared.session import PageContext
from pages.shared.table import draw_table

HEIGHT = 420


def show_item(context: PageContext, item: pd.Series) -> None:
    """Show the information need and the snippet or page as the assessors saw it."""
    topics = topics_of(context.study).set_index("topic_id")
    topic = topics.loc[item["topic_id"]].to_dict() if item["topic_id"] in topics.index else {}
    st.header(plain(topic.get("query", item["topic_id"])), anchor=False)
    if need := "\n\n".join(filter(None, (topic.get("description"), topic.get("narrative")))):
        st.text(need)
    document = get_document(context.store, context.collection_id, item["document_id"])
    with st.container(border=True):
        st.text("\n".join(filter(None, (document["title"], document["url"], item["document_id"]))))
        if item["facet"] == SNIPPET:
            st.text(_snippet(context, item) or "No snippet is stored.")
        elif document["html"]:
            query = topic.get("query", "")
            address = page_address(
                context.collection_id, item["document_id"], query, context.session_id
            )
            st.iframe(address, height=HEIGHT)
        else:
            st.html(_TEXT.format(escape(document["text"] or "No text of this page is stored.")))


_TEXT = (
    '<div role="region" aria-label="Text of the page" tabindex="0" style="max-height: 26rem; '
    'overflow-y: auto; white-space: pre-wrap; overflow-wrap: anywhere" dir="auto">{}</div>'
)
"""It scrolls by keyboard, too, which a container of Streamlit does not."""


def show_labels(context: PageContext, item: pd.Series) -> None:
    """List what everyone said of an item, with their comments."""
    labels = labels_of(context.study)
    mine = (labels[ITEM] == item[ITEM]).all(axis=1) & (labels["occasion"] == 0)
    labels = labels[mine].sort_values("level", ascending=False, kind="stable")
    names = {one.level: one.name for one in scales_of(context.study)[item["facet"]]}
    levels = labels["given_level"].map(names).where(labels["state"] == "level", labels["state"])
    draw_table(
        pd.DataFrame(
            {
                "assessor": labels["assessor"].mask(
                    labels["assessor"] == "", labels["assessor_id"]
                ),
                "level": levels,
                "comment": labels["comment"],
                "group": labels["group"],
            }
        )
    )


def _snippet(context: PageContext, item: pd.Series) -> str:
    results = results_of(context.study)
    found = results[(results[["topic_id", "document_id", "engine"]] == item[
        ["topic_id", "document_id", "engine"]]).all(axis=1)]  # fmt: skip
    return "" if found.empty else str(found["snippet"].iloc[0])
