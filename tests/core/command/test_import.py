import hashlib
import io
import shutil

import pytest

from core.command import stores
from core.command.main import main
from core.store.content.collections import find_collection
from core.store.content.scales import get_scales
from core.store.events.frames import count_contents, list_qrels, read_labels
from core.store.store import Store
from tests.short import few, long

TOPICS = "topic\tquery\n1\tapples\n2\tpears\n"
FAULTY = {
    "topics.tsv": ("topics", TOPICS + "1\tapples again\n", 4),
    "topics.jsonl": ("topics", '{"id": "1", "query": "apples"}\n{"id": "2"\n', 2),
    "topics.xml": ("topics", '<topics>\n<topic number="1">\n<query>q</topic>\n</topics>\n', 3),
    "documents.jsonl": ("documents", '{"id": "d"}\n\n[]\n', 3),
    "documents.csv": ("documents", "id,title\nd,One\ne,Two,three\n", 3),
    "results.tsv": (
        "results",
        "topic\tengine\tdocument\trank\tsnippet\n1\tx\td\t1\ts\n1\tx\te\tfirst\ts\n",
        3,
    ),
    "some.run": ("runs", "1 Q0 d 1 9 s\n1 Q0 e 2 s\n", 2),
    "some.qrels": ("qrels", "1 0 d 1\n1 0 e much\n", 2),
    "labels.tsv": ("labels", "assessor\ttopic\tdocument\tlevel\na\t1\td\t1\na\t1\te\t9\n", 3),
    "doccano.jsonl": (
        "labels",
        '{"topic": "1", "document": "d", "label": [1]}\n{"topic": "1", "label": [1]}\n',
        2,
    ),
    "ratings.csv": ("labels", "query,docid,kim_rating\nq,d,1\nq,e,good\n", 3),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a store that has a collection and two topics, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "two.tsv").write_text(TOPICS)
    words = ("--store", folder / "s.duckdb", "--collection", "Fruit", "--create")
    assert main(["import", "topics", *map(str, (folder / "two.tsv", *words))]) == 0
    return folder


@pytest.fixture
def store(made, tmp_path):
    """A store of the test's own, with a collection and two topics."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "s.duckdb"


def look(path):
    """Return what the only collection of a store holds."""
    store = Store(path)
    try:
        return count_contents(store, find_collection(store, "Fruit"))
    finally:
        store.close()


@pytest.mark.parametrize("name", few(FAULTY, 2))
def test_a_faulty_line_is_named_and_nothing_is_stored(dissent, store, tmp_path, name):
    kind, content, line = FAULTY[name]
    file = tmp_path / name
    file.write_text(content)
    before = look(store)
    digest = hashlib.sha256(store.read_bytes()).hexdigest()
    result = dissent("import", kind, file, "--store", store, "--collection", "Fruit")
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith(f"dissent: {file}:{line}: ")
    assert hashlib.sha256(store.read_bytes()).hexdigest() == digest
    assert look(store) == before
    new = tmp_path / "new.duckdb"
    assert dissent("import", kind, file, "--store", new, "--collection", "x", "--create").status
    assert not new.exists()


@long
def test_one_faulty_file_among_several_stops_all(dissent, store, tmp_path):
    (tmp_path / "good.run").write_text("1 Q0 d 1 9 good\n")
    (tmp_path / "bad.run").write_text("1 Q0 d 1 9 bad\n1 Q0 d 2 8 bad\n")
    files = (tmp_path / "good.run", tmp_path / "bad.run")
    result = dissent("import", "runs", *files, "--store", store, "--collection", "Fruit")
    assert result.status == 1
    assert f"{tmp_path / 'bad.run'}:2: " in result.err
    assert look(store)["runs"] == 0


def test_counts_are_told_for_people_and_programs(dissent, store, tmp_path):
    (tmp_path / "more.tsv").write_text(TOPICS + "3\tplums\n")
    words = ("import", "topics", tmp_path / "more.tsv", "--store", store, "--collection", "Fruit")
    rehearsed = dissent(*words, "--dry-run")
    assert "would write: 1 topic" in rehearsed.out
    assert look(store)["topics"] == 2
    result = dissent(*words, "--format", "json").json
    assert (result["read"]["topics"], result["written"]["topics"]) == (3, 1)
    assert (result["already_there"], result["refused"], result["dry_run"]) == (2, 0, False)
    assert look(store)["topics"] == 3
    again = dissent(*words).out
    assert "read: 3 topics" in again
    assert again.endswith("; 3 already there\n")


def test_a_store_is_opened_once(dissent, store, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(stores, "Store", lambda place: opened.append(place) or Store(place))
    (tmp_path / "more.tsv").write_text("topic\tquery\n3\tplums\n")
    for kept in (store, tmp_path / "new.duckdb"):
        words = ("--store", kept, "--collection", "Fruit", "--create")
        assert dissent("import", tmp_path / "more.tsv", *words).status == 0
    assert opened == [store, tmp_path / "new.duckdb"]
    assert look(store)["topics"] == 3


def test_a_rehearsal_makes_no_store(dissent, store, tmp_path):
    words = ("import", "topics", tmp_path / "two.tsv", "--collection", "x", "--create", "--dry-run")
    result = dissent(*words, "--store", tmp_path / "none.duckdb", "--format", "json").json
    assert (result["written"]["topics"], result["dry_run"]) == (2, True)
    assert not (tmp_path / "none.duckdb").exists()


def test_what_differs_from_the_store_is_refused(dissent, store, tmp_path):
    (tmp_path / "other.tsv").write_text("topic\tquery\n1\tcherries\n")
    words = ("import", "topics", tmp_path / "other.tsv", "--store", store, "--collection", "Fruit")
    result = dissent(*words)
    assert result.status == 1
    assert "already there with other content" in result.err


def test_without_create_nothing_is_made(dissent, store, tmp_path):
    words = ("import", "topics", tmp_path / "two.tsv", "--collection", "Vegetables", "--store")
    absent = dissent(*words, tmp_path / "none.duckdb")
    assert absent.status == 1
    assert "There is no store" in absent.err
    assert not (tmp_path / "none.duckdb").exists()
    unknown = dissent(*words, store)
    assert unknown.status == 1
    assert "no collection called 'Vegetables' in this store. --create makes it." in unknown.err


@long
def test_a_scale_is_made_with_the_collection_and_kept(dissent, store, tmp_path):
    labels = tmp_path / "labels.tsv"
    labels.write_text("assessor\ttopic\tdocument\tlevel\na\t1\td\tBest\nb\t1\td\tGood\n")
    words = ("import", "labels", labels, "--store", store, "--collection", "New")
    scale = ("--scale", "page=Bad,Good,Best=Good")
    assert dissent(*words, *scale, "--create").status == 0
    opened = Store(store)
    collection_id = find_collection(opened, "New")
    assert [one.name for one in get_scales(opened, collection_id)["page"]] == [
        "Bad",
        "Good",
        "Best",
    ]
    assert list(get_scales(opened, collection_id)) == ["snippet", "page"]
    assert read_labels(opened, collection_id)["level"].tolist() == [1, 1]
    opened.close()
    assert "written: nothing; 2 already there" in dissent(*words, *scale).out
    other = dissent(*words, "--scale", "page=0,1")
    assert other.status == 1
    assert "has another page scale" in other.err


@long
def test_qrels_have_a_name(dissent, store, tmp_path):
    (tmp_path / "some.qrels").write_text("1 0 d 1\n")
    words = ("--store", store, "--collection", "Fruit", "--name", "official")
    assert dissent("import", "qrels", tmp_path / "some.qrels", *words).status == 0
    opened = Store(store)
    assert list_qrels(opened, find_collection(opened, "Fruit")) == ["official"]
    opened.close()
    assert dissent("import", "topics", tmp_path / "two.tsv", *words).status == 2


@long
def test_ratings_with_their_texts(dissent, tmp_path, shared_data):
    words = ("--store", tmp_path / "c.duckdb", "--collection", "Fruit", "--create")
    ratings = shared_data / "chorus" / "ratings.csv"
    result = dissent("import", "labels", ratings, *words, "--texts", "--format", "json").json
    assert result["read"]["assessors"] == 3
    held = look(tmp_path / "c.duckdb")
    assert held["label events"] == result["written"]["labels"] > 9000
    assert held["topics"] > 100
    assert held["documents"] > 1000


def test_an_option_of_another_kind_is_refused(dissent, store, tmp_path):
    words = ("import", "topics", tmp_path / "two.tsv", "--store", store, "--collection", "Fruit")
    result = dissent(*words, "--missing=-2")
    assert result.status == 1
    assert "topics take no option 'missing'" in result.err


def test_standard_input_can_be_imported(dissent, store, tmp_path, monkeypatch):
    given = io.TextIOWrapper(io.BytesIO(b"1 Q0 d 1 9 piped\n"))
    monkeypatch.setattr("sys.stdin", given)
    assert dissent("import", "runs", "-", "--store", store, "--collection", "Fruit").status == 0
    assert look(store)["runs"] == 1


@long
def test_a_bar_is_drawn_on_a_terminal_only(dissent, store, tmp_path, monkeypatch):
    words = ("import", "topics", tmp_path / "two.tsv", "--store", store, "--collection", "Fruit")
    assert "[" not in dissent(*words).err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    drawn = dissent(*words).err
    assert "]  90% checking" in drawn
    assert drawn.endswith("\r")


@pytest.mark.parametrize(
    "words", few([("pool", "--depth", "3"), ("export", "runs"), ("backup", "b.zip")])
)
def test_a_store_that_another_process_holds_is_one_sentence(dissent, held_store, words):
    collection = () if words[0] == "backup" else ("--collection", "x")
    result = dissent(*words, "--store", held_store, *collection)
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith(f"dissent: The store {held_store} is open in process ")
    assert result.err.count("\n") == 1


@long
def test_importing_into_a_held_store_is_one_sentence(dissent, held_store, tmp_path):
    (tmp_path / "two.tsv").write_text(TOPICS)
    words = ("--store", held_store, "--collection", "x", "--create")
    result = dissent("import", "topics", tmp_path / "two.tsv", *words)
    assert result.status == 1
    assert result.err.count("\n") == 1


FILES = {
    "q.tsv": "topic\tquery\n3\tplums\n",
    "s.run": "1 Q0 d 1 9 s\n",
    "l.tsv": "worker\ttopic\tdocID\tlabel\nkim\t1\td\t1\n",
}


@long
def test_the_kind_of_each_file_is_told_from_how_it_begins(dissent, store, tmp_path):
    paths = [tmp_path / name for name in FILES]
    for path in paths:
        path.write_text(FILES[path.name])
    words = ("--store", store, "--collection", "Fruit")
    result = dissent("import", *paths, *words, "--columns", "document=docID")
    assert result.status == 0
    assert f"{paths[2]} holds labels" in result.err
    assert result.out.count("written: ") == 3
    held = look(store)
    assert (held["topics"], held["runs"], held["label events"]) == (3, 1, 1)
    again = dissent("import", *paths, *words, "--missing=9", "--format", "json").json["imports"]
    assert [(one["kind"], one["files"]) for one in again] == [
        ("topics", [str(paths[0])]),
        ("runs", [str(paths[1])]),
        ("labels", [str(paths[2])]),
    ]
    assert [one["already_there"] for one in again] == [1, 1, 1]


def test_of_several_kinds_all_are_stored_or_none(dissent, store, tmp_path):
    (tmp_path / "q.tsv").write_text(FILES["q.tsv"])
    (tmp_path / "l.tsv").write_text("worker\ttopic\tdocument\tlabel\nkim\t1\td\t7\n")
    (tmp_path / "bad.tsv").write_text("topic\tquery\n1\tother fruit\n")
    before = look(store)
    words = ("--store", store, "--collection", "Fruit")
    for faulty, why in (("l.tsv", "'7' is not on the scale"), ("bad.tsv", "other content")):
        result = dissent("import", tmp_path / "q.tsv", tmp_path / faulty, *words)
        assert result.status == 1
        assert why in result.err
        assert look(store) == before


def test_a_file_of_no_known_kind_needs_a_word(dissent, store, tmp_path):
    (tmp_path / "n.txt").write_text("Some notes.\n")
    result = dissent("import", tmp_path / "n.txt", "--store", store, "--collection", "Fruit")
    assert result.status == 1
    assert "n.txt: looks like nothing that can be imported; say what it holds: topics" in result.err


def test_an_option_that_no_kind_has_is_refused(dissent, store, tmp_path):
    (tmp_path / "s.run").write_text(FILES["s.run"])
    words = ("--store", store, "--collection", "Fruit", "--gold", "x")
    result = dissent("import", tmp_path / "s.run", *words)
    assert "runs take no option 'gold'" in result.err


CLICKS = "a\t0\tQ\tapples\t0\td1\td2\na\t1\tC\td2\nb\t0\tC\td1\n"


@long
def test_a_click_log_is_named_and_its_malformed_sessions_are_counted(dissent, store, tmp_path):
    log = tmp_path / "log.tsv"
    log.write_text(CLICKS)
    here = ("--store", store, "--collection", "Fruit")
    refused = dissent("import", "clicks", log, *here)
    assert refused.status == 1
    assert refused.err.startswith(f"dissent: {log}:3: session 'b': a click before any page")
    told = dissent("import", log, *here, "--lenient", "--name", "autumn", "--format", "json")
    assert told.json["kind"] == "clicks"
    assert told.json["read"] == {
        "sessions": 1,
        "pages": 1,
        "clicks": 1,
        "queries": 1,
        "malformed sessions": 1,
    }
    assert told.json["written"] == {"click_logs": 1}
    again = dissent("import", log, *here, "--lenient", "--name", "autumn")
    assert "1 already there" in again.out
    assert look(store)["click logs"] == 1
    written = dissent("export", "clicks", *here, "--log", "autumn")
    assert written.out == (
        '{"session": 0, "query": "apples", "shown": ["d1", "d2"], "clicks": [2]}\n'
    )
    assert dissent("export", "clicks", *here, "--log", "winter").status == 1
    assert dissent("import", "topics", tmp_path / "two.tsv", *here, "--lenient").status == 2
