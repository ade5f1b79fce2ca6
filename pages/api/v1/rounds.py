"""The API's rounds and people: opening a round, how far it is, who judges, and their links."""

from datetime import UTC, datetime
from typing import Any

from core.analysis.base.study import Study
from core.analysis.judging.progress import ask_progress
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.collection.people_list import LONGEST_NAME, Newcomer
from core.errors import BadInput, NotAllowed, NotFound
from core.reports.progress import ProgressQuestion
from core.store.people.consent import read_roster
from core.store.people.invited_list import invite_people
from core.store.people.members import collections_of, list_assessors
from core.store.people.people import find_person, invite
from core.store.people.token_scopes import READ, WRITE
from core.store.rounds.orders import find_order_state
from core.store.rounds.rounds import FLOWS, Round, list_rounds
from core.wording import drop_marks
from pages.api.v1.operation import (
    COLLECTION,
    COUNT,
    NAMES,
    NOTES,
    TEXT_OF,
    TIME,
    Answer,
    Asked,
    Body,
    Operation,
    Parameter,
    record,
    rows,
    text,
)
from pages.api.v1.records import to_plain, to_records

MOST_AT_ONCE = 200

_MAYBE = {"type": ["integer", "null"]}
_ROUND = record(round=TEXT_OF, name=TEXT_OF, judges=COUNT, flow=TEXT_OF, depth=COUNT,
                created_at=TIME, closed_at=TIME, due_at=TIME,
                order={"type": ["string", "null"]}, budget=_MAYBE,
                relevant_from=_MAYBE)  # fmt: skip
_PLACES = {"places": COUNT, "finished": COUNT, "taken": COUNT, "open": COUNT}
_GIVEN = ("judged", "left")


def _tell(rules: Round) -> dict[str, Any]:
    fields = {name: to_plain(value) for name, value in vars(rules).items()}
    del fields["collection_id"]
    return {"round": fields.pop("round_id"), **fields}


def _find(asked: Asked) -> Round:
    """Return the round that is asked for, of this collection and no other."""
    wanted = asked.values["round"]
    for rules in list_rounds(asked.store, asked.collection_id):
        if rules.round_id == wanted:
            return rules
    raise NotFound("There is no such round in this collection.")


def _list(asked: Asked) -> dict[str, Any]:
    return {"rounds": [_tell(one) for one in list_rounds(asked.store, asked.collection_id)]}


def _open(asked: Asked) -> dict[str, Any]:
    sent = dict(asked.body)
    sent["assessors"] = tuple(sent.get("assessors", ()))
    known = list_assessors(asked.store, asked.collection_id)
    for one in sent["assessors"]:
        if one not in known:
            raise BadInput(f"'{one}' is no assessor of this collection", field="body.assessors")
    if sent.get("due_at") is not None:
        sent["due_at"] = _read_time(sent["due_at"])
    made = open_round(asked.store, asked.collection_id, Plan(**sent), by=asked.by)
    return next(
        _tell(one) for one in list_rounds(asked.store, asked.collection_id) if one.round_id == made
    )


def _read_time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
        return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time
    except (ValueError, OverflowError) as error:
        raise BadInput("a time is written as 2026-11-24T17:00Z", field="body.due_at") from error


def _change(asked: Asked) -> dict[str, Any]:
    rules = _find(asked)
    close_round(asked.store, rules.round_id, closed=asked.body["closed"], by=asked.by)
    return _tell(_find(asked))


def _progress(asked: Asked) -> dict[str, Any]:
    rules = _find(asked)
    study = Study(asked.store, asked.collection_id, asked.is_masked)
    found = ask_progress(study, ProgressQuestion(rules.round_id))
    state = find_order_state(asked.store.cursor(), rules.round_id)
    (places,) = to_records(found.rounds[found.rounds["round_id"] == rules.round_id])
    people = found.people[found.people["places"] > 0]
    return {
        **_tell(rules),
        "candidates": state.candidates if state else None,
        "chosen": state.chosen if state else None,
        **{name: places[name] for name in _PLACES},
        "answer": drop_marks(found.answer),
        "judged": found.judged,
        "required": found.required,
        "topics": to_records(found.in_round),
        "people": to_records(people[["assessor_id", *_PLACES, *_GIVEN]]),
        "end": next(iter(to_records(found.end)), None),
        "notes": [*found.notes],
    }


def _list_people(asked: Asked) -> dict[str, Any]:
    return {"people": to_records(read_roster(asked.store, asked.collection_id))}


def _invite(asked: Asked) -> dict[str, Any]:
    sent = asked.body["people"]
    newcomers = [
        Newcomer(one["name"].strip(), one.get("group", "").strip(), line=number)
        for number, one in enumerate(sent, start=1)
    ]
    names = [one.name for one in newcomers]
    for place, name in enumerate(names):
        if not name or name in names[:place]:
            reason = "everybody needs a name of their own"
            raise BadInput(reason, field=f"body.people[{place}].name")
    invited = invite_people(asked.store, asked.collection_id, newcomers, by=asked.by)
    return {
        "people": [
            {
                "assessor_id": one.person_id,
                "name": one.newcomer.name,
                "link": _link(asked, one.token),
            }
            for one in invited
        ]
    }


def _renew(asked: Asked) -> dict[str, Any]:
    """Make a new link for an assessor of this collection; for nobody who can do more than that.

    A link lets in as its person. So one for an organiser, or for somebody who judges where the
    token does not reach, would be worth more than the token.
    """
    assert asked.token is not None
    person_id = asked.values["person"]
    if person_id not in list_assessors(asked.store, asked.collection_id):
        raise NotFound("There is no such assessor in this collection.")
    person = find_person(asked.store, person_id)
    elsewhere = set(collections_of(asked.store, person_id)) - {asked.collection_id}
    if person.role != "assessor" or (asked.token.collection_id and elsewhere):
        raise NotAllowed("This person's link reaches further than the token does.")
    token = invite(asked.store, person_id, by=asked.by)
    return {"assessor_id": person_id, "name": person.name, "link": _link(asked, token)}


def _link(asked: Asked, token: str) -> str:
    return f"{asked.address}/enter/{token}"


_ROUND_ID = Parameter("round", text(100, minLength=1), "The round's id.", True)
_LINKED = record(assessor_id=TEXT_OF, name=TEXT_OF, link=TEXT_OF)

OPERATIONS = (
    Operation(
        "listRounds", "GET", "/collections/{collection}/rounds", "The rounds of a collection",
        READ, _list, Answer("Oldest first.", record(rounds={"type": "array", "items": _ROUND})),
        parameters=(COLLECTION,), subject="Rounds",
    ),
    Operation(
        "openRound", "POST", "/collections/{collection}/rounds", "Open a round of judging", WRITE,
        _open, Answer("The new round.", _ROUND, status=201), parameters=(COLLECTION,),
        body=Body(
            "What to judge, how deep, and by how many. Whoever comes takes the next topic, unless "
            "assessors are named.",
            {
                "type": "object",
                "properties": {
                    "name": text(200, minLength=1),
                    "judges": {"type": "integer", "minimum": 1, "maximum": 100},
                    "depth": {"type": "integer", "minimum": 1, "maximum": 10_000},
                    "flow": {"type": "string", "enum": list(FLOWS)},
                    "page_from": {"type": "integer", "minimum": -1000, "maximum": 1000},
                    "share": {"type": "number", "minimum": 0, "maximum": 1},
                    "batch_size": {"type": "integer", "minimum": 1, "maximum": 100_000},
                    "lease_minutes": {"type": "integer", "minimum": 1, "maximum": 100_000},
                    "repeat_share": {"type": "number", "minimum": 0, "maximum": 1},
                    "seed": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
                    "assessors": {
                        "type": "array", "items": text(100, minLength=1), "maxItems": 1000,
                    },
                    "lacking": {"type": "integer", "minimum": 1, "maximum": 100},
                    "order": text(
                        200, minLength=1,
                        description="What chooses, as labels come in, which documents are judged "
                        "next, such as max-mean; without it everything is handed out at once.",
                    ),
                    "budget": {"type": "integer", "minimum": 1, "maximum": 100_000_000},
                    "relevant_from": {"type": "integer", "minimum": -1000, "maximum": 1000},
                    "due_at": text(40, description="UTC, ISO 8601."),
                },
                "additionalProperties": False,
            },
        ),
        subject="Rounds",
    ),
    Operation(
        "showRound", "GET", "/collections/{collection}/rounds/{round}", "How far a round is", READ,
        _progress,
        Answer(
            "Its rules; places for assessors by state: over all, by topic and by person; how many "
            "judgements there are of those required, and when it ends, with 95 % limits; where an "
            "order chooses, how many documents it can choose and has chosen.",
            record(
                **_ROUND["properties"], candidates=_MAYBE, chosen=_MAYBE, **_PLACES,
                answer=TEXT_OF, judged=COUNT, required=COUNT,
                topics=rows("By topic.", "topic_id", *_PLACES, "progress", "judged", "required",
                            "items", "complete", "at_k"),
                people=rows("By who holds a place.", "assessor_id", *_PLACES, *_GIVEN),
                end={"type": ["object", "null"]}, notes=NOTES,
            ),
        ),
        parameters=(COLLECTION, _ROUND_ID, NAMES), subject="Rounds",
    ),
    Operation(
        "changeRound", "PATCH", "/collections/{collection}/rounds/{round}",
        "Close a round, or open it again", WRITE, _change, Answer("The round.", _ROUND),
        parameters=(COLLECTION, _ROUND_ID),
        body=Body("Whether it is closed.", {
            "type": "object", "properties": {"closed": {"type": "boolean"}},
            "required": ["closed"], "additionalProperties": False,
        }),
        subject="Rounds",
    ),
    Operation(
        "listPeople", "GET", "/collections/{collection}/people", "Who judges in a collection",
        READ, _list_people,
        Answer("By name.", record(people=rows(
            "Members.", "assessor_id", "name", "group", "origin", "dropped_at", "kind", "consent",
            "consent_at",
        ))),
        ("organiser",), (COLLECTION,), subject="People",
    ),
    Operation(
        "invitePeople", "POST", "/collections/{collection}/people",
        "Invite assessors: all of them, or none", WRITE, _invite,
        Answer(
            "Their links, each of which works once and is shown once.",
            record(people={"type": "array", "items": _LINKED}), status=201,
        ),
        parameters=(COLLECTION,),
        body=Body("Names, and perhaps groups.", {
            "type": "object",
            "properties": {"people": {
                "type": "array", "minItems": 1, "maxItems": MOST_AT_ONCE,
                "items": {
                    "type": "object",
                    "properties": {
                        "name": text(LONGEST_NAME, minLength=1), "group": text(LONGEST_NAME),
                    },
                    "required": ["name"], "additionalProperties": False,
                },
            }},
            "required": ["people"], "additionalProperties": False,
        }),
        subject="People",
    ),
    Operation(
        "renewLink", "POST", "/collections/{collection}/people/{person}/link",
        "A new link for an assessor; an earlier unused one ends", WRITE, _renew,
        Answer("The link, which works once and is shown once.", _LINKED, status=201),
        parameters=(COLLECTION, Parameter("person", text(100, minLength=1), "Their id.", True)),
        subject="People",
    ),
)  # fmt: skip
"""Of rounds and people."""
