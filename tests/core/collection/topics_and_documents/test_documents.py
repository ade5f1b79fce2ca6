"""Documents from JSONL and tables."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.collection.files.source import Source
from core.collection.formats import read_import


def test_jsonl(read):
    lines = [
        {"id": "d1", "title": "One", "url": "http://x", "text": " spaced\ttext ", "lang": "en"},
        {"id": 2, "html": "<p>Two</p>"},
    ]
    result = read("documents", "\n".join(map(json.dumps, lines)))
    assert result.frames["documents"].values.tolist() == [
        ["d1", "One", "http://x", " spaced\ttext ", ""],
        ["2", "", "", "", "<p>Two</p>"],
    ]
    assert result.counts == {"documents": 2, "without text": 0}
    assert result.notes == ("not used: the column(s) lang",)


def test_csv_with_line_breaks_in_quotes(read):
    result = read("documents", 'docid,title,text\nd1,"A, b","one\r\ntwo"\nd2,C,\n')
    assert result.frames["documents"]["text"].tolist() == ["one\ntwo", ""]
    assert result.counts == {"documents": 2, "without text": 1}
    assert "not judged" in result.notes[0]


def test_very_long_cells_are_read(read):
    text = "x" * 300_000
    result = read("documents", f'id,text\nd1,"{text}"\n')
    assert result.frames["documents"]["text"].tolist() == [text]


@pytest.mark.parametrize(
    ("text", "match", "line", "field"),
    [
        ("name\ttext\nx\ty\n", "no column 'id', only: name, text", 1, "document_id"),
        ("id\ttext\nd1\tx\nd2\n", "has 1 cells where the header has 2", 3, ""),
        ("id\ttext\nd1\tx\n\ty\n", "empty", 3, "document_id"),
        ('id,text\nd1,"a\nb"\nd1,c\n', "on line 2", 4, "document_id"),
        ('{"id": 1}\n{"id": 2}\n{"id": 1}\n{"id": 1}\n', "and 1 more line", 3, "document_id"),
        ('{"id": 1}\n{"text": "x"}', "empty", 2, "document_id"),
        ('{"id": 1, "text": {}}', "a text or a number", 1, "text"),
        ('{"id": 1}\n"x"', "not a JSON object", 2, ""),
        ("<docs/>", "does not look like documents; known are BEIR corpus, JSONL, CSV", None, ""),
    ],
)
def test_faults_are_named(refuse, text, match, line, field):
    error = refuse("documents", text, match)
    assert (error.line, error.field) == (line, field)


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"))
NAME = CELL.map(str.strip).filter(bool)


@settings(deadline=None)
@given(st.dictionaries(NAME, st.tuples(CELL, CELL), min_size=1), st.sampled_from(["csv", "jsonl"]))
def test_round_trip(documents, ending):
    out = io.StringIO()
    if ending == "csv":
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["id", "text", "html"])
        rows.writerows((key, *texts) for key, texts in documents.items())
    else:
        for key, (text, html) in documents.items():
            out.write(json.dumps({"id": key, "text": text, "html": html}) + "\n")
    source = Source(f"d.{ending}", out.getvalue().encode())
    frame = read_import("documents", source).frames["documents"]
    found = zip(frame["document_id"], frame["text"], frame["html"], strict=True)
    assert list(found) == [(key, *texts) for key, texts in documents.items()]
