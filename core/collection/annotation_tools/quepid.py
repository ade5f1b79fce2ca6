"""Quepid's books: query, document, and a column of ratings for each rater.

The reader is the one of tables with a column a rater in ``core.collection.labels.label_formats``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.collection.annotation_tools.texts import Texts, write_level
from core.collection.export.delimited import write_table
from core.collection.labels.label_options import JUDGED
from core.collection.records import PAGE
from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

_SIGNS = ("-", "=", "+", "@")
_ITEM = ["topic_id", "document_id"]


def write_quepid(labels: pd.DataFrame, texts: Texts) -> bytes:
    """Return the levels of pages as a book: ``query,docid``, and a column for each assessor.

    The query stands for its topic where no other topic has the same one; otherwise the topic's id
    does. A text that a spreadsheet would take for a formula begins with a space, as in Quepid's own
    files. Repeats, snippets and *cannot judge* have no place in a book.

    Raises
    ------
    BadInput
        No page has a level.
    """
    import pandas as pd

    pages = labels[
        (labels["facet"] == PAGE) & (labels["state"] == JUDGED) & (labels["occasion"] == 0)
    ]
    if pages.empty:
        raise BadInput("a Quepid book holds levels of pages; there are none", field="tool")
    topics = pages["topic_id"].unique()
    queries = [texts.queries.get(topic) or topic for topic in topics]
    named = queries if len({one.strip() for one in queries}) == len(queries) else list(topics)
    query_of = dict(zip(topics, named, strict=True))
    items = pages[_ITEM].drop_duplicates()
    book = pd.DataFrame(
        {
            "query": [_guard(query_of[topic]) for topic in items["topic_id"]],
            "docid": [_guard(document) for document in items["document_id"]],
        }
    )
    keys = list(items.itertuples(index=False, name=None))
    for assessor, own in pages.groupby("assessor_id", sort=False):
        judged = zip(*(own[name] for name in _ITEM), strict=True)
        levels = dict(zip(judged, own["level"], strict=True))
        book[_guard(str(assessor))] = [
            write_level(levels[key]) if key in levels else "" for key in keys
        ]
    return write_table(book)


def _guard(text: str) -> str:
    return f" {text}" if text.startswith(_SIGNS) else text
