"""Reading several files as one, and choosing their format."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collection.detection import detect_kind
from core.collection.file_format import (
    FOLDERS,
    FORMATS,
    Parsed,
    choose_format,
    file_format,
    formats_of,
)
from core.collection.files.columns import FileColumn
from core.collection.files.likeness import Likeness
from core.collection.files.source import Source
from core.collection.files.tables import read_table
from core.collection.formats import KINDS, explain_kind, find_kind, format_names, read_import
from core.collection.topics_and_documents.documents import DOCUMENTS
from core.discovery import import_modules
from core.errors import BadInput
from tests.each import each
from tests.short import try_often

FIRST = Source("first.run", b"1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n")
EVERY = [entry for kind in KINDS for entry in formats_of(kind)]
SECOND = Source("second.run", b"\n1 Q0 d1 1 2 b\n2 Q0 d1 1 2 a\n")


def test_no_format_stands_where_its_kind_is_not_looked_for():
    import_modules("core.collection")
    ours = [entry for entry in FORMATS if entry.read.__module__.startswith("core.collection.")]
    assert sorted(entry.name for entry in ours) == sorted(entry.name for entry in EVERY)
    for entry in ours:
        assert entry.read.__module__.split(".")[2] in FOLDERS[entry.kind]


def test_kinds_have_formats():
    assert (
        *("topics", "documents", "results", "runs", "qrels", "labels", "aspects", "preferences"),
        "clicks",
    ) == KINDS
    assert {"JSONL", "TSV", "TREC XML", "TREC topics"} <= set(format_names("topics"))
    assert {"doccano JSONL", "ratings CSV", "TSV"} <= set(format_names("labels"))
    for kind in KINDS:
        assert format_names(kind)


@each("entry", EVERY, ids=lambda entry: f"{entry.kind} {entry.name}")
def test_every_format_is_told_from_the_others_by_its_example(entry):
    source = Source("f", entry.example.encode())
    assert len(read_import(entry.kind, source).frames[entry.kind])
    assert choose_format(entry.kind, source, find_kind(entry.kind).options()) is entry
    assert f"**{entry.name}**: {entry.layout}" in explain_kind(entry.kind)
    assert find_kind(entry.kind).meaning in explain_kind(entry.kind)


def test_files_are_read_as_one():
    result = read_import("runs", [FIRST, SECOND])
    assert result.source == "first.run, second.run"
    assert result.counts == {"systems": 2, "topics": 2, "documents": 2, "lines": 4}
    assert result.frames["runs"][["system", "topic_id", "rank"]].values.tolist() == [
        ["a", "1", 1],
        ["a", "1", 2],
        ["a", "2", 1],
        ["b", "1", 1],
    ]
    digests = [hashlib.sha256(file.content).hexdigest() for file in (FIRST, SECOND)]
    assert result.sha256 == hashlib.sha256("\n".join(digests).encode()).hexdigest()


def test_one_file_has_its_own_digest():
    result = read_import("runs", FIRST)
    assert (result.kind, result.source) == ("runs", "first.run")
    assert result.sha256 == hashlib.sha256(FIRST.content).hexdigest()


def test_repeats_across_files_are_refused():
    again = Source("again.run", b"2 Q0 d1 1 1 a\n1 Q0 d2 1 5 a\n")
    with pytest.raises(
        BadInput, match=r"document d2 is already there, on line 2 of first\.run"
    ) as e:
        read_import("runs", [FIRST, again])
    assert (e.value.file, e.value.line) == ("again.run", 2)


def test_repeated_labels_across_files_are_no_occasions():
    text = b"assessor\ttopic\tdocument\tlevel\na\t1\td\t1\n"
    with pytest.raises(BadInput, match=r"on line 2 of one\.tsv") as caught:
        read_import("labels", [Source("one.tsv", text), Source("two.tsv", text)])
    assert (caught.value.file, caught.value.line) == ("two.tsv", 2)


def test_notes_and_counts_of_several_files_are_kept():
    text = "assessor\ttopic\tdocument\tlevel\tmood\n{0}\t1\td\t1\t-\n{0}\t1\te\t9\t-\n"
    files = [Source(f"{name}.tsv", text.format(name).encode()) for name in "ab"]
    result = read_import("labels", files, missing=(9,))
    assert result.counts["missing"] == 2
    assert result.notes == ("a.tsv and 1 more file: not used: the column(s) mood",)
    assert result.formats == ("TSV",)


def test_a_kind_of_note_is_told_once_with_the_sum_of_its_counts():
    files = [
        Source(f"{name}.run", f"1 Q0 d 1 {n} {name} x\n1 Q0 e 2 1 {name} x\n".encode())
        for n, name in enumerate("abc", start=2)
    ]
    (note,) = read_import("runs", files).notes
    assert note == "a.run and 2 more files: lines with words after the tag, which were left out: 6"


def test_a_fault_in_any_file_refuses_all():
    with pytest.raises(BadInput) as caught:
        read_import("runs", [FIRST, Source("bad.run", b"1 Q0 d 1\n")])
    assert (caught.value.file, caught.value.line) == ("bad.run", 1)


def test_progress_rises_to_one():
    heard = []
    big = Source("d.jsonl", b"".join(b'{"id": %d}\n' % n for n in range(20_000)))
    small = Source("e.jsonl", b'{"id": "x"}')
    read_import("documents", [big, small], progress=lambda *said: heard.append(said))
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert [what for _, what in heard if 0 < _ < 0.45] == ["d.jsonl"] * 4
    assert heard[-2:] == [(0.9, "checking"), (1.0, "read")]


def test_a_format_may_be_named():
    text = b"id\tquery\n{1}\tx\n"
    odd = Source("odd.tsv", b"{1}\tcats\n")
    with pytest.raises(BadInput, match="not JSON"):
        read_import("topics", odd)
    assert len(read_import("topics", odd, format_name="TSV").frames["topics"]) == 1
    with pytest.raises(BadInput, match="'Excel' is not a format of topics; known are"):
        read_import("topics", Source("t", text), format_name="Excel")


@each("kind", KINDS)
@each("content", [b"", b"\n\n", b"\xef\xbb\xbf\r\n"])
def test_empty_files_are_refused(kind, content):
    with pytest.raises(BadInput, match="is empty"):
        read_import(kind, Source("f", content))


def test_bad_requests_are_refused():
    with pytest.raises(BadInput, match="'people' cannot be imported; known are topics"):
        read_import("people", FIRST)
    with pytest.raises(BadInput, match="no file of runs"):
        read_import("runs", [])
    with pytest.raises(BadInput, match="topics take no option 'gold'; known are: columns"):
        read_import("topics", FIRST, gold="x")


def test_a_format_is_added_in_one_place():
    columns = (FileColumn("document_id", ("id",), required=True),)

    @file_format(
        kind="documents",
        name="bang",
        layout="ids",
        example="id\nd\n",
        sniff=lambda *_: False,
        detect=lambda sample: Likeness(float("bang" in sample.name)),
    )
    def read_bang(source, _options):
        frame = read_table(source, columns).frame
        return Parsed({"documents": frame.assign(title="!", url="", text="", html="")})

    try:
        assert "bang" in format_names(DOCUMENTS.name)
        result = read_import("documents", Source("f", b"id\nd\n"), format_name="bang")
        assert result.frames["documents"]["title"].tolist() == ["!"]
        assert detect_kind(Source("bang", b"1 Q0\n")).format_name == "bang"
    finally:
        FORMATS.pop()


@st.composite
def spoilt_files(draw):
    """Draw a small file of some kind with a few places overwritten, cut or repeated."""
    kind = draw(st.sampled_from(KINDS))
    data = draw(st.sampled_from(formats_of(kind))).example.encode()
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
        piece = draw(st.binary(max_size=3) | st.sampled_from([b"\n", b"\t", b'"', b"-1", b"nan"]))
        data = data[:start] + piece + data[draw(st.sampled_from([start, end])) :]
    return kind, data


@given(spoilt_files())
@try_often(4)
def test_any_file_is_read_or_refused_by_name(spoilt):
    kind, data = spoilt
    result, error = read_or_refuse(kind, data)
    if result is None:
        assert error.file == "f"
        assert error.reason
    else:
        assert all(len(frame) for name, frame in result.frames.items() if name == kind != "qrels")
        assert not any(str(name)[0] in "_#" for frame in result.frames.values() for name in frame)


def read_or_refuse(kind, data):
    try:
        return read_import(kind, Source("f", data)), None
    except BadInput as error:
        return None, error
