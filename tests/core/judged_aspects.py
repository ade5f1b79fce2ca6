"""A collection in which three assessors have judged pages and, of some, an aspect as well."""

import uuid

from core.collection.aspects import Aspect
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import FACETS, Level, numeric_scale
from core.store.content.aspects import add_aspect
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.store import Store

TRUST = Aspect(
    "trust",
    ("page",),
    "Would you trust it?",
    (Level(0, "No", "", "1", 0), Level(1, "Half", "", "2", 1), Level(2, "Wholly", "", "3", 1)),
    from_level=1,
)
AGE = Aspect("age", FACETS, "Is it new?", numeric_scale(range(2)), may_be_left_out=True)
TOPICS, PAGES, ASSESSORS = 6, 5, ("anna", "bob", "carla")


def said_of(topic: int, page: int, place: int) -> tuple[int, tuple[tuple[str, int | None], ...]]:
    """Return relevance, and the aspects, that an assessor gave a page; some of them by rote."""
    level = (topic + page + (place == 2 and page == 3)) % 4
    trust = (topic * page + place * (page == 4)) % 3
    said: list[tuple[str, int | None]] = [("trust", trust)] if level >= 1 else []
    return level, (*said, ("age", None if page == 1 else (topic + place * page) % 2))


def build(store: Store) -> str:
    """Fill a store; returns the id of the collection."""
    made = create_collection(store, "Judged")
    topics = "".join(f"t{topic}\tquery {topic}\n" for topic in range(TOPICS))
    documents = "".join(f"d{page}\tText {page}\n" for page in range(PAGES))
    for kind, text in (("topics", f"id\tquery\n{topics}"), ("documents", f"id\ttext\n{documents}")):
        write_import(store, made, read_import(kind, Source(f"{kind}.tsv", text.encode())))
    for aspect in (TRUST, AGE):
        add_aspect(store, made, aspect)
    events = []
    for place, who in enumerate(ASSESSORS):
        add_member(store, made, who, who.title())
        for topic in range(TOPICS):
            for page in range(PAGES):
                level, said = said_of(topic, page, place)
                key = Key(f"t{topic}", f"d{page}", "page", "", who, 0)
                event = LabelEvent(str(uuid.uuid4()), None, key, "level", level, aspects=said)
                events.append(event)
    store.labels.append(made, events)
    return made
