"""What the API can be asked: the one table from which routes, guards and the document are made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.store.people.people import Person
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import Token
from core.store.store import Store

Schema = Mapping[str, Any]
"""JSON Schema, as OpenAPI 3.1 has it."""

PREFIX = "/api/v1"
JSON, TEXT, BYTES = "application/json", "text/plain", "application/octet-stream"
PARQUET = "application/vnd.apache.parquet"

SUBJECTS = (
    "Tokens", "Collections", "Rounds", "People", "Judgements", "Results",
    "Frames and files", "Webhooks",
)  # fmt: skip
"""The order in which they are listed."""


@dataclass(frozen=True)
class Parameter:
    """Something that is asked for in the address; ``many``: it may be there several times."""

    name: str
    schema: Schema
    description: str
    is_needed: bool = False
    many: bool = False


@dataclass(frozen=True)
class Body:
    """What has to be sent: JSON of a schema, or a file (without one)."""

    description: str
    schema: Schema | None = None


@dataclass(frozen=True)
class Answer:
    """What is answered when all is well: JSON of a schema, or a text or file of a kind."""

    description: str
    schema: Schema | None = None
    kind: str = JSON
    status: int = 200


@dataclass(frozen=True)
class Asked:
    """One request that may be answered.

    ``person`` and ``token`` say who asks, and are missing only where no token is needed;
    ``collection_id`` is one that is open to both, or empty where the address names none. ``body``
    is what was sent: checked JSON, or the place of a file with ``size`` bytes. ``address`` is
    where this server is reached.
    """

    store: Store
    person: Person | None
    token: Token | None
    collection_id: str
    values: Mapping[str, Any]
    body: Any
    address: str

    @property
    def by(self) -> str:
        """The id of who asks."""
        return self.person.person_id if self.person else ""

    @property
    def is_masked(self) -> bool:
        """Whether assessors appear by codes only: unless an organiser asks for names."""
        is_organiser = self.person is not None and self.person.role == "organiser"
        return not (is_organiser and self.values.get("names"))

    @property
    def file(self) -> Path:
        """Where the file is that was sent."""
        assert isinstance(self.body, Path)
        return self.body


Act = Callable[[Asked], Any]


@dataclass(frozen=True)
class Operation:
    """One thing that can be asked.

    Parameters
    ----------
    scope : str
        What the token has to allow; empty where any token will do, None where none is needed.
    roles : tuple of str
        Whose tokens; of those whose tokens may allow it.
    act : callable
        Does it on a thread of its own; returns what is answered.
    """

    name: str
    method: str
    path: str
    summary: str
    scope: str | None
    act: Act
    answer: Answer
    roles: tuple[str, ...] = tuple(SCOPES)
    parameters: tuple[Parameter, ...] = ()
    body: Body | None = None
    subject: str = field(default="")

    @property
    def allowed(self) -> tuple[str, ...]:
        """The roles whose tokens may ask for it."""
        return tuple(
            role for role in self.roles if not self.scope or self.scope in SCOPES.get(role, ())
        )


TEXT_OF = {"type": "string"}
NOTES = {"type": "array", "items": TEXT_OF}
COUNT = {"type": "integer", "minimum": 0}
FLAG = {"type": "boolean", "default": False}
TIME = {"type": ["string", "null"], "description": "UTC, ISO 8601"}


def text(most: int = 1000, **more: Any) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "maxLength": most, **more}


def record(**properties: Schema) -> dict[str, Any]:
    """Return the schema of an object that has all of these."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def rows(description: str, *columns: str) -> dict[str, Any]:
    """Return the schema of a table: objects that have these keys."""
    return {
        "type": "array",
        "description": description,
        "items": {
            "type": "object",
            "properties": {name: {} for name in columns},
            "required": list(columns),
        },
    }


COLLECTION = Parameter("collection", text(200, minLength=1), "The collection's id or name.", True)
NAMES = Parameter("names", FLAG, "Ids and names of assessors in place of codes; organisers only.")
FACET = Parameter("facet", {"type": "string", "enum": ["page", "snippet"]}, "Which labels.")
ASPECT = Parameter("aspect", text(200), "Of the levels of this aspect, not of relevance.")
DISCUSSED = Parameter(
    "discussed", FLAG, "As things stand after assessors have seen what others said."
)
EVERYBODY = Parameter(
    "everybody", FLAG, "Also machine members and gold, which count nowhere; rows say which."
)
