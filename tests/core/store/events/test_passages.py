"""Passages are stored with their label or not at all, and are never changed."""

import uuid
from contextlib import closing

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.backup.backup import restore_backup, save_backup
from core.store.check.check_attachments import PASSAGES
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import Key, LabelEvent
from core.store.events.marked import Marked, hash_text
from core.store.events.passages import find_marked, read_passages, text_of
from core.store.people.members import add_member
from core.store.store import Store
from tests.short import long

TEXT = "Cats 😀 are e\u0301ager.\n\nNot dogs."
SNIPPET = "… cats …"
FILES = {
    "documents": "id\ttitle\ttext\thtml\nd1\tOne\tFiller\t\nd2\tTwo\t\t<p>\nd3\tThree\tt\t<p>\n",
    "results": f"topic\tengine\tdocument\trank\tsnippet\nt1\te1\td1\t1\t{SNIPPET}\n",
}
PAGE = Key("t1", "d1", "page", "", "anna", 0)
SEEN = Key("t1", "d1", "snippet", "e1", "anna", 0)


@pytest.fixture
def collection(store) -> str:
    made = create_collection(store, "One")
    for kind, text in FILES.items():
        source = Source(f"{kind}.tsv", text.encode())
        write_import(store, made, read_import(kind, source))
    store.database.run("UPDATE documents SET text = ? WHERE document_id = 'd1'", [TEXT])
    for who in ("anna", "bob"):
        add_member(store, made, who, who.title())
    return made


def give(store, collection, key=PAGE, text=TEXT, spans=((0, 6),), **more) -> str:
    event_id = str(uuid.uuid4())
    known = store.labels.current(collection, key.assessor_id).get(key)
    event = LabelEvent(
        event_id,
        more.pop("supersedes", known.event_id if known else None),
        key,
        more.pop("state", "level"),
        more.pop("level", 1),
        marked=Marked(hash_text(text), spans) if spans else None,
    )
    store.labels.append(collection, [event])
    return event_id


@long
def test_passages_of_html_are_of_what_is_read_of_it(store, collection):
    html = "<title>No</title><p>Cats &amp;\n<b>d</b>ogs.<p>Not mice."
    store.database.run("UPDATE documents SET html = ? WHERE document_id = 'd2'", [html])
    key = PAGE._replace(document_id="d2")
    text = text_of(store, collection, key)
    assert text == "Cats & dogs.\nNot mice."
    give(store, collection, key, text, ((0, 12), (17, 21)))
    give(store, collection, key._replace(assessor_id="bob"), "Other text", ((0, 5),))
    found = read_passages(store, collection)
    assert found["quote"].tolist() == ["Cats & dogs.", "mice", ""]
    assert found["characters"].tolist() == [len(text), len(text), 0]
    proved = PASSAGES.check(store)
    assert (proved.checked, proved.faults, proved.notes) == (3, (), ())


def test_passages_are_read_with_their_label_and_their_words(store, collection):
    give(store, collection, spans=((0, 6), (11, 17)))
    give(store, collection, SEEN, SNIPPET, ((2, 6),), state="cannot judge", level=None)
    give(store, collection, PAGE._replace(assessor_id="bob"), spans=())
    frame = read_passages(store, collection)
    assert frame[["facet", "start", "end", "quote", "characters"]].to_numpy().tolist() == [
        ["page", 0, 6, "Cats 😀", 29],
        ["page", 11, 17, "e\u0301ager", 29],
        ["snippet", 2, 6, "cats", 8],
    ]
    assert frame["state"].tolist() == ["level", "level", "cannot judge"]
    assert set(frame["name"]) == {"Anna"}
    assert frame["text_hash"].iloc[0] == hash_text(TEXT)


def test_a_label_given_again_has_passages_of_its_own_and_the_old_ones_stay(store, collection):
    first = give(store, collection)
    second = give(store, collection, spans=((7, 10),))
    assert read_passages(store, collection)["start"].tolist() == [7]
    assert find_marked(store, [first, second]) == {
        first: Marked(hash_text(TEXT), ((0, 6),)),
        second: Marked(hash_text(TEXT), ((7, 10),)),
    }
    give(store, collection, spans=(), state="unjudged", level=None)
    assert read_passages(store, collection).empty
    assert find_marked(store, []) == {}


@long
def test_a_stale_event_keeps_its_passages_as_history_only(store, collection):
    first = give(store, collection)
    late = give(store, collection, spans=((7, 10),), supersedes=None)
    assert read_passages(store, collection)["start"].tolist() == [0]
    assert set(find_marked(store, [first, late])) == {first, late}


def test_sent_twice_they_are_there_once(store, collection):
    event = LabelEvent(
        str(uuid.uuid4()), None, PAGE, "level", 1, marked=Marked(hash_text(TEXT), ((0, 6),))
    )
    receipts = [store.labels.append(collection, [event]) for _ in range(2)]
    assert receipts[0] == receipts[1]
    assert len(read_passages(store, collection)) == 1


def test_a_label_whose_passages_cannot_be_written_is_not_written(store, collection):
    with pytest.raises(Exception, match=r"out of range|too large"):
        give(store, collection, spans=((0, 2**40),))
    assert store.labels.current(collection, "anna") == {}
    assert store.labels.sequence(collection) == 0
    give(store, collection)
    assert len(read_passages(store, collection)) == 1
    assert store.labels.sequence(collection) == 1


@long
def test_of_another_version_of_the_text_nothing_is_quoted(store, collection):
    give(store, collection, text="Cats, as they were.", spans=((0, 4),))
    (row,) = read_passages(store, collection).to_dict("records")
    assert (row["quote"], row["characters"], row["end"]) == ("", 0, 4)


@long
def test_practice_is_left_out(store, collection):
    give(store, collection, PAGE._replace(occasion=-1))
    assert read_passages(store, collection).empty


def test_which_text_can_be_marked(store, collection):
    assert text_of(store, collection, PAGE) == TEXT
    assert text_of(store, collection, SEEN) == SNIPPET
    for document in ("d2", "d3", "nowhere"):
        assert text_of(store, collection, PAGE._replace(document_id=document)) is None
    assert text_of(store, collection, PAGE._replace(facet="page pair")) is None


@long
def test_they_are_kept_through_a_restart_and_a_backup(store, collection, tmp_path):
    give(store, collection)
    before = read_passages(store, collection)
    backup = tmp_path / "backup.zip"
    save_backup(store, backup)
    store.close()
    with closing(Store(store.place)) as opened:
        assert read_passages(opened, collection).equals(before)
    restored = tmp_path / "restored.duckdb"
    restore_backup(backup, restored)
    with closing(Store(restored)) as opened:
        assert read_passages(opened, collection).equals(before)
