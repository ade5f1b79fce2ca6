"""The organiser's page about a collection: what it holds, its files, texts and scales.

Which reasons assessors can give when they say which of two is better.
"""

from functools import partial

import streamlit as st

from core.errors import BadInput
from core.store.content.collections import close_collection
from core.store.events.preference_reasons import (
    LONGEST_REASON,
    MOST_REASONS,
    USUAL_REASONS,
    list_reason_choices,
    set_reason_choices,
)
from core.wording import count
from pages.collection.aspects_form import edit_aspects, edit_scales
from pages.collection.contents import answer_contents, show_contents
from pages.collection.declaration_form import edit_declaration
from pages.collection.import_form import show_import
from pages.collection.practice_form import show_practice
from pages.collection.texts_form import CREATED, create_new, edit_texts
from pages.shared.notice import begin, finish
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
from pages.shared.wording import refuse

IMPORT = "Import"
PURPOSE = "A collection is what is judged: topics, documents, what systems returned, and labels."


@page("collection", "Collection", "Contents", "organiser")
def draw(context: PageContext) -> None:
    """Show the parts of a collection, or how to make the first one."""
    begin(context, PURPOSE)
    if not context.collection_id:
        st.info("This store is empty. Begin with a name; files come next, then people.")
        create_new(context)
        return
    if st.session_state.pop(CREATED, False):
        st.session_state["collection-part"] = IMPORT
    parts = {title: partial(_draw_part, context, title) for title in PARTS}
    show_parts("collection-part", parts)


def _draw_part(context: PageContext, title: str) -> None:
    if title != IMPORT:  # it has an answer of its own: what the files hold
        answer_contents(context)
    PARTS[title](context)


def _show_contents(context: PageContext) -> None:
    show_contents(context)
    st.divider()
    _offer_closing(context)


def _offer_closing(context: PageContext) -> None:
    closed = context.collection.closed_at is not None
    st.caption(
        "Assessors cannot judge in a closed collection. Everything stays, and you can reopen it."
    )
    if st.button("Reopen this collection" if closed else "Close this collection"):
        close_collection(
            context.store, context.collection_id, closed=not closed, by=context.person_id
        )
        finish("The collection is open again." if closed else "The collection is closed.")


def _edit_scales(context: PageContext) -> None:
    edit_scales(context)
    edit_aspects(context)


def _edit_reasons(context: PageContext) -> None:
    """Show the reasons that are offered, or usual ones, and save what is changed."""
    chosen = list_reason_choices(context.store, context.collection_id)
    st.markdown(
        "Where two things stand side by side, assessors can say why one is better: they choose one "
        "or more reasons below the choices, by click or Shift and a digit. Nobody has to. Reasons "
        "are stored with the preference; *Agreement*, *Preferences* counts them by winner."
    )
    if not chosen:
        st.info("No reasons are offered now. These are usual ones; save them to offer them.")
    with st.form(f"reasons-{context.collection_id}"):
        text = st.text_area(
            "Reasons, one a line",
            "\n".join(chosen or USUAL_REASONS),
            height=240,
            help=f"At most {MOST_REASONS}, of at most {LONGEST_REASON} characters each.",
        )
        pressed = st.form_submit_button("Offer these reasons", type="primary")
    if pressed:
        _save_reasons(context, text.splitlines())
    if chosen and st.button("Offer none"):
        _save_reasons(context, [])


def _save_reasons(context: PageContext, reasons: list[str]) -> None:
    try:
        set_reason_choices(context.store, context.collection_id, reasons, by=context.person_id)
    except BadInput as error:
        refuse(error, "The reasons were not changed.")
        return
    now = list_reason_choices(context.store, context.collection_id)
    finish(f"{count(len(now), 'reason')} can be chosen now." if now else "No reasons are offered.")


PARTS = {
    "Contents": _show_contents,
    IMPORT: show_import,
    "Declared": edit_declaration,
    "Texts": edit_texts,
    "Scales": _edit_scales,
    "Practice": show_practice,
    "Reasons": _edit_reasons,
    "New collection": create_new,
}
