"""The API's collections: which there are, a new one, files into one; and the token itself."""

from typing import Any

from core.collection.detection import require_kind
from core.collection.files.source import Source
from core.collection.formats import KINDS, format_names, option_names, read_import
from core.collection.qrels_and_runs.trec import DUPLICATES, ITERATIONS
from core.collection.records import FACETS, default_scales, numeric_scale
from core.errors import BadInput, NotAllowed
from core.language.translate import ENGLISH, LANGUAGES
from core.store.content.aspects import read_aspect_scales
from core.store.content.collections import create_collection, get_collection
from core.store.content.imports import NAMED, Incoming, write_imports
from core.store.content.scales import get_scales
from core.store.events.frames import count_contents
from core.store.people.token_scopes import LONGEST_DAYS, WRITE
from core.store.people.tokens import accept_with_token, end_token
from pages.api.v1.guard import list_reached
from pages.api.v1.operation import (
    COLLECTION,
    FLAG,
    TEXT_OF,
    TIME,
    Answer,
    Asked,
    Body,
    Operation,
    Parameter,
    record,
    text,
)
from pages.api.v1.records import to_plain

_ALREADY = "already there"
_FORMATS = sorted({name for kind in KINDS for name in format_names(kind)})
_MOST_LEVELS = 20

_TOKEN = record(
    token=TEXT_OF, name=TEXT_OF, role=TEXT_OF, scopes={"type": "array"}, collection=TEXT_OF,
    expires_at=TIME,
)  # fmt: skip
_COLLECTION = record(
    collection=TEXT_OF, name=TEXT_OF, description=TEXT_OF, guidelines=TEXT_OF, language=TEXT_OF,
    simulated=TEXT_OF, created_at=TIME, closed_at=TIME, hides_pace=FLAG,
)  # fmt: skip


def _tell_token(asked: Asked) -> dict[str, Any]:
    assert asked.token is not None
    assert asked.person is not None
    return {
        "token": asked.token.token_id,
        "name": asked.token.name,
        "role": asked.person.role,
        "scopes": list(asked.token.scopes),
        "collection": asked.token.collection_id,
        "expires_at": to_plain(asked.token.expires_at),
    }


def _end_token(asked: Asked) -> dict[str, Any]:
    assert asked.token is not None
    end_token(asked.store, asked.token.token_id, person_id=asked.by, by=asked.by)
    return {"token": asked.token.token_id, "ended": True}


def _accept(asked: Asked) -> dict[str, Any]:
    sent = asked.body
    invitation = sent["invitation"].rstrip("/").rpartition("/")[2]
    return {"token": accept_with_token(asked.store, invitation, sent["name"], sent.get("days", 90))}


def _list(asked: Asked) -> dict[str, Any]:
    assert asked.person is not None
    assert asked.token is not None
    reached = list_reached(asked.store, asked.person, asked.token)
    return {"collections": [_describe(asked, one) for one in reached]}


def _describe(asked: Asked, collection_id: str) -> dict[str, Any]:
    found = get_collection(asked.store, collection_id)
    fields = {name: to_plain(value) for name, value in vars(found).items()}
    return {"collection": fields.pop("collection_id"), **fields}


def _show(asked: Asked) -> dict[str, Any]:
    fields = _describe(asked, asked.collection_id)
    scales = get_scales(asked.store, asked.collection_id)
    fields["scales"] = {
        facet: [to_plain(vars(level)) for level in levels] for facet, levels in scales.items()
    }
    if asked.person is not None and asked.person.role == "organiser":
        fields["contents"] = to_plain(count_contents(asked.store, asked.collection_id))
    return fields


def _create(asked: Asked) -> dict[str, Any]:
    assert asked.token is not None
    if asked.token.collection_id:
        raise NotAllowed("The token is for one collection, and cannot make another.")
    sent = asked.body
    scales = None
    if levels := sent.get("scales"):
        if any(facet not in FACETS or len(set(given)) < 2 for facet, given in levels.items()):
            raise BadInput(
                "a scale is of page or snippet and has two levels or more", field="scales"
            )
        given = {facet: numeric_scale(sorted(set(levels[facet]))) for facet in levels}
        scales = {**default_scales(), **given}
    made = create_collection(
        asked.store,
        sent["name"],
        description=sent.get("description", ""),
        guidelines=sent.get("guidelines", ""),
        language=sent.get("language", ENGLISH),
        scales=scales,
        by=asked.by,
    )
    return _describe(asked, made)


def _import(asked: Asked) -> dict[str, Any]:
    values, here = asked.values, (asked.store, asked.collection_id)
    source = Source(values["file"], asked.file)
    kind = values["kind"] or require_kind(source)
    options: dict[str, Any] = {
        name: values[name]
        for name in ("facet", "aspect", "system_from", "duplicates", "iterations", "lenient")
        if values[name] and name in option_names(kind)
    }
    if kind == "labels":
        options["scales"] = get_scales(*here)
    elif kind == "aspects":
        options["scales"] = read_aspect_scales(*here)
    imported = read_import(kind, [source], format_name=values["format"] or "", **options)
    name = values["name"] or "" if kind in NAMED else ""
    rehearse = bool(values["dry_run"])
    (written,) = write_imports(*here, [Incoming(imported, name)], by=asked.by, rehearse=rehearse)
    there = written.pop(_ALREADY)
    return {
        "kind": kind,
        "formats": list(imported.formats),
        "read": imported.counts,
        "written": written,
        "already_there": there,
        "notes": list(imported.notes),
        "dry_run": rehearse,
    }


_LEVELS = {
    "type": "array",
    "items": {"type": "integer", "minimum": -1000, "maximum": 1000},
    "minItems": 2,
    "maxItems": _MOST_LEVELS,
}

OPERATIONS = (
    Operation(
        "showToken", "GET", "/token", "What this token is and may do", "", _tell_token,
        Answer("The token, without what proves it.", _TOKEN), subject="Tokens",
    ),
    Operation(
        "endToken", "DELETE", "/token", "End this token for good", "", _end_token,
        Answer("It holds no more.", record(token=TEXT_OF, ended=FLAG)), subject="Tokens",
    ),
    Operation(
        "acceptInvitation", "POST", "/invitations", "Use an invitation up, and have a token for it",
        None, _accept, Answer("The token, which is shown once.", record(token=TEXT_OF), status=201),
        body=Body(
            "The link that somebody was sent, or its last part. It works once: here or in a "
            "browser.",
            {
                "type": "object",
                "properties": {
                    "invitation": text(500, minLength=1),
                    "name": text(100, minLength=1, description="What the token is for."),
                    "days": {"type": "integer", "minimum": 1, "maximum": LONGEST_DAYS},
                },
                "required": ["invitation", "name"],
                "additionalProperties": False,
            },
        ),
        subject="Tokens",
    ),
    Operation(
        "listCollections", "GET", "/collections", "The collections that are open to this token",
        "", _list,
        Answer("Oldest first.", record(collections={"type": "array", "items": _COLLECTION})),
        subject="Collections",
    ),
    Operation(
        "createCollection", "POST", "/collections", "Make a collection", WRITE, _create,
        Answer("The new collection.", _COLLECTION, status=201),
        body=Body(
            "Its name and, if wanted, texts, language and scales.",
            {
                "type": "object",
                "properties": {
                    "name": text(200, minLength=1),
                    "description": text(10_000),
                    "guidelines": text(100_000),
                    "language": {"type": "string", "enum": list(LANGUAGES)},
                    "scales": {
                        "type": "object",
                        "description": "Plain numbers by facet; the usual scales without.",
                        "properties": dict.fromkeys(FACETS, _LEVELS),
                        "additionalProperties": False,
                    },
                },
                "required": ["name"],
                "additionalProperties": False,
            },
        ),
        subject="Collections",
    ),
    Operation(
        "showCollection", "GET", "/collections/{collection}", "One collection with its scales", "",
        _show, Answer("The collection.", _COLLECTION), parameters=(COLLECTION,),
        subject="Collections",
    ),
    Operation(
        "importFile", "POST", "/collections/{collection}/imports",
        "Import a file: taken whole, or refused whole", WRITE, _import,
        Answer(
            "What was read, and written by table.",
            record(
                kind=TEXT_OF, formats={"type": "array"},
                read={"type": "object"}, written={"type": "object"},
                already_there={"type": "integer"}, notes={"type": "array"}, dry_run=FLAG,
            ),
        ),
        parameters=(
            COLLECTION,
            Parameter("file", text(300, minLength=1), "What the file is called.", True),
            Parameter("kind", {"type": "string", "enum": list(KINDS)}, "Else told from the file."),
            Parameter("format", {"type": "string", "enum": _FORMATS}, "Else told from the file."),
            Parameter("name", text(200), "What qrels or a click log are to be called."),
            Parameter("facet", {"type": "string", "enum": list(FACETS)}, "Of labels."),
            Parameter("aspect", text(200), "Of aspects: only this one."),
            Parameter(
                "system_from", {"type": "string", "enum": ["tag", "file"]},
                "Where a run's name comes from.",
            ),
            Parameter(
                "duplicates", {"type": "string", "enum": list(DUPLICATES)},
                "Of a run that has a document twice in a ranking.",
            ),
            Parameter(
                "iterations", {"type": "string", "enum": list(ITERATIONS)},
                "Of qrels: what of a pair in several iterations is taken.",
            ),
            Parameter("lenient", FLAG, "Of clicks: leave malformed sessions out, and count them."),
            Parameter("dry_run", FLAG, "Check and count everything, store nothing."),
        ),
        body=Body("The file as it is; may be packed with gzip."),
        subject="Collections",
    ),
)  # fmt: skip
"""Of tokens and collections."""
