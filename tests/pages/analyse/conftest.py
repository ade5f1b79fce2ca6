"""The small collection with two judged topics, and what its scores are computed from."""

import uuid

import pytest

from core.measures.ranking import Rankings, compile_rankings
from core.store.frames import read_labels, read_runs
from core.store.labels import Key, LabelEvent
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion, qrels_from_labels


@pytest.fixture
def judged(store, filled) -> str:
    """The small collection with a second topic judged: d2 is relevant to t2, d1 is not."""
    for document, level in (("d2", 2), ("d1", 0)):
        key = Key("t2", document, "page", "", "a1", 0)
        event = LabelEvent(str(uuid.uuid4()), None, key, "level", level)
        store.labels.append(filled, [event])
    return filled


@pytest.fixture
def version(store, judged) -> QrelsVersion:
    return qrels_from_labels(read_labels(store, judged), QrelsRule("all, maximum"))


@pytest.fixture
def rankings(store, judged, version) -> Rankings:
    return compile_rankings(read_runs(store, judged), version.frame)
