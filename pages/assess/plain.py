"""Judging with ordinary buttons: the fallback on the same intake."""

import time
import uuid

import streamlit as st

from core.assessment.blinding import engine_code
from core.assessment.queue import Assignment
from core.assessment.steps import Sheet, Step
from core.collection.records import Level
from core.store.collections import get_scales
from core.store.labels import Key, Standing
from pages.api.page import page_address
from pages.assess.sheet import grant_of, left_to_judge
from pages.shared.server import server
from pages.shared.session import Visit


def judge_plainly(visit: Visit, assignment: Assignment, sheet: Sheet) -> None:
    """Show the first item that is not judged, with a button for each level."""
    standing = visit.store.labels.standing(visit.collection_id, visit.person_id)
    left = left_to_judge(sheet, standing, visit.person_id)
    step = left[0]
    st.caption(f"{len(sheet.steps) - len(left) + 1} of {len(sheet.steps)}. Each press is saved.")
    _show_item(visit, sheet, step)
    shown = st.session_state.setdefault(f"shown-{step}", time.monotonic())
    comment = st.text_input("Comment", key=f"comment-{step}")
    scale = get_scales(visit.store, visit.collection_id)[step.facet]
    for level in scale:
        if st.button(f"{level.name}: {level.meaning}", key=f"{level.level}-{step}"):
            _save(assignment, step, standing, "level", level, shown, comment)
    if st.button("Cannot judge", key=f"cannot-{step}"):
        _save(assignment, step, standing, "cannot judge", None, shown, comment)


def _show_item(visit: Visit, sheet: Sheet, step: Step) -> None:
    document = sheet.documents[step.document_id]
    topic = sheet.topics[step.topic_id]
    st.subheader(topic["query"], anchor=False)
    st.text("\n\n".join(filter(None, (topic["description"], topic["narrative"]))))
    with st.container(border=True):
        st.text("\n".join(filter(None, (document["title"], document["url"]))))
        if step.facet == "snippet":
            st.text(sheet.snippets[step.topic_id, step.document_id, step.engine])
        else:
            address = page_address(visit.collection_id, step.document_id, topic["query"])
            st.iframe(address, height=480)


def _save(
    assignment: Assignment,
    step: Step,
    standing: dict[Key, Standing],
    state: str,
    level: Level | None,
    shown: float,
    comment: str,
) -> None:
    before = standing.get(step.key(assignment.assessor_id))
    event = {
        "event_id": str(uuid.uuid4()),
        "supersedes": before.event_id if before else None,
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": step.facet,
        "engine": engine_code(server().store.secret, step.key(assignment.assessor_id)),
        "occasion": step.occasion,
        "state": state,
        "level": level.level if level else None,
        "dwell_ms": int(1000 * (time.monotonic() - shown)),
        "comment": comment,
    }
    (ack,) = server().intake.accept(grant_of(assignment), [event])
    if ack["status"] == "refused":
        st.error(f"Not saved: {ack['reason']}")
        return
    st.rerun()
