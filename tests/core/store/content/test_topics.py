"""Topics as assessors see them."""

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.documents import read_topic_texts
from core.store.content.imports import write_import
from core.store.store import Store

TOPICS = b"t1\tjaguar\tthe animal\nt2\tlynx\nt3\tpuma\n"


def test_the_texts_of_the_topics_asked_for_come_by_id(store: Store):
    here, there = (create_collection(store, name) for name in ("here", "there"))
    write_import(store, here, read_import("topics", Source("topics.tsv", TOPICS)))
    assert read_topic_texts(store.cursor(), here, {"t1", "t3", "t9"}) == {
        "t1": {"query": "jaguar", "description": "the animal", "narrative": ""},
        "t3": {"query": "puma", "description": "", "narrative": ""},
    }
    assert read_topic_texts(store.cursor(), there, ["t1"]) == {}
