import numpy as np
import pandas as pd
import pytest

from core.collection.files.checks import (
    CODE,
    FILE,
    LINE,
    are_whole,
    number_values,
    read_numbers,
    refuse_repeats,
)
from core.errors import BadInput

COLUMNS = ("topic", "document_id", "engine")


def check(rows):
    frame = pd.DataFrame(rows, columns=list(COLUMNS), dtype="str")
    frame = frame.assign(**{LINE: range(1, len(rows) + 1), FILE: 0})
    refuse_repeats(number_values(frame, COLUMNS), COLUMNS, ["some.tsv"])


def test_rows_that_differ_in_one_column_are_no_repeats():
    check([("1", "a", "x"), ("1", "a", "y"), ("1", "b", "x"), ("2", "a", "x")])
    check([])


def test_the_first_repeat_is_named_and_the_others_counted():
    with pytest.raises(
        BadInput, match=r"some.tsv:3: .*document a, engine x is already there, on"
    ) as found:
        check([("1", "a", "x"), ("1", "b", "x"), ("1", "a", "x"), ("1", "b", "x")])
    assert "line 1" in str(found.value)
    assert "1 more" in str(found.value)


def test_numbers_that_do_not_do_are_refused_by_what_the_file_calls_them():
    frame = pd.DataFrame({"n": ["1", "", "2.5", "-1"], LINE: range(1, 5)})

    def read(rows: int, **others):
        return read_numbers(frame[:rows], "n", are_whole(), "a whole number", file="f", **others)

    assert read(1).tolist() == [1]
    assert read(2, empty=7).tolist() == [1, 7]
    with pytest.raises(BadInput, match=r"^f:2: field 'n': '' is not a whole.* \(and 2 more"):
        read(4)
    with pytest.raises(BadInput, match=r"^f:3: field 'grade': '2.5' is not .* \(and 1 more"):
        read(4, empty=7, field="grade")


def test_whole_numbers_have_their_ends():
    values = np.array([-1, 0, 1, 1.5, 2, 3, np.nan, np.inf])
    assert values[are_whole(least=1, below=3)(values)].tolist() == [1, 2]


def test_a_missing_value_is_a_value_of_its_own():
    check([("1", None, "x"), ("1", "a", "x"), (None, "a", "x")])
    with pytest.raises(BadInput, match="already there, on line 1"):
        check([("1", None, "x"), ("1", None, "x")])


def test_more_combinations_than_64_bits_can_number():
    huge = 2**31 - 2
    codes = [(0, 0, 0), (huge, huge, huge), (0, huge, 0), (huge, 0, huge)]
    frame = pd.DataFrame(codes, columns=[CODE + name for name in COLUMNS])
    frame = frame.assign(**dict.fromkeys(COLUMNS, "x"), **{LINE: range(1, 5), FILE: 0})
    refuse_repeats(frame, COLUMNS, ["some.tsv"])
    with pytest.raises(BadInput, match="already there, on line 2"):
        refuse_repeats(pd.concat([frame, frame.iloc[[1]]]), COLUMNS, ["some.tsv"])
