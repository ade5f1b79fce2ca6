"""What an assignment shows: the judgements it asks for, and everything to be judged."""

from dataclasses import dataclass, field
from typing import Any

from core.store.events.labels import Key


@dataclass(frozen=True)
class Step:
    """One judgement to be made. ``page_from``: only after a snippet judged at least that."""

    topic_id: str
    document_id: str
    facet: str
    engine: str = ""
    occasion: int = 0
    page_from: int | None = None

    def key(self, assessor_id: str) -> Key:
        """Return the key of the label that this step asks an assessor for."""
        return Key(
            self.topic_id,
            self.document_id,
            self.facet,
            self.engine,
            assessor_id,
            self.occasion,
        )


@dataclass(frozen=True)
class Practice:
    """A practice step and the feedback that follows it."""

    step: Step
    level: int
    why: str


Card = dict[str, Any]
"""What is shown of a document: document_id, title, url, text, html, and shared, the place at
which the other side shows it too (None where it does not)."""

Sides = dict[str, tuple[Card, ...]]
"""The cards of both sides of a pair, by 'first' and 'second'."""


@dataclass(frozen=True)
class AssignmentContent:
    """Everything an assignment shows: documents, snippets and pairs by id, and the steps.

    ``pairs`` has what stands side by side, by topic, pair and facet. ``left_out`` is how many
    pairs are not shown, as one side has nothing to show, or both show the same.
    """

    steps: tuple[Step, ...]
    practice: tuple[Practice, ...]
    topics: dict[str, dict[str, Any]]
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    snippets: dict[tuple[str, str, str], str] = field(default_factory=dict)
    pairs: dict[tuple[str, str, str], Sides] = field(default_factory=dict)
    left_out: int = 0
