"""How a table is drawn: thousands separated, ids called by what they name, no p of 0."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from pandas.api.types import is_bool_dtype, is_float_dtype, is_integer_dtype, is_numeric_dtype

from core.language.translate import t
from core.reports.report import Column

WHOLE = "%,d"
"""Thousands separated, the same in every browser."""

NOTHING = 0.0005
"""What is nearer to zero has no digit that is drawn."""

HEADERS = {
    "topic_id": "topic", "document_id": "document", "assessor_id": "assessor", "low": "from",
    "high": "to", "reason": "why empty",
}  # fmt: skip
"""What columns are called that no page calls otherwise."""

TOLD_ONCE = ("interval", "unit")
"""Columns that are the same in every row: what is said of the table tells them."""

Writers = Mapping[str, Callable[[Any], str]]
"""What writes the cells of some columns."""


def draw_table(
    data: pd.DataFrame, *, written: Writers | None = None, pinned: str = "", **options: Any
) -> Any:
    """Draw a table without an index; return what ``st.dataframe`` does.

    Parameters
    ----------
    data : DataFrame
        Whole numbers have their thousands separated, unless their column says how it is written.
    written : mapping of str to function, optional
        Columns that are drawn as texts, by what writes their cells.
    pinned : str, optional
        The column that stays where it is when the others are scrolled.
    **options
        What else ``st.dataframe`` takes.
    """
    given = options.pop("column_config", None) or {}
    texts = {name: data[name].map(write) for name, write in (written or {}).items()}
    return st.dataframe(
        _clear_zeros(data).assign(**texts),
        hide_index=True,
        placeholder="–",
        column_config=_describe_columns(data, given, written or {}, pinned),
        **options,
    )


def _describe_columns(
    data: pd.DataFrame, given: Mapping[str, Any], written: Writers, pinned: str
) -> dict[str, Any]:
    """Return how columns are drawn: as given, else by what they hold.

    What is given may be a column of a report. A reason is left out where no row has one.
    """
    named = {name: t(label) for name, label in HEADERS.items() if name in data}
    hidden = {name: None for name in TOLD_ONCE if name in data}
    columns = {**named, **hidden, **given}
    if "reason" in data and not any(str(one).strip() for one in data["reason"].unique()):
        columns["reason"] = None
    for name in map(str, data):
        column = columns.get(name, t(name))
        if isinstance(column, str):
            column = Column(column)
        if isinstance(column, Column):
            columns[name] = _describe(column, data[name], name in written, name == pinned)
    return columns


def _describe(column: Column, cells: "pd.Series[Any]", is_written: bool, is_pinned: bool) -> Any:
    """Return how a column is drawn, by what it holds."""
    settings: Any = {
        "label": column.head,
        "help": column.meaning or None,
        "pinned": is_pinned or None,
    }
    if is_written:
        settings["alignment"] = "right" if is_numeric_dtype(cells) else "left"
        return st.column_config.TextColumn(**settings)
    if column.percent:
        return st.column_config.NumberColumn(**settings, format="percent")
    if _is_whole(cells):
        return st.column_config.NumberColumn(**settings, format=WHOLE)
    if is_float_dtype(_infer(cells).dtype):
        return st.column_config.NumberColumn(**settings, format=f"%,.{column.digits}f")
    return st.column_config.Column(**settings)


def _clear_zeros(data: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which nothing would be drawn as a zero below zero."""
    floats = {str(name): data[name] for name in data if is_float_dtype(data[name])}
    cleared = {}
    for name, column in floats.items():
        values = column.to_numpy(np.float64, na_value=np.nan)
        near = (values > -NOTHING) & (values < 0)
        if near.any():
            cleared[name] = column.mask(near, 0.0)
    return data.assign(**cleared)


def _is_whole(column: "pd.Series[Any]") -> bool:
    """Tell whether a column has whole numbers; gaps in it make them floats."""
    column = _infer(column)
    if is_float_dtype(column.dtype):
        values = column.to_numpy(np.float64, na_value=np.nan)
        known = values[~np.isnan(values)]
        return len(known) > 0 and bool((known % 1 == 0).all())
    return is_integer_dtype(column.dtype) and not is_bool_dtype(column.dtype)


def _infer(column: "pd.Series[Any]") -> "pd.Series[Any]":
    return column.infer_objects() if column.dtype == object else column
