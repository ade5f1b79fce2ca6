"""Judging with ordinary buttons: the fallback on the same intake.

Words with the organiser in Streamlit's own elements: a question, and what is told.
"""

import re
import time
import uuid
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.assessment.handing_out.assignment_content import AssignmentContent, Practice, Step
from core.assessment.handing_out.blinding import engine_code
from core.assessment.handing_out.next_assignment import left_to_judge, practice_left
from core.assessment.handing_out.queue import Assignment
from core.assessment.handing_out.side_by_side import order_sides
from core.assessment.handing_out.steps import scales_for
from core.assessment.intake.judging import grant_of
from core.assessment.intake.questions import LONGEST_QUESTION
from core.collection.records import Level
from core.language.translate import t
from core.store.events.labels import CurrentLabel, Key
from core.wording import plain
from pages.judge.choices import ask_next, begin_set, choose_reasons, end_set, find_begun
from pages.judge.item import Form, show_item, show_pair, word_level
from pages.judge.revealed_levels import note_end, tell_beforehand
from pages.shared.intake import accept_event, accept_question, mark_read, read_board
from pages.shared.session import PageContext

FEEDBACK = "practice-feedback"
"""What a session remembers to say after a practice item."""


@dataclass(frozen=True)
class ShownItem:
    """What is on the screen: a step, since when, how, and the comment written beside it."""

    assignment: Assignment
    step: Step
    current: dict[Key, CurrentLabel]
    shown: float
    forms: set[Form]
    comment: str
    practice: Practice | None
    why: dict[str, Any]


def judge_plainly(context: PageContext, assignment: Assignment, content: AssignmentContent) -> None:
    """Show the first item that is not judged, with a button for each level."""
    current = context.store.labels.current(context.collection_id, context.person_id)
    practice = practice_left(content, current, context.person_id)
    left = left_to_judge(content, current, context.person_id)
    step = [*practice, *left][0]
    if feedback := st.session_state.pop(FEEDBACK, None):
        st.info(feedback)
    tell_beforehand(context, assignment)
    st.caption(
        t("Practice, not counted.") if practice else t("{n} left in this topic.", n=len(left))
    )
    forms = _show_item(context, content, step)
    shown = st.session_state.setdefault(f"shown-{step}", time.monotonic())
    comment = st.text_input(t("Comment"), key=f"comment-{step}")
    given = next((one for one in content.practice if one.step == step), None)
    before = current.get(step.key(context.person_id))
    why = choose_reasons(context, step.facet, before.event_id if before else None)
    item = ShownItem(assignment, step, current, shown, forms, comment, given, why)
    scale = scales_for(context.store, assignment)[step.facet]
    if begun := find_begun(step):
        if ask_next(context, step, begun):
            _answer(context, item, scale, "level", begun.level)
    elif _is_seen(item):
        _offer_levels(context, item, scale)
    with st.container(horizontal=True):
        if st.button(t("Cannot judge"), key=f"cannot-{step}"):
            _answer(context, item, scale, "cannot judge")
        if not practice and st.button(t("Later"), key=f"later-{step}"):
            _answer(context, item, scale, "later")
    show_words(context, assignment, step)


def _is_seen(item: ShownItem) -> bool:
    """Ask whether what comes in a frame has come; whatever does not is there with the buttons."""
    seen = f"seen-{item.step}"
    if Form.FRAME not in item.forms or st.session_state.get(seen):
        return True
    if st.button(t("I can see the page"), key=f"see-{item.step}"):
        st.session_state[seen] = True
        st.rerun()
    return False


def _offer_levels(context: PageContext, item: ShownItem, scale: tuple[Level, ...]) -> None:
    for level in scale:
        if st.button(word_level(level), key=f"{level.level}-{item.step}"):
            if begin_set(context, item.step, level):
                st.rerun()
            _answer(context, item, scale, "level", level)


def _show_item(context: PageContext, content: AssignmentContent, step: Step) -> set[Form]:
    """Show what is asked and what is judged; return in which forms."""
    topic = content.topics[step.topic_id]
    st.subheader(plain(topic["query"]), anchor=False)
    if need := "\n\n".join(filter(None, (topic["description"], topic["narrative"]))):
        st.text(need)
    if context.collection.guidelines:
        with st.expander(t("Guidelines")):
            st.text(strip_marks(context.collection.guidelines))
    if sides := content.pairs.get((step.topic_id, step.document_id, step.facet)):
        return show_pair(context, order_sides(sides, step.engine), topic["query"])
    snippet = None
    if step.facet == "snippet":
        snippet = content.snippets[step.topic_id, step.document_id, step.engine]
    document = content.documents[step.document_id]
    return {show_item(context, step.document_id, document, topic["query"], snippet)}


def _answer(
    context: PageContext,
    item: ShownItem,
    scale: tuple[Level, ...],
    state: str,
    level: Level | None = None,
) -> None:
    key = item.step.key(item.assignment.assessor_id)
    before = item.current.get(key)
    event: dict[str, Any] = {
        "event_id": str(uuid.uuid4()),
        "supersedes": before.event_id if before else None,
        "topic": key.topic_id,
        "document": key.document_id,
        "facet": key.facet,
        "engine": engine_code(context.store.secret, key),
        "occasion": key.occasion,
        "state": state,
        "level": level.level if level else None,
        "dwell_ms": int(1000 * (time.monotonic() - item.shown)),
        "comment": item.comment,
    }
    if Form.TEXT_ONLY in item.forms:
        event["paradata"] = {"text_only": True}
    ending = end_set(item.step)
    event |= ending | item.why if state == "level" else {}
    ack = accept_event(grant_of(item.assignment), event)
    if ack["status"] == "refused":
        st.error(t("Not saved: {reason}", reason=ack["reason"]))
        return
    if item.practice:
        st.session_state[FEEDBACK] = _feedback(item.practice, scale, level)
    note_end(context, item.assignment)
    st.rerun()


def _feedback(practice: Practice, scale: tuple[Level, ...], level: Level | None) -> str:
    name = plain(next((one.name for one in scale if one.level == practice.level), ""))
    right = level is not None and level.level == practice.level
    verdict = t("✓ Yes: {name}.", name=name) if right else t("✗ We would say: {name}.", name=name)
    return f"{verdict} {plain(practice.why)}"


_MESSAGE = "plain-words-said"
"""What a session remembers to say of the question that was sent."""


def show_words(context: PageContext, assignment: Assignment, step: Step) -> None:
    """Offer to ask about an item, and list answers and announcements; what is new is open."""
    board = read_board(context.collection_id, context.person_id)
    unread = [one["id"] for one in board["notices"] if one["unread"]]
    name = t("Questions and notices")
    label = f"{name} ({t('{n} new', n=len(unread))})" if unread else name
    message = st.session_state.pop(_MESSAGE, "")
    with st.expander(label, expanded=bool(unread or message)):
        if message:
            st.info(plain(message))
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
        message = t("Your question was not accepted: {reason}", reason=ack["reason"])
    else:
        message = t("Your question goes to the organiser. The answer comes here.")
        st.session_state[_field(step)] = ""
    st.session_state[_MESSAGE] = message


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


def _show(head: str, answer: dict[str, Any], text: str) -> None:
    """Show what somebody wrote as it is, below what it is."""
    with st.container(border=True):
        st.markdown(f"**{plain(head)}**")
        if question := answer.get("question"):
            st.text("\n".join(filter(None, (answer.get("about"), f"> {question}"))))
        if text:
            st.text(text)


_LINES = (
    (re.compile(r"^ {0,3}(?:```|~~~).*$", re.MULTILINE), ""),
    (re.compile(r"^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"^ {0,3}#{1,6}[ \t]+(.*\S)[ \t]*$", re.MULTILINE), "\n\\1\n"),
    (re.compile(r"^ {0,3}>[ \t]?", re.MULTILINE), ""),
    (re.compile(r"^([ \t]*)[-*+][ \t]+(?=\S)", re.MULTILINE), r"\1• "),
)
"""Fences, rules, headings, quotations and lists, by their lines."""

_WORDS = (
    (re.compile(r"!?\[([^][\n]*)\]\(([^()\s]*)\)"), r"\1 (\2)"),
    (re.compile(r"\*\*([^*\n]+)\*\*"), r"\1"),
    (re.compile(r"(?<!\w)__([^_\n]+)__(?!\w)"), r"\1"),
    (re.compile(r"(?<![\\\w*])\*([^\s*](?:[^*\n]*[^\s*\\])?)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\\\w])_([^\s_](?:[^_\n]*[^\s_\\])?)_(?!\w)"), r"\1"),
    (re.compile(r"`([^`\n]+)`"), r"\1"),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!>~|-])"), r"\1"),
)
"""Links, strong and stressed words, code and what is escaped."""


def strip_marks(text: str) -> str:
    """Return a text without the marks of Markdown, for where text is shown as it is.

    Headings become paragraphs of their own, items of a list begin with ``•``, and a link's
    address stands behind it. A mark that marks nothing stays: ``a * b``, ``a_b``.
    """
    for pattern, replacement in (*_LINES, *_WORDS):
        text = pattern.sub(replacement, text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
