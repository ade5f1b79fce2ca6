"""Which queries of a click log are topics of a collection, and which documents are in it."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from core.store.clicks.click_logs import read_click_items, read_click_queries
from core.store.events.frames import read_topics
from core.store.store import Store

BY_ID, BY_TEXT, SEVERAL, UNKNOWN = "id", "text", "several topics", "unknown"
"""How a query became a topic, or why it did not."""


@dataclass(frozen=True, eq=False)
class JoinedLog:
    """A log beside its collection.

    Attributes
    ----------
    queries : DataFrame
        A row for each query, in the order of ``ClickLog.queries``: query (its text), topic_id
        (empty where there is none) and how, one of BY_ID, BY_TEXT, SEVERAL and UNKNOWN.
    items : DataFrame
        A row for each pair of query and document, in the order of ``ClickLog.items``: topic_id
        (empty where there is none), document_id and is_known (whether it is in the collection).
    """

    queries: pd.DataFrame
    items: pd.DataFrame

    def count(self) -> dict[str, int]:
        """Return how many queries are topics by id and by text, or are none, and so on."""
        how = self.queries["how"]
        documents = self.items.drop_duplicates("document_id")
        return {
            "queries": len(self.queries),
            "by_id": int((how == BY_ID).sum()),
            "by_text": int((how == BY_TEXT).sum()),
            "ambiguous": int((how == SEVERAL).sum()),
            "unknown": int((how == UNKNOWN).sum()),
            "documents": len(documents),
            "unknown_documents": int((~documents["is_known"]).sum()),
        }


def join_log(store: Store, collection_id: str, name: str) -> JoinedLog:
    """Return how a log's queries and documents are found in its collection as it is now."""
    texts = read_click_queries(store, collection_id, name)["text"]
    queries = match_topics(texts, read_topics(store, collection_id))
    items = read_click_items(store, collection_id, name)
    topic = queries["topic_id"].to_numpy()[items["query"].to_numpy()]
    items = items.assign(topic_id=pd.array(topic, dtype="str"))
    return JoinedLog(queries, items[["topic_id", "document_id", "is_known"]])


def match_topics(texts: Iterable[str], topics: pd.DataFrame) -> pd.DataFrame:
    """Return which topic each query is.

    It is the topic whose id it is; or else the one topic whose query is the same text but for
    case, Unicode form and white space.

    Parameters
    ----------
    topics : DataFrame
        topic_id and query.

    Returns
    -------
    DataFrame
        query, topic_id and how, as `JoinedLog` has them.
    """
    ids = set(topics["topic_id"])
    by_text: dict[str, list[str]] = {}
    for topic, query in zip(topics["topic_id"], topics["query"], strict=True):
        by_text.setdefault(fold(query), []).append(topic)
    rows = [(text, *_match(text, ids, by_text)) for text in texts]
    return pd.DataFrame(rows, columns=["query", "topic_id", "how"], dtype="str")


def _match(text: str, ids: set[str], by_text: dict[str, list[str]]) -> tuple[str, str]:
    if text in ids:
        return text, BY_ID
    found = by_text.get(fold(text), [])
    if len(found) > 1:
        return "", SEVERAL
    return (found[0], BY_TEXT) if found else ("", UNKNOWN)


def fold(text: str) -> str:
    """Return a text without what makes no difference between queries.

    Examples
    --------
    >>> fold("  Straße  nach ROM ")
    'strasse nach rom'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
