"""Tables as CSV: exact numbers, and nothing that a spreadsheet would run."""

import re
from pathlib import Path

import pandas as pd
import pytest

import core.collection.export as export
from core.collection.export import neutralise, write_table


def test_numbers_are_not_rounded_and_formulas_are_texts():
    table = pd.DataFrame({"system": ["=cmd()", "bm25"], "value": [0.1 + 0.2, float("nan")]})
    table["@note"] = pd.Series(["+1", None], dtype="object")
    lines = write_table(table).decode().splitlines()
    assert lines == ["system,value,'@note", "'=cmd(),0.30000000000000004,'+1", "bm25,,"]
    assert table["system"].tolist() == ["=cmd()", "bm25"]


def test_levels_of_a_category_are_texts_too():
    table = pd.DataFrame({"system": pd.Categorical(["=1", "a"]), "at": pd.to_datetime([0, 1])})
    assert write_table(table).decode().splitlines()[1].startswith("'=1,1970-01-01")


def test_tables_leave_by_these_ways_only():
    """A module that wrote CSV by itself would hand out formulas."""
    root = Path(export.__file__).parent.parent.parent
    writers = {
        path.relative_to(root).as_posix()
        for folder in ("core", "pages")
        for path in (root / folder).rglob("*.py")
        if re.search(r"\.to_csv\(|csv\.writer\(|DictWriter|to_excel", path.read_text())
    }
    tab_separated = {"core/command/pool.py"}
    assert writers - tab_separated == {
        "core/collection/export.py",
        "core/collection/label_export.py",
    }


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\tx", "\r=1", "\nx", "\uff1d1", "'=1"])
def test_a_formula_gets_an_apostrophe(text):
    assert neutralise(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "1", "a=b", "'s-Hertogenbosch"])
def test_another_text_stays(text):
    assert neutralise(text) == text
