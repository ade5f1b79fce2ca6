"""The question about one item: the template with everything filled in."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.collection.labels.label_options import CANNOT_JUDGE
from core.collection.records import SNIPPET, Scale
from core.collection.topics_and_documents.page_text import read_page_text
from core.prompting.selection import Item
from core.prompting.template import BEGIN, END, TEXT, TITLE, TOPIC, Template
from core.store.content.documents import get_snippet, read_texts, read_topic_texts
from core.store.store import Store

_ABSENT = "(none given)"
_CODE_BYTES = 16


@dataclass(frozen=True)
class Material:
    """What a question is made of: the topic's texts, and a document's title and text."""

    query: str
    description: str
    narrative: str
    title: str
    text: str

    def cut(self, longest: int) -> "Material":
        """Return it with no more than so many characters of the text."""
        texts = (self.query, self.description, self.narrative, self.title)
        return Material(*texts, self.text[:longest])


@dataclass(frozen=True)
class Questioner:
    """Asks about one item after the other in the same way.

    Parameters
    ----------
    template : Template
    guidelines : str
        Those of the collection; may be empty.
    scale : tuple of Level
        What can be answered.
    draw : callable
        Draws the code of a block, which nobody who wrote a document can have known.
    """

    template: Template
    guidelines: str
    scale: Scale
    draw: Callable[[], str] = field(default=lambda: secrets.token_hex(_CODE_BYTES), repr=False)

    def ask(self, material: Material) -> list[dict[str, str]]:
        """Return the messages that ask about one item."""
        code = self.draw()
        while code in material.title or code in material.text:
            code = self.draw()
        fields = {
            "query": material.query,
            "description": material.description or _ABSENT,
            "narrative": material.narrative or _ABSENT,
            "guidelines": self.guidelines or _ABSENT,
        }
        return self.template.fill(
            fields
            | {"levels": describe_levels(self.scale), "answer": describe_answer(self.scale)}
            | {BEGIN: f"<<< text {code}", END: f"end of text {code} >>>"}
            | {TITLE: material.title, TEXT: material.text}
        )


def describe_levels(scale: Scale) -> str:
    """Return the levels with their names and meanings, one a line.

    Examples
    --------
    >>> from core.collection.records import numeric_scale
    >>> print(describe_levels(numeric_scale(range(2))))
    0
    1
    """
    return "\n".join(_describe_level(one.level, one.name, one.meaning) for one in scale)


def _describe_level(level: int, name: str, meaning: str) -> str:
    named = f"{level} {name}" if name != str(level) else str(level)
    return f"{named}: {meaning}" if meaning else named


def list_choices(scale: Scale) -> list[str]:
    """Return what can be answered: the levels as texts, and that there is none to give."""
    return [*(str(one.level) for one in scale), CANNOT_JUDGE]


def describe_answer(scale: Scale) -> str:
    """Return how the model is to answer."""
    choices = ", ".join(f'"{one}"' for one in list_choices(scale))
    return (
        'Answer with one JSON object and nothing else: {"reason": "…", "level": "…"}. '
        f'The reason is short. The level is one of {choices}; "{CANNOT_JUDGE}" is for a text '
        "that is missing, cannot be read, or is in a language that you do not know."
    )


def make_schema(choices: Sequence[str]) -> Mapping[str, Any]:
    """Return the ``response_format`` that lets a server give no other answer."""
    schema = {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "level": {"type": "string", "enum": list(choices)},
        },
        "required": ["reason", "level"],
        "additionalProperties": False,
    }
    return {
        "type": "json_schema",
        "json_schema": {"name": "judgement", "strict": True, "schema": schema},
    }


_AT_ONCE = 200


def read_materials(
    store: Store, collection_id: str, items: Sequence[Item]
) -> Iterator[tuple[Item, Material]]:
    """Yield each item with what is known of it, in their order.

    The text is that of the page, read from its HTML where there is no other, or the snippet.
    """
    for start in range(0, len(items), _AT_ONCE):
        some = items[start : start + _AT_ONCE]
        topics = read_topic_texts(store.cursor(), collection_id, {one.topic_id for one in some})
        documents = read_texts(store, collection_id, {one.document_id for one in some})
        for one in some:
            topic, document = topics.get(one.topic_id, {}), documents.get(one.document_id, {})
            if one.facet == SNIPPET:
                place = (one.topic_id, one.document_id, one.engine)
                text = get_snippet(store, collection_id, *place)
            else:
                text = document.get("text") or read_page_text(document.get("html", ""))
            query, description, narrative = (topic.get(name, "") for name in TOPIC)
            title = document.get("title", "")
            yield one, Material(query, description, narrative, title, text)
