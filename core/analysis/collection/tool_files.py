"""Labels and preferences of a collection as other tools read them."""

import pandas as pd

from core.collection.annotation_tools.texts import Texts
from core.collection.annotation_tools.writers import (
    LABEL_WRITERS,
    PREFERENCE_WRITERS,
    find_writer,
)
from core.collection.labels.label_options import CANNOT_JUDGE, JUDGED
from core.collection.topics_and_documents.page_text import read_page_text
from core.store.events.frames import read_documents, read_results, read_topics
from core.store.store import Store


def write_labels_for(
    store: Store, collection_id: str, tool: str, labels: pd.DataFrame
) -> tuple[bytes, int]:
    """Return labels as a tool reads them, and how many they are.

    Raises
    ------
    BadInput
        There is no such tool, or it has no place for such labels.
    """
    writer = find_writer(LABEL_WRITERS, tool)
    said = labels[labels["state"].isin([JUDGED, CANNOT_JUDGE])]
    level = said["given_level"] if "given_level" in said else said["level"]
    frame = said.assign(level=level)
    return writer.write(frame, read_texts(store, collection_id)), len(frame)


def write_preferences_for(
    store: Store, collection_id: str, tool: str, preferences: pd.DataFrame
) -> tuple[bytes, int]:
    """Return preferences as a tool reads them, and how many they are; raises as for labels."""
    writer = find_writer(PREFERENCE_WRITERS, tool)
    return writer.write(preferences, read_texts(store, collection_id)), len(preferences)


def read_texts(store: Store, collection_id: str) -> Texts:
    """Return what the topics, documents and snippets of a collection say."""
    topics = read_topics(store, collection_id)
    documents = read_documents(store, collection_id)
    results = read_results(store, collection_id)
    keys = zip(results["topic_id"], results["engine"], results["document_id"], strict=True)
    told = (
        (title, text or read_page_text(html))
        for title, text, html in zip(
            documents["title"], documents["text"], documents["html"], strict=True
        )
    )
    return Texts(
        dict(zip(topics["topic_id"], topics["query"], strict=True)),
        dict(zip(documents["document_id"], told, strict=True)),
        dict(zip(keys, results["snippet"], strict=True)),
    )
