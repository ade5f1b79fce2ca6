"""What somebody marked in a text with a label: stretches of it, and which text it was."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from core.store.file.database import Rows

MOST_PASSAGES = 20
"""How many passages one label may have."""

_COLUMNS = ("event_id", "collection_id", "number", "start_offset", "end_offset", "text_hash")

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


def passage_rows(marked: Iterable[tuple[str, str, Marked]]) -> Rows:
    """Return the rows that store passages of label events.

    Parameters
    ----------
    marked : iterable of (event id, collection id, Marked)
        At least one, each with a passage.
    """
    rows = [
        (event_id, collection_id, number, *span, one.text_hash)
        for event_id, collection_id, one in marked
        for number, span in enumerate(one.spans, start=1)
    ]
    return Rows("passages", _COLUMNS, rows)
