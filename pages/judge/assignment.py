"""What the judging component is given: an assignment as plain data.

The reasons that can be given for a preference, as the judging screen is told of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from core.assessment.afterwards import has_ready_topics
from core.assessment.handing_out.assignment_content import AssignmentContent, Step
from core.assessment.handing_out.blinding import engine_code, occasion_code
from core.assessment.handing_out.next_assignment import practice_left
from core.assessment.handing_out.queue import Assignment, read_share
from core.assessment.handing_out.side_by_side import opens_first, order_sides
from core.assessment.handing_out.steps import scales_for
from core.assessment.intake.aspects import show_aspects, show_label
from core.assessment.intake.judging import Grant, grant_of
from core.assessment.intake.passages import show_marked
from core.assessment.showing import shows_machine
from core.collection.records import PAGE, SNIPPET
from core.language.translate import spoken, t
from core.store.content.aspects import list_aspects
from core.store.content.collections import Collection
from core.store.events.judged import count_answered_since
from core.store.events.labels import CurrentLabel
from core.store.events.marked import Marked, hash_text
from core.store.events.passages import find_marked
from core.store.events.preference_reasons import list_reason_choices, read_given_reasons
from core.store.rounds.pools import count_without_text
from core.store.store import Store, utc_now
from pages.judge.afterwards import OTHERS, SHOWN
from pages.shared.addresses import page_address
from pages.shared.highlight import list_words, match_words
from pages.shared.intake import name_assignment, sign_grant

LONGEST_INLINE = 20_000


def component_data(
    store: Store,
    collection: Collection,
    assignment: Assignment,
    content: AssignmentContent,
    session_id: str,
    clock_offset: int = 0,
) -> dict[str, Any]:
    """Return the data of the judging component for one assignment, as one session may see it.

    ``clock_offset`` is how many minutes UTC is ahead of the assessor's clock. Nothing in the data
    tells an assessor what others judged, which system returned what, which occasion is the hidden
    repeat, or what is right in practice.
    """
    return (
        _frame(collection, grant_of(assignment), session_id)
        | _others(store, collection.collection_id, assignment.assessor_id)
        | _intro(collection)
        | _contents(store, assignment, content, session_id)
        | _pace(
            _topics(store, assignment),
            _count_today(store, collection.collection_id, assignment.assessor_id, clock_offset),
            hidden=collection.hides_pace,
        )
    )


def data_ahead(
    store: Store,
    collection: Collection,
    handed_out: Sequence[tuple[Assignment, AssignmentContent]],
    session_id: str,
) -> list[dict[str, Any]]:
    """Return what a device keeps for the time without a network, an entry an assignment.

    Each is what `component_data` gives, as blind as that, but without the right to send: who comes
    back is given that anew. Nothing is said of the day, which goes on without the server.
    """
    topics = _topics(store, handed_out[0][0]) if handed_out else None
    return [
        {
            **_frame(collection, grant_of(assignment), session_id),
            "token": None,
            **_intro(collection),
            **_contents(store, assignment, content, session_id),
            **_pace(
                topics and {**topics, "number": topics["number"] + place},
                hidden=collection.hides_pace,
            ),
        }
        for place, (assignment, content) in enumerate(handed_out)
    ]


def _intro(collection: Collection) -> dict[str, Any]:
    """Return who asks."""
    asked_by = t("{collection} asks for your judgement", collection=collection.name)
    return {"intro": {"asked_by": asked_by}}


def _pace(topics: dict[str, Any] | None, today: int = 0, *, hidden: bool = False) -> dict[str, Any]:
    """Return how far the work is: its topics, how much was judged today, and what is hidden."""
    pace = {"median_seconds": None, "topics": topics, "today": today}
    return {"pace": pace | ({"hidden": True} if hidden else {})}


def _contents(
    store: Store, assignment: Assignment, content: AssignmentContent, session_id: str
) -> dict[str, Any]:
    """Return scales, aspects, topics, documents and steps of an assignment."""
    assessor_id, rules = assignment.assessor_id, assignment.rules
    collection_id = rules.collection_id
    current = store.labels.current(collection_id, assessor_id)
    practice = {one.step for one in content.practice}
    address = partial(_address, collection_id, session_id)
    steps = [*practice_left(content, current, assessor_id), *content.steps]
    topic_of = {step.document_id: step.topic_id for step in steps}
    known = [current.get(step.key(assessor_id)) for step in steps]
    marked = find_marked(store, [label.event_id for label in known if label])
    documents = {
        document_id: _document(
            content.documents[document_id],
            partial(address, document_id, content.topics[topic_id]),
        )
        for document_id, topic_id in topic_of.items()
        if document_id in content.documents
    }
    scales = scales_for(store, assignment)
    shown = [
        _step(step, assessor_id, label, content, store.secret)
        | {"practice": step in practice}
        | _pair(assignment, step, content, address)
        | _passages(label, _shown_text(step, content, documents), marked)
        for step, label in zip(steps, known, strict=True)
    ]
    return reason_data(store, assignment, content) | {
        "shows_machine": shows_machine(store, assignment),
        "left_out": content.left_out + count_without_text(store, rules, assignment.topic_id),
        "scales": {facet: [asdict(level) for level in levels] for facet, levels in scales.items()},
        "aspects": show_aspects(list_aspects(store, collection_id), scales),
        "topics": content.topics,
        "documents": documents,
        "steps": shown,
        "terms": _terms(content.topics, documents, shown),
    }


def _terms(
    topics: dict[str, dict[str, Any]],
    documents: dict[str, dict[str, Any]],
    steps: list[dict[str, Any]],
) -> dict[str, dict[str, list[str]]]:
    """Return by topic which words of what is shown are marked as those of its query."""
    cards = [card for step in steps for side in step.get("sides", ()) for card in side]
    texts = [
        *(one[name] for one in (*documents.values(), *cards) for name in ("title", "text")),
        *(topic[name] for topic in topics.values() for name in ("description", "narrative")),
        *(step["snippet"] for step in steps),
    ]
    words = list_words(filter(None, texts))
    return {name: match_words(topic["query"], words) for name, topic in topics.items()}


def data_without_work(
    store: Store,
    collection: Collection,
    assessor_id: str,
    session_id: str,
    clock_offset: int = 0,
) -> dict[str, Any]:
    """Return the data of the judging component when nothing is left to be judged now.

    What waits in the browser can still be sent, and what was judged in this visit changed.
    """
    grant = Grant(collection.collection_id, assessor_id)
    today = _count_today(store, collection.collection_id, assessor_id, clock_offset)
    return _frame(collection, grant, session_id) | {
        **_others(store, collection.collection_id, assessor_id),
        "over": True,
        "scales": {},
        "topics": {},
        "documents": {},
        "steps": [],
        **_pace(None, today, hidden=collection.hides_pace),
    }


def _frame(collection: Collection, grant: Grant, session_id: str) -> dict[str, Any]:
    return {
        "assignment": name_assignment(grant),
        "collection": collection.collection_id,
        "assessor": grant.assessor_id,
        "token": sign_grant(grant, session_id),
        "intake": "/api/labels",
        "questions": "/api/questions",
        "notices": "/api/notices",
        "ahead": "/api/ahead",
        "told": "/api/told",
        "language": spoken(),
        "guidelines": collection.guidelines,
    }


def _others(store: Store, collection_id: str, assessor_id: str) -> dict[str, str]:
    """Return where to see on which items others differ; nothing unless there is a topic to open.

    It does not tell whether anybody differs.
    """
    if not has_ready_topics(store, collection_id, assessor_id):
        return {}
    return {"others": f"history?{urlencode({'collection': collection_id, SHOWN: OTHERS})}"}


def _topics(store: Store, assignment: Assignment) -> dict[str, Any] | None:
    """Return which of how many batches this is for its assessor; None in the qualifying test.

    ``what`` they are called: a batch may be a whole topic or a part of one.
    """
    if not assignment.topic_id:
        return None
    share = read_share(store, assignment.rules.collection_id, assignment.assessor_id)
    total = share.finished + share.held + share.free
    what = "part" if assignment.rules.batch_size else "topic"
    return {"what": what, "number": share.finished + 1, "total": total, "at_most": share.free > 0}


def _count_today(store: Store, collection_id: str, assessor_id: str, clock_offset: int) -> int:
    """Return how many items somebody has answered since their last midnight."""
    ahead = timedelta(minutes=clock_offset)
    midnight = datetime.combine(utc_now() - ahead, datetime.min.time()) + ahead
    return count_answered_since(store, collection_id, assessor_id, midnight)


def _address(
    collection_id: str,
    session_id: str,
    document_id: str,
    topic: dict[str, Any],
    *,
    text_only: bool = False,
) -> str:
    query = topic["query"]
    return page_address(collection_id, document_id, query, session_id, text_only=text_only)


def _document(row: dict[str, Any], address: Callable[..., str]) -> dict[str, Any]:
    """Return a document as it is shown; ``address`` makes what it is found at in a frame."""
    inline = not row["html"] and len(row["text"] or "") <= LONGEST_INLINE
    return {
        "title": row["title"],
        "url": row["url"],
        "text": row["text"] if inline else None,
        "frame": None if inline else address(),
        "text_frame": address(text_only=True) if row["html"] else None,
    }


def _opened(card: dict[str, Any], address: Callable[..., str]) -> dict[str, Any]:
    """Return where a listed result is opened: its page, and the text of one of HTML alone."""
    if not card.get("is_stored"):
        return {}
    return {"page": address()} | ({"page_text": address(text_only=True)} if card["is_html"] else {})


def _pair(
    assignment: Assignment, step: Step, content: AssignmentContent, address: Callable[..., str]
) -> dict[str, Any]:
    """Return what stands on the left and on the right of a step, if it is one of a pair.

    ``first`` is the side that opens first where one is shown at a time.
    """
    sides = content.pairs.get((step.topic_id, step.document_id, step.facet))
    if sides is None:
        return {}
    topic = content.topics[step.topic_id]
    return {
        "first": opens_first(assignment, step),
        "sides": [
            [
                _document(card, partial(address, card["document_id"], topic))
                | {"shared": card["shared"]}
                | _opened(card, partial(address, card["document_id"], topic))
                for card in side
            ]
            for side in order_sides(sides, step.engine)
        ],
    }


def _step(
    step: Step,
    assessor_id: str,
    label: CurrentLabel | None,
    content: AssignmentContent,
    secret: str,
) -> dict[str, Any]:
    return {
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": step.facet,
        "engine": engine_code(secret, step.key(assessor_id)),
        "occasion": occasion_code(secret, step.key(assessor_id)),
        "snippet": content.snippets.get((step.topic_id, step.document_id, step.engine)),
        "needs": None
        if step.page_from is None
        else {"facet": "snippet", "at_least": step.page_from},
        "label": None if label is None else show_label(label),
    }


def _shown_text(
    step: Step, content: AssignmentContent, documents: dict[str, dict[str, Any]]
) -> str:
    """Return the text in which passages of a step can be marked; empty where there is none.

    What is read in a frame cannot be marked: nothing of it can be seen from outside.
    """
    if step.facet == SNIPPET:
        return content.snippets.get((step.topic_id, step.document_id, step.engine), "")
    return (step.facet == PAGE and documents.get(step.document_id, {}).get("text")) or ""


def _passages(label: CurrentLabel | None, text: str, marked: dict[str, Marked]) -> dict[str, Any]:
    """Return what names the text of a step, and what is marked in it with the label."""
    fields = {"text_hash": hash_text(text) if text else None}
    if label is None or label.event_id not in marked:
        return fields
    return fields | {"label": show_label(label) | show_marked(marked[label.event_id])}


def reason_data(store: Store, assignment: Assignment, content: AssignmentContent) -> dict[str, Any]:
    """Return ``reasons``, what can be chosen, and ``given``, what was, by the label's event.

    Nothing where nothing stands side by side, or where no reasons are offered.
    """
    collection_id = assignment.rules.collection_id
    offered = list_reason_choices(store, collection_id) if content.pairs else ()
    if not offered:
        return {}
    current = store.labels.current(collection_id, assignment.assessor_id)
    keys = [step.key(assignment.assessor_id) for step in content.steps]
    labels = [current[key].event_id for key in keys if key in current]
    given = read_given_reasons(store, collection_id, labels)
    return {"reasons": list(offered), "given": given}
