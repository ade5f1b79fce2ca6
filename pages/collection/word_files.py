"""Questions with their answers, and the versions of the guidelines, as files."""

from collections.abc import Callable

import streamlit as st

from core.collection.words_export import write_guidelines_csv, write_questions_csv
from core.store.content.guidelines import list_versions, read_versions
from core.store.events.questions import read_words
from core.store.people.pseudonyms import hide_assessors
from core.store.store import Store
from pages.collection.label_files import file_name
from pages.shared.session import PageContext, while_signed_in


def offer_words(context: PageContext) -> None:
    """Offer questions and guidelines as CSV, each where there is something."""
    asked = not read_words(context.store, context.collection_id).empty
    has_guidelines = bool(list_versions(context.store, context.collection_id))
    if not asked and not has_guidelines:
        return
    st.header("Questions and guidelines", anchor=False)
    st.markdown(
        "What assessors asked with what was said to them, and every version of the guidelines. A "
        "label was given under the latest version whose *after_sequence* is below the label's "
        "*sequence*. People appear as codes, texts are as people wrote them."
    )
    names = st.checkbox("With ids and names", key="export-word-names")
    with st.container(horizontal=True):
        if asked:
            _offer(context, "Questions", lambda: questions_csv(*_place(context), names=names))
        if has_guidelines:
            _offer(context, "Guidelines", lambda: guidelines_csv(*_place(context), names=names))


def questions_csv(store: Store, collection_id: str, *, names: bool) -> bytes:
    """Return questions, answers and announcements as CSV."""
    words = read_words(store, collection_id)
    if not names:
        words = hide_assessors(store, collection_id, words).drop(columns="name")
    return write_questions_csv(words)


def guidelines_csv(store: Store, collection_id: str, *, names: bool) -> bytes:
    """Return the versions of the guidelines as CSV."""
    versions = read_versions(store, collection_id)
    return write_guidelines_csv(
        versions if names else hide_assessors(store, collection_id, versions)
    )


def _place(context: PageContext) -> tuple[Store, str]:
    return context.store, context.collection_id


def _offer(context: PageContext, title: str, make: Callable[[], bytes]) -> None:
    st.download_button(
        title,
        data=while_signed_in(make),
        file_name=file_name(context, f"{title}.csv"),
        mime="text/csv",
        on_click="ignore",
    )
