"""Files whose every line has the same cells, unquoted: read in one go."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame


_BLOCK = 2**20
"""Bytes that are parsed at a time: what a processor's cache holds."""


def read_plain_lines(
    data: bytes,
    names: Sequence[str],
    mark: str,
    *,
    numbers: Collection[str] = (),
    skip: int = 0,
) -> DataFrame | None:
    """Return the cells of each line, as text or as float64; None if a line is not as expected.

    Whoever gets None reads line by line instead, and finds what is wrong or merely unusual.

    Parameters
    ----------
    data : bytes
        As `Source` has it: UTF-8, which is not checked again.
    names : sequence of str
        The columns; each line must have as many cells.
    mark : str
        The one character between cells.
    numbers : collection of str
        The columns that become float64.
    skip : int
        Lines to leave out at the beginning.
    """
    import pyarrow as pa
    from pyarrow import csv

    types = {name: pa.float64() if name in numbers else pa.large_string() for name in names}
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            read_options=csv.ReadOptions(
                column_names=list(names), block_size=_BLOCK, skip_rows=skip
            ),
            parse_options=csv.ParseOptions(
                delimiter=mark, quote_char=False, ignore_empty_lines=False
            ),
            convert_options=csv.ConvertOptions(
                column_types=types, null_values=[], check_utf8=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    frame: DataFrame = table.to_pandas()
    return frame
