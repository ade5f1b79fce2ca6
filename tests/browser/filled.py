"""Collections filled for one look at them: files made on the spot, and labels as people give them.

Topics are ``t1, t2 …`` and documents ``d1, d2 …`` throughout.
"""

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store


def fill(store: Store, name: str, **files: str) -> str:
    """Make a collection and import files into it, by their kinds in this order; return its id."""
    collection_id = create_collection(store, name)
    for kind, text in files.items():
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        imported = read_import(kind, Source(f"{kind}.txt", text.encode()), **options)
        write_import(store, collection_id, imported)
    return collection_id


def topics(number: int) -> str:
    """Return a file of so many topics."""
    return "id\tquery\n" + "".join(f"t{n}\tquery {n}\n" for n in range(1, number + 1))


def documents(number: int) -> str:
    """Return a file of so many documents with a text."""
    rows = [{"id": f"d{n}", "title": f"Title {n}", "text": f"Text {n}."} for n in _to(number)]
    return "".join(json.dumps(row) + "\n" for row in rows)


def runs(orders: Mapping[str, Sequence[int]], topics: int) -> str:
    """Return a file of runs that put documents into the same order for each topic, by system."""
    return "".join(
        f"t{topic} Q0 d{document} {rank} {99 - rank} {system}\n"
        for system, order in orders.items()
        for topic in _to(topics)
        for rank, document in enumerate(order, start=1)
    )


def labels(rows: Iterable[tuple[str, int, int, int]]) -> str:
    """Return a file of labels: assessor, number of the topic and of the document, level."""
    lines = [f"{who}\tt{topic}\td{document}\t{level}\n" for who, topic, document, level in rows]
    return "".join(["assessor\ttopic\tdocument\tlevel\n", *lines])


def invite_to(store: Store, collection_id: str, name: str) -> str:
    """Let somebody judge in a collection; returns their id."""
    person = add_person(store, name, "assessor")
    add_member(store, collection_id, person, name)
    return person


def say(
    store: Store,
    collection_id: str,
    who: str,
    topic: int,
    document: int,
    level: int,
    time: datetime | None = None,
) -> None:
    """Give a page a level, as the judging screen does; ``time`` (UTC) is now unless given."""
    key = Key(f"t{topic}", f"d{document}", "page", "", who, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", level, time=time)
    store.labels.append(collection_id, [event])


def _to(number: int) -> range:
    return range(1, number + 1)
