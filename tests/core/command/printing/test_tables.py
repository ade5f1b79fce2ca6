"""Counts in words, and numbers in columns."""

import math

from core.command.printing.tables import format_cell, format_counts, format_interval, format_table
from core.numerals import write_p


def test_one_is_singular_and_zeros_are_left_out():
    counts = {
        "collections": 1,
        "label_events": 1,
        "people": 1,
        "entries": 1,
        "topics": 22,
        "runs": 0,
    }
    assert format_counts(counts) == "1 collection, 1 label event, 1 person, 1 entry, 22 topics"
    assert format_counts({"topics": 0}) == "nothing"


def test_numbers_have_thousands_separated_and_no_minus_before_zero():
    assert [format_cell(value) for value in (1161, 2244.25, -0.0004, -0.5)] == [
        *("1,161", "2,244.250", "0.000", "-0.500"),
    ]
    assert format_interval(-0.0001, -math.inf, 0.25) == "0.000 [-∞, 0.250]"


def test_limits_that_three_decimals_would_write_alike_have_more():
    assert format_interval(0.0001, -0.00002, 0.0003) == "0.00010 [-0.00002, 0.00030]"
    assert format_interval(0.0, 0.0, 0.0) == "0.000 [0.000, 0.000]"


def test_a_small_p_keeps_its_column_to_the_right():
    table = format_table(["p", "x"], [[write_p(0.0001), "a"], [write_p(0.04), "b"]])
    assert table.splitlines()[2:] == ["< 0.001  a", "  0.040  b"]
