"""Asking somebody for consent to the use of their data, and letting them change the answer."""

import streamlit as st

from core.language.translate import t
from core.store.people.consent import (
    NO,
    NOT_ASKED,
    YES,
    answer_consent,
    get_consent_text,
    read_consent,
)
from core.wording import plain
from pages.shared.session import PageContext


def ask_consent(context: PageContext) -> bool:
    """Ask whoever judges here and has not answered yet; tells whether it asks."""
    text = get_consent_text(context.store, context.collection_id)
    if not text or _answer(context) != NOT_ASKED:
        return False
    st.title(t("Before you begin"))
    st.text(text)
    st.caption(t("You can judge either way, and change your answer under *Account* at any time."))
    with st.container(horizontal=True):
        if st.button(t("I agree"), type="primary"):
            _take(context, given=True)
        if st.button(t("I do not agree")):
            _take(context, given=False)
    return True


def change_consent(context: PageContext) -> None:
    """Show an assessor what they answered in the collection in view, and take another answer."""
    is_assessor = context.person is not None and context.person.role == "assessor"
    text = get_consent_text(context.store, context.collection_id) if is_assessor else ""
    if not text:
        return
    answer = _answer(context)
    st.header(t("Consent, {collection}", collection=plain(context.collection.name)), anchor=False)
    st.text(text)
    st.markdown(t("Your answer: **{answer}**.", answer=_word(answer)))
    with st.container(horizontal=True):
        if answer != YES and st.button(t("I agree")):
            _take(context, given=True)
        if answer != NO and st.button(t("I do not agree")):
            _take(context, given=False)


def _answer(context: PageContext) -> str:
    return read_consent(context.store, context.collection_id, context.person_id)


def _word(answer: str) -> str:
    return {YES: t("yes"), NO: t("no")}.get(answer, t("not asked"))


def _take(context: PageContext, *, given: bool) -> None:
    answer_consent(context.store, context.collection_id, context.person_id, given=given)
    st.rerun()
