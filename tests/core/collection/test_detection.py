"""What files hold is told from how they begin, and left open where that is not clear."""

import gzip

import pytest

from core.collection.detection import Detection, detect_kind, find_layout, require_kind
from core.collection.file_format import formats_of
from core.collection.files.columns import find_columns
from core.collection.files.likeness import CLEAR, UNLIKE, first_rows
from core.collection.files.source import Source
from core.collection.formats import KINDS, read_import
from core.collection.labels.label_options import ASSESSOR, DOCUMENT, LEVEL, OTHERS, TOPIC
from core.errors import BadInput
from tests.each import each

EVERY = [entry for kind in KINDS for entry in formats_of(kind)]


def detect(text: str, name: str = "f") -> Detection:
    return detect_kind(Source(name, text.encode()))


@each("entry", EVERY, ids=lambda entry: f"{entry.kind} {entry.name}")
def test_each_format_knows_its_own_example(entry):
    packed = Source("f.gz", gzip.compress(entry.example.encode()))
    detected = detect_kind(packed)
    assert (detected.kind, detected.format_name) == (entry.kind, entry.name)
    assert detected.candidates == (entry.kind,)


@each(
    ("text", "kind", "format_name"),
    [
        ("topicID\tworkerID\tdocID\tgold\tlabel\n1\tw\td\t-1\t0\n", "labels", "TSV"),
        ("user,topic,doc,relevance\na,1,d,2\n", "labels", "TSV"),
        (
            '{"topic": 1, "document": "d", "label": 2, "annotator": "a"}\n',
            "labels",
            "doccano JSONL",
        ),
        ("query,document,grade\ncats,d,2\n", "labels", "ratings CSV"),
        ('query,docid,"the rating\n', "labels", "ratings CSV"),
        ("id,query\n1,cats\n", "topics", "TSV"),
        ('{"id": 1, "query": "x", "text": "y"}\n', "topics", "JSONL"),
        ("1 0 10 10\n1 0 11 0\n", "qrels", "TREC qrels"),
        ("# made by hand\n1 Q0 d 2\n", "qrels", "TREC qrels"),
        ("1 10 11 10\n1 11 12 12\n", "preferences", "lines"),
        ("1 run d 1 2.5 tag and more\n", "runs", "TREC run"),
        ("topic\tdocA\tdocB\tchoice\n1\td\te\tfirst\n", "preferences", "TSV"),
    ],
)
def test_likeness_tells_kinds_apart(text, kind, format_name):
    detected = detect(text)
    assert (detected.kind, detected.format_name) == (kind, format_name)


@each(
    ("text", "candidates"),
    [
        ("# Notes\n\nSome words.\n", ()),
        ("[1, 2]\n", ()),
        ("<html><p>no topics</p></html>\n", ()),
        ("{1}\n", ()),
        ('{"a": 1}\n[1]\n', ()),
        ("query,docid\ncats,d\n", ()),
        ("document,first,second\nd,1,2\n", ()),
        ("assessor,topic,document\na,1,d\n", ("labels",)),
        ('{"id": 1, "title": "x"}\n', ("topics", "documents")),
        ("1 d d2 d\n1 1 d 1\n1 2 3 2\n", ("preferences",)),
    ],
)
def test_what_is_not_clear_is_left_open(text, candidates):
    detected = detect(text)
    if detected.kind:
        assert (detected.kind,) == candidates
    else:
        assert detected.candidates == candidates


def test_long_passages_without_a_header_are_no_queries():
    assert detect(f"1\t{'word ' * 30}\n").kind == "topics"
    assert detect(f"1\t{'word ' * 60}\n").candidates == ()
    assert detect("1\tcats\n1\tdogs\n").candidates == ()
    assert detect("1\t5\n2\t6\n").candidates == ()
    assert detect("1\tcats\n2\n").candidates == ()


def test_a_caller_is_told_what_a_file_may_be():
    assert require_kind(Source("r", b"1 Q0 d 1 2 a\n")) == "runs"
    with pytest.raises(BadInput, match="may hold topics or documents; say what it holds: topics"):
        require_kind(Source("t", b'{"id": 1, "title": "x"}\n'))
    with pytest.raises(BadInput, match="looks like nothing that can be imported"):
        require_kind(Source("t", b"Some words.\n"))


def test_a_layout_brings_guessed_columns_that_can_be_read():
    source = Source("l", b"topicID\tworkerID\tdocID\tgold\tlabel\n1\tw\td\t-1\t0\n")
    layout = find_layout("labels", source)
    assert layout.entry.name == "TSV"
    assert layout.header == ("topicID", "workerID", "docID", "gold", "label")
    guessed = {"assessor_id": "workerID", "topic_id": "topicID", "document_id": "docID"}
    assert layout.found == guessed | {"level": "label", "gold": "gold"}
    frame = read_import("labels", source, columns=guessed).frames["labels"]
    assert frame["assessor_id"].tolist() == ["w"]


def test_a_file_that_is_like_no_format_has_that_of_its_kind_which_takes_most():
    layout = find_layout("labels", Source("l", b"a\tb\n1\t2\n"))
    assert layout.entry.name == "TSV"
    assert layout.header == ("a", "b")
    assert UNLIKE.share < CLEAR


def test_each_name_of_a_header_is_one_column_only():
    columns = (ASSESSOR, TOPIC, DOCUMENT, LEVEL, *OTHERS)
    found = find_columns(["query", "query_no", "Doc no", "grade", "Judge"], columns)
    assert found == {
        "assessor_id": "Judge",
        "topic_id": "query",
        "document_id": "Doc no",
        "level": "grade",
    }


@each("kind", ["topics", "documents", "results", "preferences"])
def test_tables_of_every_kind_may_name_their_columns(kind):
    entry = next(one for one in formats_of(kind) if one.columns and one.name != "JSONL")
    header = {"topics": "nr\twords", "documents": "pid\ttext"}.get(kind)
    header = header or entry.example.partition("\n")[0].replace("topic", "need")
    rows = {"topics": "1\tcats", "documents": "d\tx"}.get(kind) or entry.example.splitlines()[1]
    names = {"topics": {"id": "nr", "query": "words"}, "documents": {"id": "pid"}}
    columns = names.get(kind, {"topic": "need"})
    imported = read_import(kind, Source("f", f"{header}\n{rows}\n".encode()), columns=columns)
    assert len(imported.frames[kind]) == 1


def test_a_column_can_be_left_aside():
    text = b"assessor\ttopic\tdocument\tlevel\tgroup\na\t1\td\t2\texperts\n"
    kept = read_import("labels", Source("f", text)).frames["labels"]
    left = read_import("labels", Source("f", text), columns={"group": ""}).frames["labels"]
    assert (kept["group"].tolist(), left["group"].tolist()) == (["experts"], [""])
    with pytest.raises(BadInput, match="there is no column ''"):
        read_import("labels", Source("f", text), columns={"topic": ""})


def test_cells_in_quotes_that_never_end_are_taken_apart_anyhow():
    assert first_rows(Source("f", b'a,"b\n')) == [["a", "b\n"]]
    assert first_rows(Source("f", b'a;"' + b"x" * 200_000 + b"\n"))[0][0] == "a"


@pytest.mark.parametrize(
    ("kind", "line"), [("runs", "1 Q0 d{n} 1 2 a\n"), ("qrels", "1 0 d{n} 1\n")]
)
def test_the_beginning_of_a_large_file_is_enough(kind, line, tmp_path):
    text = "".join(line.format(n=n) for n in range(200_000)).encode()
    path = tmp_path / "large"
    path.write_bytes(text + b"\xff\0")
    sample = Source.at(path).sample()
    assert 0 < len(sample.data) <= 2**20 < len(text)
    assert sample.data.endswith(b"\n")
    assert detect_kind(Source.at(path)).kind == kind
    assert detect_kind(Source("packed", gzip.compress(text))).kind == kind


def test_a_sample_of_one_long_line_is_cut_between_characters():
    sample = Source("long", "é".encode() * 2**20).sample()
    assert set(sample.text) == {"é"}
    sample = Source("odd", b"x" + "é".encode() * 2**20).sample()
    assert sample.text.strip("é") == "x"


def test_what_cannot_be_looked_at_is_refused(tmp_path):
    for source in (
        Source.at(tmp_path / "absent"),
        Source("f.gz", b"\x1f\x8bnothing"),
        Source("empty", b" \n"),
        Source("zeros", b"a\0b"),
    ):
        with pytest.raises(BadInput) as caught:
            detect_kind(source)
        assert caught.value.file == source.name
