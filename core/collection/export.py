"""Tables as CSV files that spreadsheets open safely."""

import re

import pandas as pd

FORMULA = r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
"""What a cell begins with that spreadsheets take for a formula; the wide forms in some countries,
and apostrophes before it, so that taking one away restores the text."""

_FORMULA = re.compile(FORMULA)


def write_table(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV with unrounded numbers.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    safe = frame.copy()
    for column in safe.select_dtypes(exclude=["number", "bool", "datetime", "datetimetz"]):
        safe[column] = [
            neutralise(value) if isinstance(value, str) else value for value in safe[column]
        ]
    safe.columns = [neutralise(str(name)) for name in safe.columns]
    return safe.to_csv(index=False).encode()


def neutralise(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text
