"""Changing one's own label; the old one stays on record."""

import uuid
from typing import Any

import streamlit as st

from core.assessment.handing_out.blinding import engine_code
from core.assessment.intake.judging import Grant
from core.assessment.intake.passages import show_marked
from core.collection.records import Scale
from core.language.translate import t
from core.store.events.labels import CurrentLabel, Key
from core.store.events.passages import find_marked
from pages.judge.choices import choose_aspects, choose_reasons, keep_asked
from pages.judge.item import word_level
from pages.shared.intake import accept_event
from pages.shared.session import PageContext


def revise(context: PageContext, key: Key, scale: Scale) -> None:
    """Offer another level for a label of one's own."""
    current = context.store.labels.current(context.collection_id, context.person_id)[key]
    with st.form(f"revise-{current.event_id}"):
        level = st.radio(
            t("New label"),
            [one.level for one in scale],
            format_func={one.level: word_level(one) for one in scale}.get,
            index=next((i for i, one in enumerate(scale) if one.level == current.level), None),
        )
        given = choose_aspects(context, key.facet, current.aspects)
        why = choose_reasons(context, key.facet, current.event_id)
        comment = st.text_area(t("Comment"), current.comment)
        if st.form_submit_button(t("Save")) and level is not None:
            answer = keep_asked(context, key.facet, level, given)
            _save(context, key, current, level, {"comment": comment, **answer, **why})


def _save(
    context: PageContext, key: Key, current: CurrentLabel, level: int, answer: dict[str, Any]
) -> None:
    if reason := send_revision(context, key, current.event_id, level, answer):
        st.error(reason)
    else:
        st.rerun()


def send_revision(
    context: PageContext, key: Key, supersedes: str, level: int, answer: dict[str, Any]
) -> str:
    """Store another level for a label of one's own; returns why it was not taken, or nothing.

    ``said`` is what else belongs to the judgement: its comment, and what was said of aspects.
    """
    event = {
        "event_id": str(uuid.uuid4()),
        "supersedes": supersedes,
        "topic": key.topic_id,
        "document": key.document_id,
        "facet": key.facet,
        "engine": engine_code(context.store.secret, key),
        "occasion": key.occasion,
        "state": "level",
        "level": level,
        **answer,
    }
    if marked := find_marked(context.store, [supersedes]).get(supersedes):
        event |= show_marked(marked)  # they stay as they are: here nothing can be marked
    ack = accept_event(Grant(context.collection_id, context.person_id), event)
    if ack["status"] == "saved":
        return ""
    return ack["reason"] or t("This label was changed elsewhere meanwhile. Reload the page.")
