"""Tables as files: exact numbers, the same rows for every reader, nothing that runs."""

import csv
import io
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import core.collection.export.delimited as export
from core.collection.export.delimited import neutralise, restore, write_table, write_tsv
from core.errors import BadInput
from core.settings import ROOT
from tests.each import each

PIECES = st.sampled_from(
    [*("=", "+1", "-", "@a", "\t", "\r", "\n", "\r\n", '"', '""', "'", ",", ";", "|", " ", "\0"),
     *("\x0b", "\x85", "\u2028", "\uff1d", "\ud800", "x", "")]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=6).map("".join) | st.text(st.characters(), max_size=12)
FRAMES = st.integers(1, 3).flatmap(
    lambda width: st.tuples(
        st.lists(TEXTS, min_size=width, max_size=width, unique=True),
        st.lists(st.lists(TEXTS, min_size=width, max_size=width), min_size=1, max_size=4),
    )
)


def make(header: list[str], rows: list[list[str]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=pd.Index(header, dtype=object), dtype=object)


def break_rows(text: str) -> list[str]:
    """Return the rows of a reader that knows quotes, and three ends of a line, and no more."""
    rows, row, quoted = [], "", False
    for one in text.replace("\r\n", "\n"):
        quoted ^= one == '"'
        if one in "\r\n" and not quoted:
            rows.append(row)
            row = ""
        else:
            row += one
    return [*rows, row] if row else rows


@given(FRAMES)
def test_every_reader_finds_the_same_rows(parts):
    header, rows = parts
    written = write_table(make(header, rows)).decode()
    strict = list(csv.reader(io.StringIO(written, newline=""), strict=True))
    assert [len(row) for row in strict] == [len(header)] * (len(rows) + 1)
    assert len(break_rows(written)) == len(rows) + 1
    assert len(pd.read_csv(io.StringIO(written), header=None, keep_default_na=False)) == len(strict)
    assert "\r" not in written
    assert "\0" not in written


def find_formulas(written: str) -> list[str]:
    """Return what begins a cell like a formula for any reader.

    For one that knows quotes, and for those that part at marks and lines without a look at them.
    """
    cells = [cell for row in csv.reader(io.StringIO(written, newline="")) for cell in row]
    cells += [part for cell in cells for part in re.split(r"[\t\r\n,;]", cell)[1:]]
    return [cell for cell in cells if re.match(r"[=+\-@\uff1d\uff0b\uff0d\uff20]", cell)]


@given(FRAMES)
def test_no_cell_begins_a_formula_for_any_reader(parts):
    assert find_formulas(write_table(make(*parts)).decode()) == []


def test_without_the_guard_cells_do(monkeypatch):
    table = make(["=head"], [["=1"], ["a\n=1"], ["a;=cmd();"], ["a\t@b"]])
    assert find_formulas(write_table(table).decode()) == []
    monkeypatch.setattr(export, "neutralise", lambda text: text)
    assert find_formulas(write_table(table).decode()) == ["=head", "=1", "=1", "=cmd()", "@b"]


def test_without_quotes_a_carriage_return_begins_a_row():
    """What the quotes and the one kind of line end are for."""
    table = make(["comment"], [["fine\r=cmd()"]])
    assert len(break_rows(table.to_csv(index=False))) == 3
    assert len(break_rows(write_table(table).decode())) == 2


@given(TEXTS)
def test_what_is_neutralised_is_restored(text):
    assert restore(neutralise(text)) == text


def test_numbers_are_not_rounded_and_formulas_are_texts():
    table = pd.DataFrame({"system": ["=cmd()", "bm25"], "value": [0.1 + 0.2, float("nan")]})
    table["@note"] = pd.Series(["+1", None], dtype="object")
    assert write_table(table).decode().splitlines() == [
        '''"system","value","'@note"''',
        """"'=cmd()","0.30000000000000004","'+1\"""",
        '"bm25","",""',
    ]
    assert table["system"].tolist() == ["=cmd()", "bm25"]
    again = pd.read_csv(io.BytesIO(write_table(table)))
    assert again["value"][0] == 0.1 + 0.2


def test_levels_of_a_category_are_texts_too():
    table = pd.DataFrame({"system": pd.Categorical(["=1", "a"]), "at": pd.to_datetime([0, 1])})
    assert write_table(table).decode().splitlines()[1].startswith(""""'=1","1970-01-01""")


def test_tables_leave_by_these_ways_only():
    """A module that wrote tables by itself would hand out formulas, or rows too many."""

    writers = {
        path.relative_to(ROOT).as_posix()
        for folder in ("core", "pages")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(
            r'\.to_csv\(|csv\.writer\(|DictWriter|to_excel|"\\t"\.join', path.read_text("utf-8")
        )
    }
    hashed_only = {"core/versions/judgements.py"}
    assert writers - hashed_only == {
        "core/bundle/printed.py",
        "core/collection/export/delimited.py",
        "core/collection/export/label_export.py",
        "core/collection/export/table_formats.py",
    }
    for path in writers - hashed_only:
        assert "write_cell" in (ROOT / path).read_text("utf-8"), path


@each("text", ["=1", "+1", "-1", "@a", "\tx", "\r=1", "\nx", "\uff1d1", "'=1"])
def test_a_formula_gets_an_apostrophe(text):
    assert neutralise(text).startswith(f"'{text[0]}")


@each(
    ("text", "written"),
    [("a\n=1", "a\n'=1"), ("a;=1;", "a;'=1;"), ("a,@b", "a,'@b"), ("a\t-1", "a\t'-1")],
)
def test_so_does_one_that_may_begin_a_cell_elsewhere(text, written):
    assert neutralise(text) == written


@each("text", ["", "1", "a=b", "'s-Hertogenbosch", "nDCG@10", "[-0.1, -0.2]", "a - b", "x; -y"])
def test_another_text_stays(text):
    assert neutralise(text) == text


@each("text", ["a\tb", "a\nb", "a\rb", "a\r\nb", "a\0b"])
def test_tsv_refuses_what_it_cannot_hold(text):
    with pytest.raises(BadInput, match="cannot be written in a TSV file") as caught:
        write_tsv(pd.DataFrame({"n": [1], "topic": [text]}))
    assert caught.value.field == "topic"


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1))
def test_a_tsv_file_has_a_line_for_each_row(rows):
    try:
        written = write_tsv(pd.DataFrame(rows, columns=["a", "b"], dtype=object)).decode()
    except BadInput:
        assert any(re.search(r"[\t\n\r\0]", text) for row in rows for text in row)
        return
    lines = written.split("\n")
    assert len(lines) == len(rows) + 2
    read = [tuple(line.split("\t")) for line in lines[1:-1]]
    assert read == [tuple(text.replace("\ud800", "?") for text in row) for row in rows]
