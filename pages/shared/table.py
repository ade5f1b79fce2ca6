"""How a table is drawn: thousands separated, ids called by what they name, no p of 0."""

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd
import streamlit as st
from pandas.api.types import is_bool_dtype, is_float_dtype, is_integer_dtype

from core.numerals import write_p

WHOLE, TENTHS = "%,d", "%,.1f"
"""Numbers with thousands separated, the same in every browser."""

HEADERS = {"topic_id": "topic", "document_id": "document", "assessor_id": "assessor"}
"""What columns are called that no page calls otherwise."""


def draw_table(data: pd.DataFrame, *, p_values: Collection[str] = (), **options: Any) -> Any:
    """Draw a table without an index; return what ``st.dataframe`` does.

    Parameters
    ----------
    data : DataFrame
        Whole numbers have their thousands separated, unless their column says how it is written.
    p_values : collection of str
        Columns of p-values, written as texts: a number's format cannot say that one is too small
        to be told.
    **options
        What else ``st.dataframe`` takes.
    """
    written = {name: data[name].map(write_p) for name in p_values}
    given = options.pop("column_config", None) or {}
    return st.dataframe(
        data.assign(**written),
        hide_index=True,
        placeholder="–",
        column_config=_describe_columns(data, given, p_values),
        **options,
    )


def _describe_columns(
    data: pd.DataFrame, given: Mapping[str, Any], p_values: Collection[str]
) -> dict[str, Any]:
    """Return how columns are drawn: as given, else by what they hold."""
    named = {name: label for name, label in HEADERS.items() if name in data}
    columns = {**named, **given}
    for name in data:
        label = columns.get(name, name)
        if not isinstance(label, str):
            continue
        if name in p_values:
            columns[name] = st.column_config.TextColumn(label, alignment="right")
        elif _is_whole(data[name]):
            columns[name] = st.column_config.NumberColumn(label, format=WHOLE)
    return columns


def _is_whole(column: "pd.Series[Any]") -> bool:
    """Tell whether a column has whole numbers; gaps in it make them floats."""
    column = column.infer_objects()
    if is_float_dtype(column):
        known = column.dropna()
        return len(known) > 0 and bool((known % 1 == 0).all())
    return is_integer_dtype(column) and not is_bool_dtype(column)
