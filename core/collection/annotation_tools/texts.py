"""What a label is about, in the words that annotation tools show: query, title and text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.collection.labels.label_options import CANNOT_JUDGE, JUDGED

if TYPE_CHECKING:
    from pandas import DataFrame

_ITEM = ("topic_id", "document_id", "facet", "engine", "occasion")


@dataclass(frozen=True)
class Texts:
    """What topics and documents say, by their ids; what is not there is left out of files.

    Parameters
    ----------
    queries : mapping
        The query of each topic.
    documents : mapping
        The title and the text of each document.
    snippets : mapping
        The snippet of each topic, engine and document.
    """

    queries: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    snippets: Mapping[tuple[str, str, str], str] = field(default_factory=dict)


def items_of(labels: DataFrame) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Yield each item with what was said of it, ordered as the items first occur.

    Only levels and *cannot judge* are said; what was put off is not.
    """
    judged = labels[labels["state"].isin([JUDGED, CANNOT_JUDGE])]
    rows: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in judged.to_dict("records"):
        rows.setdefault(tuple(row[name] for name in _ITEM), []).append(_plain(row))
    for key, given in rows.items():
        yield dict(zip(_ITEM, key, strict=True)), given


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a label with the texts that files hold; an unknown time is empty."""
    from pandas import isna, to_datetime

    time = row.get("time")
    comment = row.get("comment")
    return {
        **{str(name): value for name, value in row.items()},
        "time": "" if time is None or isna(time) else to_datetime(time, utc=True).isoformat(),
        "comment": "" if comment is None or isna(comment) else str(comment),
        "sequence": _whole(row.get("sequence")),
        "dwell_ms": _whole(row.get("dwell_ms")),
    }


def _whole(value: Any) -> int:
    from pandas import isna

    return 0 if value is None or isna(value) else int(value)


def item_data(item: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """Return what a tool keeps and shows of an item: its ids, the query, title and text."""
    return {**item_names(item), **item_texts(item, texts)}


def item_names(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return what tells an item from others."""
    named = {
        "topic": item["topic_id"],
        "document": item["document_id"],
        "facet": item["facet"],
        "occasion": int(item["occasion"]),
    }
    return named | ({"engine": item["engine"]} if item["engine"] else {})


def item_texts(item: Mapping[str, Any], texts: Texts) -> dict[str, str]:
    """Return the query, and title and text of what was judged."""
    topic, document, engine = (item[name] for name in ("topic_id", "document_id", "engine"))
    title, text = texts.documents.get(document, ("", ""))
    snippet = texts.snippets.get((topic, engine, document), "") if engine else ""
    return {"query": texts.queries.get(topic, ""), "title": title, "text": snippet or text}


def write_level(level: Any) -> str:
    """Return a level as text, without a point where it is whole."""
    number = float(level)
    return str(int(number)) if number.is_integer() else repr(number)
