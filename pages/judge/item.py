"""One item in Streamlit's own elements: a snippet, or a page in its sandbox."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.analysis.base.wording import plain
from core.assessment.handing_out.assignment_content import Card
from core.collection.records import Level
from core.language.translate import t
from pages.shared.page_address import page_address
from pages.shared.session import PageContext

FRAME_HEIGHT = 480


def word_level(level: Level) -> str:
    """Return a level's name, and its meaning where it has one, for Markdown."""
    return plain(f"{level.name}: {level.meaning}" if level.meaning else level.name)


def show_pair(
    context: PageContext, sides: tuple[tuple[Card, ...], tuple[Card, ...]], query: str
) -> None:
    """Show what stands on the left beside what stands on the right."""
    for place, name, cards in zip(st.columns(2), (t("Left"), t("Right")), sides, strict=True):
        with place:
            st.caption(name)
            for card in cards:
                show_item(context, card["document_id"], card, query, None)


def show_item(
    context: PageContext,
    document_id: str,
    document: Mapping[str, Any],
    query: str,
    snippet: str | None,
) -> None:
    """Show title and url, and below them the snippet, or the page where there is none."""
    with st.container(border=True):
        if head := "\n".join(filter(None, (document["title"], document["url"]))):
            st.text(head)
        if snippet is not None:
            st.text(snippet)
        elif document["html"]:
            address = page_address(context.collection_id, document_id, query, context.session_id)
            st.iframe(address, height=FRAME_HEIGHT)
        else:
            st.text(document["text"] or "")
