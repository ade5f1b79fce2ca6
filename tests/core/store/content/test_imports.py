"""Imports are taken whole or refused whole, and overwrite nothing."""

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import create_collection
from core.store.content.imports import Incoming, write_import, write_imports
from core.store.content.scales import get_scales, levels_in_use
from core.store.events.frames import (
    count_contents,
    list_qrels,
    read_labels,
    read_qrels,
    read_topics,
)
from core.store.people.members import list_members
from core.store.store import Store
from tests.short import few, long

pytestmark = pytest.mark.contract

TEXTS = {
    "topics": "t1\tfirst\nt2\tsecond\n",
    "documents": "id\ttitle\ttext\nd1\tOne\tText\nd2\tTwo\tText\n",
    "results": "topic\tengine\tdocument\trank\tsnippet\nt1\te\td1\t1\tSnippet\n",
    "runs": "t1 Q0 d1 1 2 run\nt1 Q0 d2 2 1 run\n",
    "qrels": "t1 0 d1 1\nt1 0 d2 0\n",
    "labels": "assessor\ttopic\tdocument\tlevel\ta\tb\na1\tt1\td1\t2\t\t\na2\tt1\td1\t3\t\t\n",
}


@pytest.fixture
def collection_id(store: Store) -> str:
    return create_collection(store, "Small")


def bring(store: Store, collection_id: str, kind: str, text: str, **options: object):
    if kind == "labels":
        options = {"scales": get_scales(store, collection_id)}
    imported = read_import(kind, Source(f"{kind}.tsv", text.encode()), **options)
    return write_import(store, collection_id, imported)


@pytest.mark.parametrize("kind", few(reversed(TEXTS)))
def test_importing_twice_changes_nothing(store: Store, collection_id: str, kind: str):
    first = bring(store, collection_id, kind, TEXTS[kind])
    contents = count_contents(store, collection_id)
    again = bring(store, collection_id, kind, TEXTS[kind])
    assert first["already there"] == 0
    assert sum(count for name, count in again.items() if name != "already there") == 0
    assert again["already there"] == sum(first.values())
    assert count_contents(store, collection_id) == contents


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        ("labels", "assessor\ttopic\tdocument\tlevel\na1\tt1\td1\t0\nnew\tt1\td2\t1\n"),
        pytest.param("topics", "t1\tanother query\n", marks=long),
        pytest.param("documents", "id\ttitle\ttext\nd1\tOne\tOther text\n", marks=long),
        pytest.param(
            "results", "topic\tengine\tdocument\trank\tsnippet\nt1\te\td1\t1\tOther\n", marks=long
        ),
        pytest.param("runs", "t1 Q0 d1 1 2 run\n", marks=long),
        pytest.param("qrels", "t1 0 d1 2\nt1 0 d2 0\n", marks=long),
    ],
)
def test_what_differs_from_what_is_stored_is_refused_whole(
    store: Store, collection_id: str, kind: str, other: str
):
    bring(store, collection_id, kind, TEXTS[kind])
    contents = count_contents(store, collection_id)
    with pytest.raises(BadInput, match="overwritten") as caught:
        bring(store, collection_id, kind, other)
    assert caught.value.file == f"{kind}.tsv"
    assert count_contents(store, collection_id) == contents


@long
@pytest.mark.parametrize("kind", TEXTS)
def test_a_rehearsal_counts_and_leaves_no_trace(store: Store, collection_id: str, kind: str):
    options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
    imported = read_import(kind, Source("file.tsv", TEXTS[kind].encode()), **options)
    before = count_contents(store, collection_id)
    rehearsed = write_import(store, collection_id, imported, rehearse=True)
    assert count_contents(store, collection_id) == before
    assert store.labels.sequence(collection_id) == 0
    assert rehearsed == write_import(store, collection_id, imported)


@long
def test_additions_are_taken_and_the_rest_is_left(store: Store, collection_id: str):
    bring(store, collection_id, "topics", TEXTS["topics"])
    counts = bring(store, collection_id, "topics", "t2\tsecond\nt3\tthird\n")
    assert (counts["topics"], counts["already there"]) == (1, 1)
    assert read_topics(store, collection_id)["topic_id"].tolist() == ["t1", "t2", "t3"]


@long
def test_results_are_runs_too(store: Store, collection_id: str):
    counts = bring(store, collection_id, "results", TEXTS["results"])
    assert counts["results"] == counts["run_lines"] == 1


@long
def test_qrels_are_kept_under_the_name_of_their_file(store: Store, collection_id: str):
    bring(store, collection_id, "qrels", TEXTS["qrels"])
    assert list_qrels(store, collection_id) == ["qrels.tsv"]
    assert read_qrels(store, collection_id, "qrels.tsv")["level"].tolist() == [1, 0]


@long
def test_imported_labels_bring_their_assessors(store: Store, collection_id: str):
    bring(store, collection_id, "labels", TEXTS["labels"])
    members = list_members(store, collection_id)
    assert members["assessor_id"].tolist() == ["a1", "a2"]
    assert set(members["origin"]) == {"imported"}
    labels = read_labels(store, collection_id)
    assert labels["sequence"].tolist() == [1, 2]
    assert labels["level"].tolist() == [2, 3]


@long
def test_nav_counts_as_key_and_is_kept_as_nav(store: Store, collection_id: str):
    text = "assessor\ttopic\tdocument\tlevel\na1\tt1\td1\tNav\n"
    bring(store, collection_id, "labels", text)
    labels = read_labels(store, collection_id)
    assert labels[["level", "given_level"]].values.tolist() == [[3, 4]]


@long
def test_a_level_beside_the_scale_is_refused(store: Store, collection_id: str):
    imported = read_import(
        "labels", Source("l.tsv", b"assessor\ttopic\tdocument\tlevel\na1\tt1\td1\t9\n")
    )
    with pytest.raises(BadInput, match="level 9 is not on"):
        write_import(store, collection_id, imported)
    assert count_contents(store, collection_id)["label events"] == 0


@long
def test_collections_do_not_see_each_other(store: Store, collection_id: str):
    other = create_collection(store, "Other")
    bring(store, collection_id, "labels", TEXTS["labels"])
    bring(store, other, "labels", TEXTS["labels"].replace("\t3\t", "\t0\t"))
    assert read_labels(store, collection_id)["level"].tolist() == [2, 3]
    assert read_labels(store, other)["level"].tolist() == [2, 0]


def labels_of(rows: str, scale=()) -> Incoming:
    text = f"assessor\ttopic\tdocument\tlevel\n{rows}".encode()
    return Incoming(read_import("labels", Source("l.tsv", text), scales={"page": scale}))


@long
def test_several_kinds_and_a_scale_come_in_together_with_an_entry_each(
    store: Store, collection_id: str
):
    topics = Incoming(read_import("topics", Source("t.tsv", b"t1\tfirst\n")))
    qrels = Incoming(read_import("qrels", Source("q", b"t1 0 d1 1\n")), "official")
    first, second = labels_of("a1\tt1\td1\t2\na2\tt1\td1\t0\n"), labels_of("a1\tt1\td2\t1\n")
    scales = {"page": numeric_scale(range(3))}
    incoming = [topics, qrels, first, second]
    rehearsed = write_imports(store, collection_id, incoming, scales=scales, rehearse=True)
    assert len(get_scales(store, collection_id)["page"]) == 5
    assert count_contents(store, collection_id)["topics"] == 0
    assert write_imports(store, collection_id, incoming, scales=scales, by="o") == rehearsed
    assert [one.get("labels", 0) for one in rehearsed] == [0, 0, 2, 1]
    assert get_scales(store, collection_id)["page"] == numeric_scale(range(3))
    assert list_qrels(store, collection_id) == ["official"]
    assert read_labels(store, collection_id)["sequence"].tolist() == [1, 2, 3]
    audit = read_audit(store, AuditFilter(collection_id=collection_id), 99)
    changes = audit[audit["sequence"].isna()].iloc[::-1]
    told = changes[changes["kind"].isin(["imports", "scales"])]
    assert told["subject"].str.partition(" (")[0].tolist() == [
        "scale",
        "topics from t.tsv",
        "qrels from q",
        "labels from l.tsv",
        "labels from l.tsv",
    ]
    assert told["change"].tolist()[-1].endswith("; added 1 labels")
    assert set(told["person_id"]) == {"o"}


def test_one_fault_keeps_everything_out(store: Store, collection_id: str):
    topics = Incoming(read_import("topics", Source("t.tsv", b"t1\tfirst\n")))
    high = labels_of("a1\tt1\td1\t9\n")
    before = store.state(collection_id)
    with pytest.raises(BadInput, match="level 9 is not on this collection's page scale"):
        write_imports(store, collection_id, [topics, high])
    write_imports(store, collection_id, [labels_of("a1\tt1\td1\t4\n")])
    with pytest.raises(BadInput, match="labels with level 4 are stored"):
        write_imports(store, collection_id, [topics], scales={"page": numeric_scale(range(3))})
    assert count_contents(store, collection_id)["topics"] == 0
    assert store.state(collection_id)[0] == before[0] + 1
    assert levels_in_use(store, collection_id) == {"page": {4}}
