"""How often a reason was given, counted by hand."""

import pandas as pd

from core.preference.reasons import COLUMNS, count_reasons
from tests.core.preference.simulated import preferences

GIVEN = (
    (("1", "a", "b", "first", "x", "a"), ("fresher", "shorter")),
    (("1", "a", "b", "first", "y", "b"), ("fresher",)),
    (("2", "a", "b", "second", "x", ""), ("fresher",)),
    (("2", "a", "b", "tie", "y", "a"), ("the same text",)),
    (("2", "a", "b", "first", "y", "a", 1), ("a hidden repeat",)),
)


def test_reasons_are_counted_by_what_was_preferred_and_where_it_stood():
    rows = [(row, reason) for row, reasons in GIVEN for reason in reasons]
    frame = preferences(*(row for row, _ in rows)).assign(reason=[reason for _, reason in rows])
    table = count_reasons(frame)
    assert tuple(table) == COLUMNS
    assert table.astype(object).where(table.notna(), None).to_numpy().tolist() == [
        ["a", "fresher", 2, 1, 1, 2, 1.0],
        ["a", "shorter", 1, 1, 0, 2, 0.5],
        ["b", "fresher", 1, 0, 0, 1, 1.0],
        ["tie", "the same text", 1, None, None, 1, 1.0],
    ]


def test_nobody_gave_a_reason():
    table = count_reasons(preferences().assign(reason=pd.Series(dtype="str")))
    assert tuple(table) == COLUMNS
    assert table.empty
