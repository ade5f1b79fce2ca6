"""A small collection in which two assessors, and on one item a third, marked passages."""

import uuid

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import Key, LabelEvent
from core.store.events.marked import Marked, Span, hash_text
from core.store.people.members import add_member
from core.store.store import Store

TOPICS = ("t1", "t2", "t3", "t4", "t5", "t6")
TEXT = "<b>Cats</b> sleep. Dogs & cats eat. Nobody knows why."
SNIPPET = "Cats sleep …"
CATS, DOGS, WHY = (0, 18), (19, 35), (36, 53)
"""The sentences of the text."""

ANNA = dict.fromkeys(TOPICS, (CATS,))
BOB = {"t1": (CATS,), "t2": (CATS, DOGS), "t3": (DOGS,), "t4": (CATS,), "t5": (CATS, WHY)}


def build_marked(store: Store, people: tuple[str, str, str] = ("anna", "bob", "carla")) -> str:
    """Make the collection and return its id; every topic has one page, and t1 a snippet."""
    made = create_collection(store, "Marked")
    topics = "".join(f"{topic}\tquery {topic}\n" for topic in TOPICS)
    documents = "".join(f"{topic}d\tTitle {topic}\t{TEXT}\n" for topic in TOPICS)
    for kind, text in (
        ("topics", topics),
        ("documents", f"id\ttitle\ttext\n{documents}"),
        ("results", f"topic\tengine\tdocument\trank\tsnippet\nt1\te1\tt1d\t1\t{SNIPPET}\n"),
    ):
        write_import(store, made, read_import(kind, Source("f.tsv", text.encode())))
    for person, name in zip(people, ("Anna", "Bob", "Carla"), strict=True):
        add_member(store, made, person, name)
    for person, spans in zip(people, (ANNA, BOB, {"t1": (WHY,)}), strict=True):
        for topic, own in spans.items():
            mark(store, made, Key(topic, f"{topic}d", "page", "", person, 0), own)
    mark(store, made, Key("t1", "t1d", "snippet", "e1", people[0], 0), ((0, 4),), SNIPPET)
    mark(store, made, Key("t6", "t6d", "page", "", people[1], 0), ((0, 4),), "Other text")
    return made


def mark(
    store: Store, collection_id: str, key: Key, spans: tuple[Span, ...], text: str = TEXT
) -> None:
    """Give a label with passages, in place of the one that stands."""
    known = store.labels.current(collection_id, key.assessor_id).get(key)
    marked = Marked(hash_text(text), spans)
    before = known.event_id if known else None
    event = LabelEvent(str(uuid.uuid4()), before, key, "level", 2, marked=marked)
    store.labels.append(collection_id, [event])
