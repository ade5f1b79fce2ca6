"""Bytes become numbered lines of text, or are refused with the place at fault."""

import gzip
import hashlib

import pytest

import core.collection.files.source as module
from core.collection.files.source import Source
from core.errors import BadInput
from tests.each import each


def lines(content: bytes) -> list[tuple[int, str]]:
    return list(Source("f.tsv", content).lines())


def test_lines_are_numbered_from_one():
    assert lines(b"a\n\nb\n") == [(1, "a"), (2, ""), (3, "b")]


@each("end", [b"\n", b"\r\n", b"\r"])
def test_line_ends_are_alike(end):
    assert lines(b"a" + end + b"b" + end) == [(1, "a"), (2, "b")]


def test_only_line_ends_end_lines():
    text = "a\u2028b\x0bc\x85d"
    assert lines(text.encode()) == [(1, text)]


def test_byte_order_mark_is_dropped():
    assert lines(b"\xef\xbb\xbfa") == [(1, "a")]


@each("name", ["f.tsv.gz", "f.tsv"])
def test_gzip_is_told_by_content(name):
    content = gzip.compress(b"a\r\n", mtime=0)
    packed = Source(name, content)
    assert packed.text == "a\n"
    assert packed.sha256 == hashlib.sha256(content).hexdigest()


def test_a_gz_name_alone_means_nothing():
    assert Source("f.tsv.gz", b"a\n").text == "a\n"


def test_joined_gzip_members_are_all_read():
    assert Source("f", gzip.compress(b"a\n", mtime=0) + gzip.compress(b"b\n")).text == "a\nb\n"


def test_path_is_read_and_named_as_given(tmp_path):
    path = tmp_path / "runs.v1" / "bm25.run.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(b"x", mtime=0))
    at = Source.at(path)
    assert (at.name, at.stem, at.text) == (str(path), "bm25", "x")


@each(("name", "stem"), [("a/b", "b"), ("b.tar.gz", "b"), (".gz", ".gz"), ("x.1.run", "x.1")])
def test_stem(name, stem):
    assert Source(name, b"x").stem == stem


@each(
    ("content", "reason", "line"),
    [
        (b"", "empty", None),
        (b" \n\n", "empty", None),
        (b"\xef\xbb\xbf", "empty", None),
        (b"a\nb\xff\n", "byte 4 of the text is not UTF-8", 2),
        ("a\n".encode("utf-16"), "UTF-16", 1),
        (b"a\nb\0\n", "NUL", 2),
        (gzip.compress(b"a" * 1000, mtime=0)[:-12], "cut short", None),
        (b"\x1f\x8b\x08rubbish that is not packed", "damaged", None),
    ],
)
def test_what_is_no_text_is_refused(content, reason, line):
    with pytest.raises(BadInput, match=reason) as caught:
        _ = Source("f.tsv", content).data
    assert (caught.value.file, caught.value.line) == ("f.tsv", line)


def test_missing_file_and_folder_are_refused(tmp_path):
    for path in (tmp_path / "none.tsv", tmp_path):
        with pytest.raises(BadInput, match="cannot be read") as caught:
            _ = Source.at(path).data
        assert caught.value.file == str(path)


def test_decompression_bomb_is_refused():
    bomb = gzip.compress(b"a" * (module.HARMLESS + 1), mtime=0)
    with pytest.raises(BadInput, match="more than 100 times its size"):
        _ = Source("bomb.gz", bomb).data


def test_repetitive_small_file_is_no_bomb():
    content = b"a" * 2**20
    assert len(Source("f.gz", gzip.compress(content, mtime=0)).data) == len(content)


def test_too_much_text_is_refused_packed_or_not(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "LARGEST", 2**20)
    content = bytes(range(1, 256)) * 2**13
    (tmp_path / "f").write_bytes(content)
    for given in (content, gzip.compress(content, mtime=0), tmp_path / "f"):
        with pytest.raises(BadInput, match="more than 1 MiB"):
            _ = Source("f", given).data


def test_reading_reports_progress():
    heard = []
    assert len(list(Source("f", b"a\n" * 10_000, heard.append).lines())) == 10_000
    assert heard == [pytest.approx(0.4096), pytest.approx(0.8192)]
