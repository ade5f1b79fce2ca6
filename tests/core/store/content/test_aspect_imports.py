"""Levels of aspects come to labels that were imported without; all of a file or nothing."""

import uuid

import pytest

from core.collection.aspects import Aspect
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, read_audit
from core.store.check.check_attachments import ASPECTS
from core.store.content.aspects import add_aspect, end_aspect
from core.store.content.collections import create_collection
from core.store.content.imports import Incoming, write_import, write_imports
from core.store.content.scales import get_scales
from core.store.events.aspect_labels import read_aspect_labels
from core.store.events.labels import Key, LabelEvent
from core.store.store import Store
from tests.short import long

LABELS = "assessor,topic,document,level,comment\na,t1,d1,2,why\nb,t1,d1,0,\na,t1,d2,1,\n"
HEAD = "assessor,topic,document,aspect,level,relevance\n"
ROWS = "a,t1,d1,trust,1,2\na,t1,d1,age,,2\nb,t1,d1,age,1,\n"


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


@pytest.fixture
def collection_id(store: Store) -> str:
    made = create_collection(store, "Small")
    add_aspect(store, made, Aspect("trust", ("page",), "?", numeric_scale(range(3)), 1))
    add_aspect(
        store,
        made,
        Aspect("age", ("page", "snippet"), "?", numeric_scale(range(2)), may_be_left_out=True),
    )
    add_aspect(store, made, Aspect("lure", ("snippet",), "?", numeric_scale(range(2))))
    return made


def labels(store: Store, collection_id: str):
    scales = get_scales(store, collection_id)
    return read_import("labels", Source("labels.csv", LABELS.encode()), scales=scales)


def said(text: str):
    return read_import("aspects", Source("aspects.csv", text.encode()))


def stored(store: Store, collection_id: str) -> list[list[object]]:
    """Return what stands of aspects; -1 where one was left out."""
    rows = read_aspect_labels(store, collection_id)
    given = [-1 if level != level else int(level) for level in rows["given_level"]]
    named = rows[["assessor_id", "document_id", "aspect"]].to_numpy().tolist()
    return [[*row, level] for row, level in zip(named, given, strict=True)]


WANTED = [["a", "d1", "trust", 1], ["a", "d1", "age", -1], ["b", "d1", "age", 1]]


@long
def test_they_come_after_the_labels_or_together_with_them(store: Store, collection_id: str):
    incoming = [Incoming(labels(store, collection_id)), Incoming(said(HEAD + ROWS))]
    counts = write_imports(store, collection_id, incoming, rehearse=True)
    assert counts[1] == {"already there": 0, "aspect_labels": 3}
    assert stored(store, collection_id) == []
    write_imports(store, collection_id, incoming)
    assert stored(store, collection_id) == WANTED
    standing = store.labels.current(collection_id, "a")
    assert sorted(one.aspects for one in standing.values()) == [(), (("age", None), ("trust", 1))]
    again = write_import(store, collection_id, said(HEAD + ROWS))
    assert again == {"already there": 3, "aspect_labels": 0}
    more = write_import(store, collection_id, said(HEAD + ROWS + "a,t1,d2,age,0,\n"))
    assert more == {"already there": 3, "aspect_labels": 1}
    assert not ASPECTS.check(store).faults
    told = read_audit(store, AuditFilter(collection_id=collection_id), 50).to_dict("records")
    changes = [one["change"] for one in told if "aspects from aspects.csv" in str(one["subject"])]
    assert len(changes) == 3
    assert changes[0].endswith("added 1 aspect_labels")
    assert "read 3 levels of aspects, 1 left out" in changes[0]


@long
def test_a_state_before_them_is_as_it_was(store: Store, collection_id: str):
    write_import(store, collection_id, labels(store, collection_id))
    state = store.state(collection_id)
    write_import(store, collection_id, said(HEAD + ROWS))
    assert store.state(collection_id)[1] > state[1]
    assert store.labels.current(collection_id, "a")[
        Key("t1", "d1", "page", "", "a", 0)
    ].comment == ("why")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("a,t1,d1,mood,1,\n", "has no aspect 'mood'"),
        pytest.param("a,t1,d1,lure,1,\n", "'lure' is not asked of a page", marks=long),
        pytest.param(
            "a,t1,d1,trust,9,\n", "level 9 is not on the scale of the aspect 'trust'", marks=long
        ),
        pytest.param("a,t1,d1,trust,,\n", "'trust' may not be left out", marks=long),
        pytest.param(
            "a,t1,d3,age,1,\n",
            "a on topic t1, document d3 has no label here; import the labels",
            marks=long,
        ),
        pytest.param(
            "a,t1,d1,age,1,3\n", "said with the relevance 3, but the label here has 2", marks=long
        ),
        pytest.param(
            "b,t1,d1,trust,1,\n", "asked from level 1 on, and the label of b .* has 0", marks=long
        ),
        pytest.param(
            "a,t1,d1,trust,2,\n",
            "differs from what is stored; labels are never overwritten",
            marks=long,
        ),
    ],
)
def test_what_does_not_fit_is_refused_whole(store: Store, collection_id: str, rows, reason):
    write_import(store, collection_id, labels(store, collection_id))
    write_import(store, collection_id, said(HEAD + "a,t1,d1,trust,1,\n"))
    before = stored(store, collection_id)
    with pytest.raises(BadInput, match=reason) as caught:
        write_import(store, collection_id, said(f"{HEAD}a,t1,d2,age,1,\n{rows}"))
    assert caught.value.file == "aspects.csv"
    assert stored(store, collection_id) == before


@long
def test_nothing_is_added_to_what_somebody_has_judged(store: Store, collection_id: str):
    key = Key("t1", "d1", "page", "", "a", 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 2, aspects=(("trust", 1),))
    store.labels.append(collection_id, [event])
    there = write_import(store, collection_id, said(HEAD + "a,t1,d1,trust,1,2\n"))
    assert there == {"already there": 1, "aspect_labels": 0}
    with pytest.raises(BadInput, match="was judged here without 'age'"):
        write_import(store, collection_id, said(HEAD + "a,t1,d1,age,1,2\n"))


@long
def test_an_aspect_that_ended_takes_what_was_said_of_it(store: Store, collection_id: str):
    write_import(store, collection_id, labels(store, collection_id))
    end_aspect(store, collection_id, "age")
    assert write_import(store, collection_id, said(HEAD + "a,t1,d2,age,1,\n"))["aspect_labels"] == 1
