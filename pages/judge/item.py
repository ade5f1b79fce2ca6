"""One item in Streamlit's own elements: its text, in the same message as the buttons below it.

What is in a frame comes when it comes, or not at all, and nothing here can tell.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

import streamlit as st

from core.assessment.handing_out.assignment_content import Card
from core.collection.records import Level
from core.collection.topics_and_documents.page_text import read_page_text
from core.language.translate import t
from core.wording import plain
from pages.shared.addresses import page_address
from pages.shared.session import PageContext

FRAME_HEIGHT = 480


class Form(Enum):
    """How something is shown: whole as text, as the text of an HTML page, or in a frame."""

    TEXT = auto()
    TEXT_ONLY = auto()
    FRAME = auto()


def word_level(level: Level) -> str:
    """Return a level's name, and its meaning where it has one, for Markdown."""
    return plain(f"{level.name}: {level.meaning}" if level.meaning else level.name)


def show_pair(
    context: PageContext, sides: tuple[tuple[Card, ...], tuple[Card, ...]], query: str
) -> set[Form]:
    """Show what stands on the left beside what stands on the right; return how."""
    forms = set()
    for place, name, cards in zip(st.columns(2), (t("Left"), t("Right")), sides, strict=True):
        with place:
            st.caption(name)
            for card in cards:
                forms.add(show_item(context, card["document_id"], card, query, None))
    return forms


def show_item(
    context: PageContext,
    document_id: str,
    document: Mapping[str, Any],
    query: str,
    snippet: str | None,
) -> Form:
    """Show title and url, and below them the snippet, or the page where there is none.

    Of an HTML page that is its text, with a link to the page itself; a page without text, such as
    a picture, is shown in a frame. How it is shown is returned.
    """
    with st.container(border=True):
        if head := "\n".join(filter(None, (document["title"], document["url"]))):
            st.text(head)
        if snippet is not None:
            st.text(snippet)
            return Form.TEXT
        if not document["html"]:
            st.text(document["text"] or "")
            return Form.TEXT
        address = page_address(context.collection_id, document_id, query, context.session_id)
        text = read_page_text(document["html"])
        if text:
            st.text(text.replace("\n", "\n\n"))
        else:
            st.iframe(address, height=FRAME_HEIGHT)
        st.link_button(t("Open the page in a new tab"), address, icon=":material/open_in_new:")
        return Form.TEXT_ONLY if text else Form.FRAME
