"""The API's declaration of a study: what its results begin with."""

from typing import Any

from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study
from core.analysis.collection.declaring import MOST_USERS, declare
from core.collection.people_list import LONGEST_NAME
from core.collection.records import FACETS
from core.store.people.token_scopes import READ, WRITE
from pages.api.v1.operation import (
    COLLECTION,
    TEXT_OF,
    Answer,
    Asked,
    Body,
    Operation,
    record,
    text,
)

_FACETS = {"type": "string", "enum": list(FACETS)}
_USERS = {"type": "integer", "minimum": 1, "maximum": MOST_USERS}
DECLARED = record(
    facet=_FACETS, measure=TEXT_OF, version=TEXT_OF, users=_USERS, at_least=_USERS,
    alpha={"type": "number"}, baseline=TEXT_OF, topics={"type": "array", "items": TEXT_OF},
    groups=TEXT_OF, personal={"type": "boolean"},
)  # fmt: skip


def _show(asked: Asked) -> dict[str, Any]:
    return declared_of(Study(asked.store, asked.collection_id, is_masked=True)).to_dict()


def _change(asked: Asked) -> dict[str, Any]:
    changes = dict(asked.body)
    if "topics" in changes:
        changes["topics"] = tuple(changes["topics"])
    study = Study(asked.store, asked.collection_id, is_masked=True)
    return declare(study, changes, asked.by).to_dict()


OPERATIONS = (
    Operation(
        "showDeclaration", "GET", "/collections/{collection}/declaration",
        "What the study declares", READ, _show, Answer("All of it.", DECLARED),
        ("organiser", "viewer"), (COLLECTION,), subject="Results",
    ),
    Operation(
        "changeDeclaration", "PUT", "/collections/{collection}/declaration",
        "Declare something else", WRITE, _change, Answer("All of it, as it is now.", DECLARED),
        ("organiser",), (COLLECTION,),
        Body(
            "What changes; all else stays as it is.",
            {
                "type": "object",
                "properties": {
                    "facet": _FACETS,
                    "measure": text(200, minLength=1),
                    "version": text(300, minLength=1),
                    "users": _USERS,
                    "at_least": _USERS,
                    "alpha": {"type": "number", "minimum": 0, "maximum": 1},
                    "baseline": text(300, description="Empty for none."),
                    "topics": {
                        "type": "array",
                        "items": text(300, minLength=1),
                        "description": "Empty for all.",
                    },
                    "groups": text(
                        LONGEST_NAME, description="What groups are by, as expertise."
                    ),
                    "personal": {
                        "type": "boolean",
                        "description": "Small groups are not shown, and groups in no file.",
                    },
                },
                "additionalProperties": False,
            },
        ),
        subject="Results",
    ),
)  # fmt: skip
"""Of the declaration."""
