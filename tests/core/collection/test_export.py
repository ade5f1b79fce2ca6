"""Tables as CSV: exact numbers, and nothing that a spreadsheet would run."""

import pandas as pd
import pytest

from core.collection.export import neutralise, write_table


def test_numbers_are_not_rounded_and_formulas_are_texts():
    table = pd.DataFrame({"system": ["=cmd()", "bm25"], "value": [0.1 + 0.2, float("nan")]})
    table["@note"] = pd.Series(["+1", None], dtype="object")
    lines = write_table(table).decode().splitlines()
    assert lines == ["system,value,'@note", "'=cmd(),0.30000000000000004,'+1", "bm25,,"]
    assert table["system"].tolist() == ["=cmd()", "bm25"]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\tx", "'=1"])
def test_a_formula_gets_an_apostrophe(text):
    assert neutralise(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "1", "a=b", "'s-Hertogenbosch"])
def test_another_text_stays(text):
    assert neutralise(text) == text
