"""Tables as CSV files that spreadsheets open safely."""

import re

import pandas as pd
from pandas.api.types import is_string_dtype

_FORMULA = re.compile(r"'*[=+\-@\t]")


def write_table(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV with unrounded numbers.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    safe = frame.copy()
    for column in safe.columns:
        if is_string_dtype(safe[column]) or safe[column].dtype == object:
            safe[column] = [
                neutralise(value) if isinstance(value, str) else value for value in safe[column]
            ]
    safe.columns = [neutralise(str(name)) for name in safe.columns]
    return safe.to_csv(index=False).encode()


def neutralise(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text
