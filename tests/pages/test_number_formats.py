"""Numbers are told in one way wherever they are read: decimals, thousands, headers of columns."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from streamlit.proto.Dataframe_pb2 import Dataframe
from streamlit.testing.v1 import AppTest

from core.settings import ROOT
from pages.shared.navigation import PAGES
from tests.pages.conftest import lasting_live_demo, lasting_organiser
from tests.pages.parts import list_views, mark_views

store, organiser = lasting_live_demo, lasting_organiser

PLACES = ("pages", "core/figures", "core/reports", "core/analysis", "core/command/printing")

TAUGHT = re.compile(r"(^|/)(learn|lesson)(/|\.py$|_)")
"""Lessons write numbers as their textbooks do."""

PAID = re.compile(r"[Pp]rice|money|spent|cost|amount|\brate\b|hours")
"""What is paid for hours is counted in hundredths, for a machine's answers in less."""

OTHER = re.compile(r"(?:%\+?|:[+,]*)\.[246]f")


def test_no_statistic_has_other_decimals():
    paths = [path for place in PLACES for path in (ROOT / place).rglob("*.py")]
    assert len(paths) > 150
    assert [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in paths
        if not TAUGHT.search(path.relative_to(ROOT).as_posix())
        for line in path.read_text(encoding="utf-8").splitlines()
        if not PAID.search(line)
        for found in OTHER.finditer(line)
        if "rgba" not in line  # a shade is no statistic
        and r"\tall\t" not in line  # trec_eval prints four
    ] == []


ONE_NAME = {
    "κ linear": "linear weighted κ",
    "κ, unweighted": "unweighted κ",
    '"same level': "raw agreement",
    "turned round": "reversed",
    "uniform RMS": "RMS, number only",
    "p(top|level)": "p(top | level)",
    "isagreement weight": "UDM weight",
    "chance of top": "p(top | level)",
    "of them top": "top cases",
    '"judged"}': "judged share",
    "move > 2": "moves > 2 ranks",
}
"""What was called otherwise here and there, and what the glossary or a table calls it."""


def test_a_statistic_has_one_name_on_pages_in_figures_and_in_tables_of_commands():
    places = ("pages", "core/figures", "core/command")
    paths = [path for place in places for path in (ROOT / place).rglob("*.py")]
    assert [
        f"{path.relative_to(ROOT)}: {other}, which is {name}"
        for path in paths
        if not TAUGHT.search(path.relative_to(ROOT).as_posix())
        for other, name in ONE_NAME.items()
        if other in path.read_text(encoding="utf-8")
    ] == []


VIEWS: list[tuple[str, dict[str, Any]]] = [
    *list_views(page.path for page in PAGES if "organiser" in page.roles),
    ("preferences", {"preference-part": ("systems", "panel")}),
]
KEPT = {
    *("agreement Topics", "assessors", "qrels Levels", "people"),
    *("effectiveness Topic by topic", "export Other tools"),
}
OF_THEIR_OWN = {"matrix", "people", "hours"}
"""Pages with tables that `draw_table` does not draw."""

NAMES = {"τ_AP"}
"""Names of the field that have an underscore."""


def list_columns(table: pd.DataFrame, drawn: Dataframe) -> Iterator[tuple[str, str, str | None]]:
    """Yield the columns of a table that are seen: name, header, and format where it is a number."""
    given = json.loads(drawn.columns or "{}")
    for name in list(drawn.column_order) or list(table):
        column = given.get(name) or {}
        if name in table and not column.get("hidden"):
            kind = column.get("type_config") or {}
            plain = kind.get("type", "number") == "number"
            numeric = pd.api.types.is_numeric_dtype(table[name])
            number = plain and numeric and not pd.api.types.is_bool_dtype(table[name])
            yield name, column.get("label") or name, (kind.get("format") or "") if number else None


def find_unseparated(table: pd.DataFrame, drawn: Dataframe) -> list[str]:
    """Return the columns of numbers that their browser would write as it likes."""
    return [
        header
        for name, header, written in list_columns(table, drawn)
        if written is not None
        and ("," not in written if (table[name].dropna() % 1 == 0).all() else not written)
        and not re.fullmatch(r"%\+?\.[0-9]f|percent|%\.2g", written)
    ]


def drawn_tables(at: AppTest) -> list[tuple[pd.DataFrame, Dataframe]]:
    """Return the tables of a page that nobody can edit."""
    return [
        (one.value, one.proto)
        for one in at.dataframe
        if one.proto.editing_mode == Dataframe.EditingMode.READ_ONLY
    ]


@pytest.mark.parametrize(
    ("path", "state"),
    [pytest.param(*view, marks=marks) for view, marks in mark_views(VIEWS, KEPT)],
)
def test_tables_tell_numbers_and_names_in_one_way(live_demo, organiser, open_page, path, state):
    at = open_page(path, organiser, live_demo, **state)
    assert not at.exception
    for table, drawn in drawn_tables(at):
        headers = [header for _, header, _ in list_columns(table, drawn)]
        assert [one for one in headers if "_" in one and one not in NAMES] == []
        assert path in OF_THEIR_OWN or find_unseparated(table, drawn) == []


def draw_columns() -> None:
    import pandas as pd
    import streamlit as st

    from core.numerals import write_p
    from pages.shared.table import draw_table

    rows = pd.DataFrame(
        {
            "topic_id": ["t1", "t2"],
            "n": [1161, 2],
            "gaps": [1161.0, None],
            "mixed": pd.Series([1161, 2], dtype="object"),
            "hidden": [1161, 2],
            "value": [0.5, 1161.25],
            "p": [0.0001, 0.04],
        }
    )
    number = st.column_config.NumberColumn
    draw_table(
        rows,
        written={"p": write_p},
        column_config={"n": "items", "hidden": None, "value": number(format="%.3f")},
    )
    st.dataframe(rows)


def test_whole_numbers_are_separated_whatever_they_are_held_in():
    (drawn, by_itself) = drawn_tables(AppTest.from_function(draw_columns).run())
    assert list(list_columns(*drawn)) == [
        ("topic_id", "topic", None),
        ("n", "items", "%,d"),
        ("gaps", "gaps", "%,d"),
        ("mixed", "mixed", "%,d"),
        ("value", "value", "%.3f"),
        ("p", "p", None),
    ]
    assert drawn[0]["p"].tolist() == ["< 0.001", "0.040"]
    assert find_unseparated(*drawn) == []
    assert find_unseparated(*by_itself) == ["n", "gaps", "mixed", "hidden", "value", "p"]
