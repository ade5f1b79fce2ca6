"""The labels of each import are found again, and folded away where a history is read."""

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.audit.audit import (
    AuditFilter,
    list_label_imports,
    read_audit,
    read_imported,
    span_audit,
)
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.store import Store
from tests.short import long

HEAD = "assessor\ttopic\tdocument\tlevel\n"


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


def bring(store: Store, collection_id: str, name: str, rows: str) -> None:
    write_import(store, collection_id, read_import("labels", Source(name, (HEAD + rows).encode())))


@pytest.fixture
def collection_id(store: Store) -> str:
    collection_id = create_collection(store, "Small")
    other = create_collection(store, "Other")
    bring(store, collection_id, "one.tsv", "a\tt\td1\t1\na\tt\td2\t2\n")
    bring(store, other, "else.tsv", "z\tt\td1\t1\n")
    bring(store, collection_id, "two.tsv", "a\tt\td1\t1\nb\tt\td1\t0\nb\tt\td2\t3\n")
    bring(store, collection_id, "same.tsv", "a\tt\td1\t1\n")
    pair = Source("p", b"t d1 d2 d1\n")
    write_import(store, collection_id, read_import("preferences", pair))
    return collection_id


def test_every_import_has_its_own_labels(store: Store, collection_id: str):
    preferred, second, first = list_label_imports(store, collection_id)
    assert (first.labels, second.labels, preferred.labels) == (2, 2, 1)
    assert second.subject.startswith("labels from two.tsv (")
    assert read_imported(store, collection_id, first, 9)["person"].tolist() == ["a", "a"]
    events = read_imported(store, collection_id, second, 9)
    assert events["person"].tolist() == ["b", "b"]
    assert [one.partition(";")[0] for one in events["change"]] == [
        "none → 0 Non",
        "none → 3 Key",
    ]
    assert read_imported(store, collection_id, second, 9, 1)["sequence"].tolist() == [5]
    assert read_imported(store, collection_id, second, 9, 2).empty
    assert read_imported(store, collection_id, preferred, 9)["sequence"].tolist() == [6]


@long
def test_a_name_that_reads_like_a_count_is_not_taken_for_one(store: Store, collection_id: str):
    labels = read_import("labels", Source("n.tsv", (HEAD + "c\tt\td1\t1\n").encode()))
    write_import(store, collection_id, labels, name="x; added 9 labels")
    latest, *others = list_label_imports(store, collection_id)
    assert latest.labels == 1
    assert len(others) == 3


@long
def test_what_the_record_does_not_account_for_is_not_listed(store: Store, collection_id: str):
    with store.database.write() as cursor:
        cursor.execute("DELETE FROM changes WHERE subject LIKE 'labels from one%'")
    assert list_label_imports(store, collection_id) == []


@long
def test_a_folded_history_has_one_entry_an_import(store: Store, collection_id: str):
    everything = AuditFilter(collection_id=collection_id)
    folded = AuditFilter(collection_id=collection_id, folds_imports=True)
    kinds = read_audit(store, folded, 99)["kind"].value_counts().to_dict()
    assert kinds == {"imports": 4, "collections": 1}
    assert span_audit(store, folded).entries == 5
    newcomers = 3
    assert span_audit(store, everything).entries == 5 + 5 + newcomers
    span = span_audit(store, folded)
    times = read_audit(store, folded, 99)["time"]
    assert (span.entries, span.first, span.last) == (5, times.min(), times.max())
    nothing = span_audit(store, AuditFilter(text="no such thing"))
    assert (nothing.entries, nothing.first, nothing.last) == (0, None, None)
