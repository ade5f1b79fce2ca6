"""One item in Streamlit's own elements: a snippet, or a page in its sandbox."""

from collections.abc import Mapping

import streamlit as st

from core.collection.records import Level
from pages.api.page import page_address
from pages.shared.session import Visit
from pages.shared.wording import plain

FRAME_HEIGHT = 480


def word_level(level: Level) -> str:
    """Return a level's name, and its meaning where it has one, for Markdown."""
    return plain(f"{level.name}: {level.meaning}" if level.meaning else level.name)


def show_item(
    visit: Visit, document_id: str, document: Mapping[str, str], query: str, snippet: str | None
) -> None:
    """Show title and url, and below them the snippet, or the page where there is none."""
    with st.container(border=True):
        if head := "\n".join(filter(None, (document["title"], document["url"]))):
            st.text(head)
        if snippet is not None:
            st.text(snippet)
        elif document["html"]:
            address = page_address(visit.collection_id, document_id, query)
            st.iframe(address, height=FRAME_HEIGHT)
        else:
            st.text(document["text"] or "")
