"""Refusing rows: the first faulty one is named, with its file and line."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from pandas import DataFrame, Series

from core.errors import BadInput

LINE, FILE = "__line__", "__file__"
"""Columns that say where a row came from, until everything has been checked."""


def refuse_where(
    frame: DataFrame,
    faulty: ArrayLike,
    reason: Callable[["Series[Any]"], str],
    *,
    file: str,
    field: str = "",
) -> None:
    """Raise BadInput for the first faulty row, if there is one, and count the others."""
    places = np.flatnonzero(np.asarray(faulty, dtype=bool))
    if not len(places):
        return
    row = frame.iloc[places[0]]
    raise BadInput(reason(row) + _others(len(places)), file=file, line=int(row[LINE]), field=field)


def with_columns(frame: DataFrame, names: Iterable[str]) -> DataFrame:
    """Return the frame with empty text for the columns that the file does not have."""
    return frame.assign(**{name: "" for name in names if name not in frame})


def refuse_repeats(frame: DataFrame, columns: Sequence[str], files: Sequence[str]) -> None:
    """Raise BadInput for the first row whose values an earlier row has in the same columns.

    Parameters
    ----------
    frame : DataFrame
        With LINE, and FILE as a place in ``files``.
    """
    repeated = frame.duplicated(list(columns)).to_numpy()
    if not repeated.any():
        return
    row = frame.iloc[int(repeated.argmax())]
    same = (frame[list(columns)] == row[list(columns)]).all(axis=1).to_numpy()
    first = frame.iloc[int(same.argmax())]
    what = ", ".join(
        f"{name.removesuffix('_id')} {row[name]}" for name in columns if row[name] != ""
    )
    earlier = f"line {first[LINE]}" + (
        "" if first[FILE] == row[FILE] else f" of {files[int(first[FILE])]}"
    )
    raise BadInput(
        f"{what} is already there, on {earlier}{_others(int(repeated.sum()))}",
        file=files[int(row[FILE])],
        line=int(row[LINE]),
        field=columns[-1],
    )


def _others(count: int) -> str:
    return f" (and {count - 1:,} more lines like it)" if count > 1 else ""
