"""Guidelines have versions; each label has the one that was in force when it was stored."""

import uuid
from contextlib import closing

import duckdb
import pytest

from core.errors import BadInput
from core.store.content.collections import (
    create_collection,
    describe_collection,
    get_collection,
)
from core.store.content.guidelines import (
    LONGEST_NOTE,
    has_judged_before,
    list_versions,
    read_in_force,
    read_versions,
)
from core.store.events.labels import Key, LabelEvent
from core.store.schema.migrations import MIGRATIONS, define
from core.store.store import Store
from tests.short import long


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


def save(store, collection, guidelines, note="", by="olga"):
    texts = {"name": "One", "description": "", "guidelines": guidelines}
    describe_collection(store, collection, **texts, note=note, by=by)


def judge(store, collection, document, source="judged", who="anna"):
    key = Key("t1", document, "page", "", who, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, source=source)
    return store.labels.append(collection, [event])[0].sequence


def test_each_save_that_changes_them_is_a_version_and_the_old_ones_stay(store):
    collection = create_collection(store, "One", guidelines="First.", by="olga")
    save(store, collection, "Second.", note="  Snippets, too.  ", by="otto")
    save(store, collection, "Second.", note="Nothing changed.")
    versions = list_versions(store, collection)
    told = [(one.number, one.text, one.note, one.written_by) for one in versions]
    assert told == [(1, "First.", "", "olga"), (2, "Second.", "Snippets, too.", "otto")]
    assert versions[0].written_at <= versions[1].written_at
    assert get_collection(store, collection).guidelines == "Second."


def test_without_guidelines_there_is_no_version_until_there_are_some(store):
    collection = create_collection(store, "One")
    assert list_versions(store, collection) == []
    save(store, collection, "Now.")
    save(store, collection, "")
    assert [one.text for one in list_versions(store, collection)] == ["Now.", ""]


@pytest.mark.parametrize("note", ["two\nlines", "two\rlines", "x" * (LONGEST_NOTE + 1)])
def test_what_changed_is_one_short_line(store, note):
    collection = create_collection(store, "One", guidelines="First.")
    with pytest.raises(BadInput, match="what changed"):
        save(store, collection, "Second.", note=note)
    assert get_collection(store, collection).guidelines == "First."
    assert len(list_versions(store, collection)) == 1


@long
def test_each_label_has_the_version_under_which_it_was_stored(store):
    collection = create_collection(store, "One")
    other = create_collection(store, "Two", guidelines="Elsewhere.")
    before = judge(store, collection, "d0")
    save(store, collection, "First.")
    first = judge(store, collection, "d1")
    judge(store, other, "d1")
    save(store, collection, "Second.")
    second = [judge(store, collection, "d2"), judge(store, collection, "d3", who="bob")]
    judge(store, collection, "d4", source="imported")
    found = dict(read_in_force(store, collection).itertuples(index=False, name=None))
    assert found == {first: 1, second[0]: 2, second[1]: 2}
    assert before not in found
    table = read_versions(store, collection)
    assert table[["version", "labels"]].to_numpy().tolist() == [[1, 1], [2, 2]]
    sequences = table["after_sequence"].tolist()
    assert sequences[0] == before < first <= sequences[1] < second[0]


@long
def test_who_has_judged_before_a_version_is_known(store):
    collection = create_collection(store, "One", guidelines="First.")
    judge(store, collection, "d1")
    judge(store, collection, "d2", source="imported", who="carl")
    save(store, collection, "Second.")
    judge(store, collection, "d1", who="bob")
    limit = list_versions(store, collection)[-1].after_sequence
    told = {
        who: has_judged_before(store, collection, who, limit) for who in ("anna", "bob", "carl")
    }
    assert told == {"anna": True, "bob": False, "carl": False}


@long
def test_guidelines_from_before_there_were_versions_are_the_first(tmp_path):
    path = tmp_path / "old.duckdb"
    number = [step.name for step in MIGRATIONS].index("questions and guidelines")
    with duckdb.connect(path) as database:
        define(database, MIGRATIONS[:number])
        for place, step in enumerate(MIGRATIONS[:number], start=1):
            database.execute("INSERT INTO migrations VALUES (?, ?, now())", [place, step.name])
        for name, guidelines in (("c1", "Old."), ("c2", "")):
            database.execute(
                "INSERT INTO collections VALUES (?, ?, '', ?, '', '2026-01-02', NULL, 'en')",
                [name, name, guidelines],
            )
    with closing(Store(path)) as store:
        (version,) = list_versions(store, "c1")
        assert (version.number, version.text, version.after_sequence) == (1, "Old.", 0)
        assert version.written_at.isoformat() == "2026-01-02T00:00:00"
        assert list_versions(store, "c2") == []
