"""Words with the organiser in Streamlit's own elements: a question, and what is told."""

import uuid
from typing import Any

import streamlit as st

from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.blinding import engine_code
from core.assessment.handing_out.queue import Assignment
from core.assessment.intake.judging import grant_of
from core.assessment.intake.questions import LONGEST_QUESTION
from core.language.translate import t
from core.wording import plain
from pages.shared.intake import accept_question, mark_read, read_board
from pages.shared.session import PageContext

_SAID = "plain-words-said"
"""What a session remembers to say of the question that was sent."""


def show_words(context: PageContext, assignment: Assignment, step: Step) -> None:
    """Offer to ask about an item, and list answers and announcements; what is new is open."""
    board = read_board(context.collection_id, context.person_id)
    unread = [one["id"] for one in board["notices"] if one["unread"]]
    name = t("Questions and notices")
    label = f"{name} ({t('{n} new', n=len(unread))})" if unread else name
    said = st.session_state.pop(_SAID, "")
    with st.expander(label, expanded=bool(unread or said)):
        if said:
            st.info(plain(said))
        with st.form(f"ask-{step}", border=False):
            st.text_area(
                t("Ask the organiser about this item"),
                key=_field(step),
                max_chars=LONGEST_QUESTION,
            )
            st.form_submit_button(t("Send"), on_click=_send, args=(context, assignment, step))
        _list(board)
    if unread:
        mark_read(context.collection_id, context.person_id, unread)


def _field(step: Step) -> str:
    return f"question-{step}"


def _send(context: PageContext, assignment: Assignment, step: Step) -> None:
    """Store the question; its text stays where it is not accepted."""
    text = str(st.session_state.get(_field(step), "")).strip()
    if not text:
        return
    key = step.key(assignment.assessor_id)
    event = {
        "event_id": str(uuid.uuid4()),
        "topic": key.topic_id,
        "document": key.document_id,
        "facet": key.facet,
        "engine": engine_code(context.store.secret, key),
        "occasion": key.occasion,
        "text": text,
    }
    ack = accept_question(grant_of(assignment), event)
    if ack["status"] == "refused":
        said = t("Your question was not accepted: {reason}", reason=ack["reason"])
    else:
        said = t("Your question goes to the organiser. The answer comes here.")
        st.session_state[_field(step)] = ""
    st.session_state[_SAID] = said


def _list(board: dict[str, Any]) -> None:
    if not board["waiting"] and not board["notices"]:
        st.text(t("There are no answers and no announcements yet."))
    for one in reversed(board["waiting"]):
        _show(t("Not answered yet"), one, "")
    kinds = {
        "answer": t("Answer to you"),
        "announcement": t("To everybody"),
        "guidelines": t("Guidelines changed"),
    }
    for one in reversed(board["notices"]):
        new = f" · {t('New')}" if one["unread"] else ""
        _show(kinds[one["kind"]] + new, one, one["text"])


def _show(head: str, said: dict[str, Any], text: str) -> None:
    """Show what somebody wrote as it is, below what it is."""
    with st.container(border=True):
        st.markdown(f"**{plain(head)}**")
        if question := said.get("question"):
            st.text("\n".join(filter(None, (said.get("about"), f"> {question}"))))
        if text:
            st.text(text)
