"""The API's judgements: what to judge now, taking it in, and following what has come.

What an assessor's program is given to judge: as blind as what a browser is given.
"""

from dataclasses import asdict
from typing import Any

import pandas as pd

from core.assessment.handing_out.assignment_content import AssignmentContent, Card, Step
from core.assessment.handing_out.blinding import engine_code, occasion_code
from core.assessment.handing_out.next_assignment import (
    left_to_judge,
    next_assignment,
    practice_left,
)
from core.assessment.handing_out.queue import Assignment
from core.assessment.handing_out.side_by_side import order_sides
from core.assessment.handing_out.steps import scales_for
from core.assessment.intake.aspects import show_aspects, show_label
from core.assessment.intake.judging import MOST_EVENTS, Grant, grant_of
from core.errors import NotAllowed
from core.store.content.aspects import list_aspects
from core.store.events.event_feed import (
    Portion,
    read_label_events,
    read_preference_events,
)
from core.store.people.consent import NOT_ASKED, get_consent_text, read_consent
from core.store.people.pseudonyms import hide_assessors
from core.store.people.roster import add_kinds, keep_persons
from core.store.people.token_scopes import JUDGE, READ
from core.store.store import Store
from pages.api.judging import accept_timed, check_ids
from pages.api.v1.operation import (
    COLLECTION,
    COUNT,
    EVERYBODY,
    NAMES,
    TEXT_OF,
    Answer,
    Asked,
    Body,
    Operation,
    Parameter,
    record,
    rows,
    text,
)
from pages.api.v1.records import to_records
from pages.shared.intake import name_assignment, read_assignment

MOST_ROWS = 10_000


def _next(asked: Asked) -> dict[str, Any]:
    return {"handed_out": hand_out(asked.store, asked.collection_id, asked.by)}


def _judge(asked: Asked) -> dict[str, Any]:
    for event in asked.body["events"]:
        check_ids(event)
    grant = Grant(asked.collection_id, asked.by)
    if name := asked.body.get("assignment"):
        named = read_assignment(name)
        if named is None or (named.collection_id, named.assessor_id) != (
            asked.collection_id,
            asked.by,
        ):
            raise NotAllowed("This was not handed out to you in this collection.")
        grant = named
    return {"acks": accept_timed(grant, asked.body["events"])}


def _labels(asked: Asked) -> dict[str, Any]:
    return _tell(asked, read_label_events(*_where(asked)))


def _preferences(asked: Asked) -> dict[str, Any]:
    return _tell(asked, read_preference_events(*_where(asked)))


def _where(asked: Asked) -> tuple[Any, str, int, int]:
    return asked.store, asked.collection_id, asked.values["after"], asked.values["limit"]


def _tell(asked: Asked, portion: Portion) -> dict[str, Any]:
    events: pd.DataFrame = portion.events
    of_whom = add_kinds if asked.values["everybody"] else keep_persons
    events = of_whom(asked.store, asked.collection_id, events)
    if asked.is_masked:
        events = hide_assessors(asked.store, asked.collection_id, events)
    return {"events": to_records(events), "last": portion.last, "more": portion.more}


_EVENT = {
    "type": "object",
    "properties": {
        "event_id": text(36, description="A UUID made by the program: sent twice it counts once."),
        "supersedes": {"type": ["string", "null"], "description": "The event that it replaces."},
        "topic": TEXT_OF,
        "document": TEXT_OF,
        "facet": TEXT_OF,
        "engine": text(description="As handed out."),
        "occasion": {"type": ["string", "integer"], "description": "As handed out."},
        "state": {"type": "string", "description": "level, cannot judge, later or unjudged"},
        "level": {"type": ["integer", "null"]},
        "dwell_ms": COUNT,
        "comment": TEXT_OF,
        "aspects": {"type": "object"},
    },
}
_AFTER = (
    Parameter(
        "after", {**COUNT, "default": 0, "maximum": 2**53},
        "The last sequence that is known already.",
    ),
    Parameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": MOST_ROWS, "default": 1000},
        "How many events are read at once.",
    ),
    EVERYBODY,
    NAMES,
)  # fmt: skip
_COMMON = ("sequence", "event_id", "supersedes", "time", "topic_id", "facet", "assessor_id",
           "occasion", "state", "comment", "dwell_ms", "source", "stale")  # fmt: skip


def _feed(*columns: str) -> Answer:
    return Answer(
        "Events in order; ask again with 'last' as 'after', at once while there are more.",
        record(
            events=rows("Each as it was given; later ones supersede.", *_COMMON, *columns),
            last=COUNT,
            more={"type": "boolean"},
        ),
    )


OPERATIONS = (
    Operation(
        "nextAssignment", "GET", "/collections/{collection}/assignment", "What to judge now", JUDGE,
        _next,
        Answer(
            "Topics, documents and steps, as blind as in a browser; null when nothing is left.",
            record(handed_out={"type": ["object", "null"]}),
        ),
        parameters=(COLLECTION,), subject="Judgements",
    ),
    Operation(
        "judge", "POST", "/collections/{collection}/labels",
        "Send judgements of what was handed out", JUDGE, _judge,
        Answer(
            "An answer to each, in order. What is saved or stale is on disk; the rest was refused. "
            "Where a round shows a machine's levels, also 'machine': what it said of the page.",
            record(acks=rows("Answers.", "event_id", "status", "sequence", "reason", "current")),
        ),
        parameters=(COLLECTION,),
        body=Body("Judgements, and the assignment that they were made in.", {
            "type": "object",
            "properties": {
                "assignment": text(2000),
                # What one of them lacks is said of that one alone: the others are taken.
                "events": {"type": "array", "maxItems": MOST_EVENTS, "items": {"type": "object"}},
            },
            "required": ["events"],
            "additionalProperties": False,
            "description": "An event has: " + ", ".join(_EVENT["properties"]),
        }),
        subject="Judgements",
    ),
    Operation(
        "listLabels", "GET", "/collections/{collection}/labels", "Label events after a sequence",
        READ, _labels, _feed("document_id", "engine", "level"), ("organiser",),
        (COLLECTION, *_AFTER), subject="Judgements",
    ),
    Operation(
        "listPreferences", "GET", "/collections/{collection}/preferences",
        "What was said of pairs after a sequence", READ, _preferences,
        _feed("pair_id", "kind", "first", "second", "left", "choice", "strength"), ("organiser",),
        (COLLECTION, *_AFTER), subject="Judgements",
    ),
)  # fmt: skip
"""Of judgements."""


def hand_out(store: Store, collection_id: str, assessor_id: str) -> dict[str, Any] | None:
    """Return what is to be judged now; None when nothing is left.

    Nothing in it tells what others judged, which system returned what, which occasion is a hidden
    repeat, or what is right in practice.

    Raises
    ------
    NotAllowed
        The collection asks for consent first, which is given in a browser.
    """
    asks = bool(get_consent_text(store, collection_id))
    if asks and read_consent(store, collection_id, assessor_id) == NOT_ASKED:
        raise NotAllowed("This collection asks for your consent first: sign in and answer.")
    found = next_assignment(store, collection_id, assessor_id)
    return None if found is None else _show(store, *found)


def _show(store: Store, assignment: Assignment, content: AssignmentContent) -> dict[str, Any]:
    collection_id, assessor_id = assignment.rules.collection_id, assignment.assessor_id
    current = store.labels.current(collection_id, assessor_id)
    practice = practice_left(content, current, assessor_id)
    steps = [*practice, *left_to_judge(content, current, assessor_id)]
    scales = scales_for(store, assignment)
    shown = {step.document_id for step in steps}
    return {
        "assignment": name_assignment(grant_of(assignment)),
        "scales": {facet: [asdict(level) for level in levels] for facet, levels in scales.items()},
        "aspects": show_aspects(list_aspects(store, collection_id), scales),
        "topics": content.topics,
        "documents": {one: _card(row) for one, row in content.documents.items() if one in shown},
        "steps": [
            _step(store.secret, step, content, assessor_id)
            | {"practice": step in practice, "label": _label(current.get(step.key(assessor_id)))}
            for step in steps
        ],
    }


def _step(secret: str, step: Step, content: AssignmentContent, assessor_id: str) -> dict[str, Any]:
    key = step.key(assessor_id)
    fields: dict[str, Any] = {
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": step.facet,
        "engine": engine_code(secret, key),
        "occasion": occasion_code(secret, key),
        "snippet": content.snippets.get((step.topic_id, step.document_id, step.engine)),
        "page_from": step.page_from,
    }
    sides = content.pairs.get((step.topic_id, step.document_id, step.facet))
    if sides is not None:
        left, right = order_sides(sides, step.engine)
        fields |= {"left": [_card(one) for one in left], "right": [_card(one) for one in right]}
    return fields


def _card(row: Card) -> dict[str, Any]:
    return {name: row.get(name) or "" for name in ("title", "url", "text", "html")}


def _label(label: Any) -> dict[str, Any] | None:
    return None if label is None else show_label(label)
