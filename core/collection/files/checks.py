"""Refusing rows: the first faulty one is named, with its file and line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.collection.files.numbers import parse_numbers
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame, Series

LINE, FILE = "__line__", "__file__"
"""Columns that say where a row came from, until everything has been checked."""


def refuse_where(
    frame: DataFrame,
    faulty: ArrayLike,
    reason: Callable[[Series[Any]], str],
    *,
    file: str,
    field: str = "",
) -> None:
    """Raise BadInput for the first faulty row, if there is one, and count the others."""
    positions = np.flatnonzero(np.asarray(faulty, dtype=bool))
    if not len(positions):
        return
    row = frame.iloc[positions[0]]
    why = reason(row) + _others(len(positions))
    raise BadInput(why, file=file, line=int(row[LINE]), field=field)


Check = Callable[[NDArray[np.float64]], NDArray[np.bool_]]


def are_whole(least: int = 0, below: int = 2**31) -> Check:
    """Return what says which numbers are whole, from ``least`` on and below ``below``."""
    return lambda values: (values >= least) & (values == np.floor(values)) & (values < below)


def read_numbers(
    frame: DataFrame,
    name: str,
    check: Check,
    what: str,
    *,
    file: str,
    field: str = "",
    empty: float | None = None,
) -> NDArray[np.float64]:
    """Return the numbers that a column of texts has, shape (n,).

    Parameters
    ----------
    check : callable
        Says of numbers which are acceptable.
    what : str
        What an acceptable number is, for the message.
    field : str, optional
        What the file calls the column, where that is another name.
    empty : float, optional
        What an empty text counts as; without it such a text is refused.

    Raises
    ------
    BadInput
        A text is no acceptable number.
    """
    values = parse_numbers(frame[name])
    fits = check(values)
    if empty is not None:
        blank = (frame[name] == "").to_numpy()
        values, fits = np.where(blank, empty, values), fits | blank
    refuse_where(
        frame, ~fits, lambda row: f"'{row[name]}' is not {what}", file=file, field=field or name
    )
    return values


def with_columns(frame: DataFrame, names: Iterable[str]) -> DataFrame:
    """Return the frame with empty text for the columns that the file does not have."""
    return frame.assign(**{name: "" for name in names if name not in frame})


CODE = "#"
"""Begins the name of a column of numbers that stand for the values of another."""


_SELDOM = 4
"""How many lines share a value on average where it pays to look for where it changes."""


def number_values(frame: DataFrame, columns: Iterable[str]) -> DataFrame:
    """Number the values of columns once, so that later steps need not compare text again."""
    return frame.assign(**{CODE + name: _number(frame[name]) for name in columns})


def _number(values: Series[Any]) -> NDArray[np.intp]:
    """Number values as they first occur; what many lines in a row repeat is looked up once."""
    from pandas import factorize

    array = values.array
    starts = np.flatnonzero(np.append(True, np.asarray(array[1:] != array[:-1])))
    codes: NDArray[np.intp]
    if _SELDOM * len(starts) > len(values):
        codes = factorize(array)[0]
    else:
        codes = np.repeat(factorize(array[starts])[0], np.diff(starts, append=len(values)))
    return codes


def count_values(frame: DataFrame, column: str) -> int:
    """Return how many distinct values a numbered column has."""
    return int(frame[CODE + column].max()) + 1


def refuse_repeats(
    frame: DataFrame, columns: Sequence[str], files: Sequence[str], remedy: str = ""
) -> None:
    """Raise BadInput for the first row whose values an earlier row has in the same columns.

    Parameters
    ----------
    frame : DataFrame
        With LINE, FILE as a position in ``files``, and numbered values.
    """
    codes = [CODE + name for name in columns]
    if not _has_repeats([frame[code].to_numpy(np.int64) for code in codes]):
        return
    repeated = frame[codes].duplicated().to_numpy()
    row = frame.iloc[int(repeated.argmax())]
    same = np.logical_and.reduce([(frame[code] == row[code]).to_numpy() for code in codes])
    first = frame.iloc[int(same.argmax())]
    what = ", ".join(
        f"{name.removesuffix('_id')} {row[name]}" for name in columns if row[name] != ""
    )
    earlier = f"line {first[LINE]}" + (
        "" if first[FILE] == row[FILE] else f" of {files[int(first[FILE])]}"
    )
    raise BadInput(
        f"{what} is already there, on {earlier}{_others(int(repeated.sum()))}"
        + (f"; {remedy}" if remedy else ""),
        file=files[int(row[FILE])],
        line=int(row[LINE]),
        field=columns[-1],
    )


def _has_repeats(codes: Sequence[NDArray[np.int64]]) -> bool:
    """Whether two rows have the same codes; to sort one number a row is quick."""
    row, span = np.zeros_like(codes[0]), 1
    for code in codes:
        width = int(code.max(initial=0)) + 2  # the lowest code is -1, of a missing value
        if span * width >= 2**63:
            row = np.unique(row, return_inverse=True)[1]
            span = len(row)
        row, span = row * width + code + 1, span * width
    row = np.sort(row)
    return bool((row[1:] == row[:-1]).any())


def _others(count: int) -> str:
    return f" (and {count - 1:,} more lines like it)" if count > 1 else ""
