"""The tables of any report at a terminal."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest

from core.command.printing.reports import format_report_table
from core.numerals import write_p
from core.reports.report import Column, Estimated, Report

LIMITS = {"interval": "t", "unit": "topic", "units": 5}


class Rows(Report):
    name = "rows"
    tables: ClassVar = {
        "plain": Estimated(
            "Plain",
            "a mean",
            {"name": Column("who"), "value": Column("mean", digits=2),
             "p": Column("p", write=write_p), "differs": Column("differs"),
             "absent": Column("absent")},
        ),
        "wide": Estimated(
            "Wide",
            "",
            {"name": Column("who"), "year": Column("year"), "value": Column("mean"),
             "rank": Column("rank")},
            across="year",
            spread=("value", "rank"),
        ),
        "none": Estimated("Nothing", "", {"name": Column("who")}),
    }  # fmt: skip
    answer = "There are rows."
    plain = pd.DataFrame(
        [
            {"name": "a", "value": 0.5, "low": 0.25, "high": 0.75, "p": 1e-9, "differs": True,
             "hidden": 1, "reason": ""} | LIMITS,
            {"name": "b", "value": 0.5, "low": np.nan, "high": np.nan, "p": np.nan,
             "differs": pd.NA, "hidden": 1, "reason": "one topic"} | LIMITS,
        ]
    )  # fmt: skip
    wide = pd.DataFrame(
        {"name": ["a", "b", "a"], "year": [2001, 2001, 2002], "value": [0.5, 0.25, 1.0],
         "rank": [1, 2, 1]}
    )  # fmt: skip
    none = pd.DataFrame({"name": []})


def test_people_see_the_columns_that_are_named_and_why_something_is_missing():
    lines = format_report_table(Rows(), "plain").splitlines()
    assert lines[0].split() == ["who", "mean", "[95", "%]", "p", "differs"]
    assert lines[2].split() == ["a", "0.50", "[0.25,", "0.75]", "<", "0.001", "yes"]
    assert lines[3].split() == ["b", "0.50", "–", "–", "one", "topic"]
    assert lines[4] == "95 % limits over topics (5), t"


def test_values_of_a_column_stand_side_by_side():
    lines = format_report_table(Rows(), "wide").splitlines()
    assert lines[0].split() == ["who", "2001", "rank", "2002", "rank"]
    assert lines[2].split() == ["a", "0.500", "1", "1.000", "1"]
    assert lines[3].split() == ["b", "0.250", "2", "–", "–"]


def test_what_is_cut_says_how_much_is_left():
    lines = format_report_table(Rows(), "plain", most=1).splitlines()
    assert lines[3] == "… and 1 more; --format json has all"
    assert format_report_table(Rows(), "none") == ""


@pytest.mark.parametrize("name", list(Rows.tables))
def test_a_part_of_the_rows_is_a_table_too(name):
    report = Rows()
    rows = report.table(name)[:1]
    assert len(format_report_table(report, name, rows).splitlines()) in (0, 3, 4)
