"""The passages that come with a judgement: checked against the text that was handed out."""

import re
from collections.abc import Mapping
from typing import Any

from core.collection.records import PAIR
from core.errors import BadInput
from core.language.translate import t
from core.store.events.labels import Key
from core.store.events.marked import MOST_PASSAGES, Marked, Span, hash_text
from core.store.events.passages import text_of
from core.store.store import Store

LONGEST_TEXT = 20_000_000
"""No text of a page or snippet has more code points."""

_HASH = re.compile("[0-9a-f]{64}")
_FIELD = "passages"


def read_marked(
    store: Store, collection_id: str, key: Key, raw: Mapping[str, Any]
) -> Marked | None:
    """Return the passages of a judgement as a browser sends it; None where there are none.

    ``passages`` are pairs [start, end] in code points, ``text_hash`` says of which text. Where
    the collection by now holds another text than was handed out, they are taken as they are: the
    hash tells whoever reads them that they are of another version.

    Raises
    ------
    BadInput
        There are too many, they are not in order, overlap, reach past the end of the text, or
        come with what is neither a snippet nor a page, or with a judgement that is taken back.
    """
    spans = raw.get(_FIELD)
    if spans is None or spans == []:
        return None
    if key.facet.endswith(PAIR) or raw.get("state") == "unjudged":
        raise BadInput(
            t("passages are marked with the judgement of a snippet or a page"), field=_FIELD
        )
    if not isinstance(spans, list) or len(spans) > MOST_PASSAGES:
        raise BadInput(t("a judgement has at most {n} passages", n=MOST_PASSAGES), field=_FIELD)
    text_hash = raw.get("text_hash")
    if not isinstance(text_hash, str) or not _HASH.fullmatch(text_hash):
        raise BadInput(t("the hash of the text has to be its SHA-256"), field="text_hash")
    text = text_of(store, collection_id, key)
    is_held = text is not None and hash_text(text) == text_hash
    most = len(text) if text is not None and is_held else LONGEST_TEXT
    marked = Marked(text_hash, tuple(_read_span(one) for one in spans))
    _check_order(marked.spans, most)
    return marked


def show_marked(marked: Marked | None) -> dict[str, Any]:
    """Return the passages of a label as its assessor's browser is told them."""
    if marked is None:
        return {"passages": [], "text_hash": None}
    return {"passages": [list(span) for span in marked.spans], "text_hash": marked.text_hash}


def _read_span(raw: Any) -> Span:
    is_pair = isinstance(raw, list) and len(raw) == 2
    if not is_pair or any(isinstance(one, bool) or not isinstance(one, int) for one in raw):
        raise BadInput(t("a passage is a pair of whole numbers: [start, end]"), field=_FIELD)
    return raw[0], raw[1]


def _check_order(spans: tuple[Span, ...], most: int) -> None:
    before = 0
    for start, end in spans:
        if not before <= start < end:
            raise BadInput(
                t("passages are in the order of the text, and none overlap"), field=_FIELD
            )
        if end > most:
            raise BadInput(
                t("the text ends at {total}; a passage ends at {n}", total=most, n=end),
                field=_FIELD,
            )
        before = end
