"""Tables as they are printed, and where two of them differ."""

import pandas as pd
import pytest

from core.bundle.printed import Cell, compare_printed, print_table, read_printed
from core.errors import BadInput
from tests.each import each

FRAME = pd.DataFrame(
    {
        "name": ["=sum", "b"],
        "n": [1, 2],
        "value": [0.123456, float("nan")],
        "small": [-0.00001, -0.5],
        "few": [True, False],
    }
)


def test_numbers_have_four_decimals_and_texts_are_no_formulas():
    assert print_table(FRAME).decode() == (
        '"name","n","value","small","few"\n'
        '"\'=sum","1","0.1235","0.0000","yes"\n'
        '"b","2","","-0.5000","no"\n'
    )


def test_the_cells_that_differ_are_named():
    other = FRAME.assign(value=[0.123442, 0.5])
    told = compare_printed(print_table(FRAME), print_table(other), "t.csv")
    assert told.cells == (Cell(1, "value", "0.1235", "0.1234"), Cell(2, "value", "", "0.5000"))
    assert told.number == 2
    nothing = compare_printed(print_table(FRAME), print_table(FRAME), "t.csv")
    assert (nothing.number, nothing.cells, nothing.reason) == (0, (), "")


def test_what_differs_below_the_fourth_decimal_is_the_same():
    told = compare_printed(print_table(FRAME), print_table(FRAME.assign(n=[1, 2])), "t.csv")
    near = FRAME.assign(value=[0.123459, float("nan")])
    assert told.number == compare_printed(print_table(FRAME), print_table(near), "t").number == 0


@each(
    ("published", "reason", "number"),
    [
        (print_table(FRAME.drop(columns="n")), "it has other columns", 1),
        (print_table(FRAME.head(1)), "it has 1 rows, and 2 are found", 1),
        (b"", "it has other columns", 1),
        (print_table(FRAME).replace(b'"b"', b"b"), "written in another way", 1),
    ],
)
def test_another_shape_is_said(published, reason, number):
    told = compare_printed(published, print_table(FRAME), "t.csv")
    assert reason in told.reason
    assert told.number == number


def test_a_short_row_differs_where_it_has_nothing():
    cut = print_table(FRAME).replace(b',"-0.5000","no"', b"")
    told = compare_printed(cut, print_table(FRAME), "t.csv")
    assert [cell.column for cell in told.cells] == ["small", "few"]


def test_what_is_no_table_is_refused():
    with pytest.raises(BadInput, match=r"t\.csv.*no table"):
        read_printed(b"\xff", "t.csv")
    with pytest.raises(BadInput, match="no table"):
        read_printed(b'"a', "t.csv")
