"""What somebody marked in a text with a label: stretches of it, and which text it was."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

MOST_PASSAGES = 20
"""How many passages one label may have."""

PASSAGES = ("number", "start_offset", "end_offset", "text_hash")
"""The columns of the table besides the ids of event and collection."""

Span = tuple[int, int]
"""Where a passage begins and where it ends, the latter not included: Unicode code points."""


@dataclass(frozen=True)
class Marked:
    """The passages of one label, in the order of the text; none overlaps another.

    ``text_hash`` is that of the text the offsets are in, by `hash_text`: the snippet, or the
    page's text, as it is stored.
    """

    text_hash: str
    spans: tuple[Span, ...]


def hash_text(text: str) -> str:
    """Return what names a text wherever it is: SHA-256 of its UTF-8, in hexadecimal."""
    return sha256(text.encode()).hexdigest()


def passage_rows(marked: Marked) -> Iterator[tuple[int, int, int, str]]:
    """Yield the rows that store the passages of one label, without its ids."""
    for number, span in enumerate(marked.spans, start=1):
        yield number, *span, marked.text_hash
