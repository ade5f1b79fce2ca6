"""What is known of the items of a job: the topic's texts, and the document's title and text."""

from collections.abc import Iterator, Sequence

from core.collection.records import SNIPPET
from core.collection.topics_and_documents.page_text import read_page_text
from core.prompting.question import Material
from core.prompting.selection import Item
from core.prompting.template import TOPIC
from core.store.content.documents import get_snippet, read_texts, read_topic_texts
from core.store.store import Store

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
