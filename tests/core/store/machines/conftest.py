"""A collection in which a machine may judge."""

import uuid
from collections.abc import Callable

import pytest

from core.store.content.collections import create_collection
from core.store.events.labels import Key, LabelEvent
from core.store.machines.machine_answer import MachineAnswer
from core.store.store import Store

Give = Callable[..., LabelEvent]


@pytest.fixture
def collection(store: Store) -> str:
    return create_collection(store, "One")


@pytest.fixture
def give(store: Store, collection: str) -> Give:
    """Have somebody give a label of a document; a later one of the same replaces the first."""

    def append(
        document: str = "d1",
        state: str = "level",
        level: int | None = 1,
        answer: MachineAnswer | None = None,
        who: str = "llm",
    ) -> LabelEvent:
        key = Key("t1", document, "page", "", who, 0)
        before = store.labels.current(collection, who).get(key)
        known = before.event_id if before else None
        event = LabelEvent(str(uuid.uuid4()), known, key, state, level, answer=answer)
        store.labels.append(collection, [event])
        return event

    return append
