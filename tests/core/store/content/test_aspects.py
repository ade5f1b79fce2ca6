"""Aspects: added at any time, asked in their order, ended, and never rewritten under labels."""

import uuid
from contextlib import closing
from dataclasses import replace

import pytest

from core.collection.aspects import Aspect
from core.collection.records import FACETS, numeric_scale
from core.errors import BadInput, NotFound
from core.store.audit.audit import AuditFilter, read_audit
from core.store.backup.backup import restore_backup, save_backup
from core.store.content.aspects import (
    LONGEST_NAME,
    add_aspect,
    change_aspect,
    end_aspect,
    find_aspect,
    list_aspects,
)
from core.store.content.collections import create_collection
from core.store.events.labels import Key, LabelEvent
from core.store.store import Store
from tests.short import long

TRUST = Aspect("trust", ("page",), "How far would you trust it?", numeric_scale(range(4)), 1)
AGE = Aspect("age", FACETS, "Is it new?", numeric_scale(range(2)), may_be_left_out=True)
KEY = Key("t1", "d1", "page", "", "anna", 0)


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


@pytest.fixture
def collection(store: Store) -> str:
    made = create_collection(store, "One")
    for aspect in (TRUST, AGE):
        add_aspect(store, made, aspect, by="olga")
    return made


def judge(store: Store, collection: str, *said: tuple[str, int | None]) -> str:
    event = LabelEvent(str(uuid.uuid4()), None, KEY, "level", 2, aspects=said)
    store.labels.append(collection, [event])
    return event.event_id


def test_they_come_back_in_the_order_in_which_they_were_added(store, collection):
    assert list_aspects(store, collection) == (TRUST, AGE)
    assert list_aspects(store, create_collection(store, "Two")) == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": " "}, "needs a name"),
        ({"name": "x" * (LONGEST_NAME + 1)}, "at most"),
        pytest.param({"name": "TRUST"}, "taken", marks=long),
        pytest.param({"name": "Relevance"}, "taken", marks=long),
        pytest.param({"question": ""}, "needs a question", marks=long),
        pytest.param({"facets": ()}, "asked of", marks=long),
        pytest.param({"facets": ("panel",)}, "asked of", marks=long),
        pytest.param({"levels": numeric_scale(range(2))[:1]}, "two levels", marks=long),
        pytest.param({"from_level": 9}, "9 is not on the snippet scale", marks=long),
        pytest.param(
            {"from_level": 4, "facets": FACETS}, "4 is not on the snippet scale", marks=long
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(store, collection, change, reason):
    with pytest.raises(BadInput, match=reason):
        add_aspect(store, collection, replace(AGE, **{"name": "new", **change}))
    assert len(list_aspects(store, collection)) == 2


def test_everything_can_be_changed_before_there_are_labels(store, collection):
    other = replace(TRUST, facets=FACETS, question="Is it true?", from_level=None)
    change_aspect(store, collection, other)
    assert list_aspects(store, collection) == (other, AGE)
    with pytest.raises(NotFound, match="there are trust, age"):
        change_aspect(store, collection, replace(TRUST, name="truth"))


def test_what_labels_rest_on_stays(store, collection):
    judge(store, collection, ("trust", 3))
    for change in ({"question": "Is it true?"}, {"from_level": 0}, {"may_be_left_out": True}):
        with pytest.raises(BadInput, match="only its levels"):
            change_aspect(store, collection, replace(TRUST, **change))
    with pytest.raises(BadInput, match="level 3"):
        change_aspect(store, collection, replace(TRUST, levels=numeric_scale(range(3))))
    wider = replace(TRUST, levels=numeric_scale(range(6)))
    change_aspect(store, collection, wider)
    assert find_aspect(store, collection, "trust") == wider


def test_one_that_ends_stays_known_with_its_labels(store, collection):
    event_id = judge(store, collection, ("trust", 3), ("age", None))
    end_aspect(store, collection, "trust", by="olga")
    ended = find_aspect(store, collection, "trust").ended_at
    assert ended
    end_aspect(store, collection, "trust")
    assert find_aspect(store, collection, "trust").ended_at == ended
    with pytest.raises(BadInput, match="no more"):
        change_aspect(store, collection, TRUST)
    (label,) = store.labels.current(collection, "anna").values()
    assert (label.event_id, label.aspects) == (event_id, (("age", None), ("trust", 3)))


def test_it_is_asked_from_a_level_on_and_until_it_ends():
    assert [TRUST.is_asked("page", level) for level in (0, 1, 2)] == [False, True, True]
    assert not TRUST.is_asked("snippet", 3)
    assert AGE.is_asked("snippet", 0)


@long
def test_the_record_of_changes_has_it(store, collection):
    change_aspect(store, collection, replace(TRUST, question="Is it true?"), by="olga")
    end_aspect(store, collection, "age", by="olga")
    found = read_audit(store, AuditFilter(kind="scales", collection_id=collection), 9)
    assert found["what"].tolist()[:2] == ["end", "replace"]
    assert 'question: "How far would you trust it?" → "Is it true?"' in found["change"].tolist()
    judge(store, collection, ("trust", 3), ("age", None))
    (entry,) = read_audit(store, AuditFilter(kind="labels", collection_id=collection), 9)["change"]
    assert entry == "none → 2 HRel; age: left out; trust: 3"


@long
def test_a_backup_has_aspects_and_what_was_said_of_them(store, collection, tmp_path):
    event_id = judge(store, collection, ("trust", 3))
    save_backup(store, tmp_path / "study.zip")
    restore_backup(tmp_path / "study.zip", tmp_path / "again.duckdb")
    with closing(Store(tmp_path / "again.duckdb")) as again:
        assert list_aspects(again, collection) == (TRUST, AGE)
        (label,) = again.labels.current(collection, "anna").values()
        assert (label.event_id, label.aspects) == (event_id, (("trust", 3),))
