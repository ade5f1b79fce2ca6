"""The cells of many lines at once, as Arrow holds them: a log has tens of millions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.collection.click_logs.packing import Integers, Mask
from core.collection.files.numbers import parse_numbers

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

TAB, END = 9, 10


@dataclass(frozen=True, eq=False)
class TsvFields:
    """What stands between tabs on the lines that are not blank.

    Parameters
    ----------
    texts : pyarrow.StringArray, shape (n_cells,)
        The cells of all lines, each with the tab or line's end after it as a tab.
    first, count, line : array, shape (n_lines,)
        The place of a line's first cell, how many it has, and its number in the file.
    length : array, shape (n_cells,)
        Bytes of each cell.
    raw : array of uint8
        The bytes of the block.
    start : array, shape (n_cells,)
        Where in it each cell begins.
    """

    texts: pa.StringArray
    first: Integers
    count: Integers
    line: Integers
    length: Integers
    raw: NDArray[np.uint8]
    start: Integers

    def number(self, places: Integers) -> tuple[NDArray[np.int32], list[str]]:
        """Return the cells at some places as numbers, and what each number stands for."""
        import pyarrow as pa

        coded = self.texts.take(pa.array(places)).dictionary_encode()
        codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.int32)
        return merge_equal(codes, [text.strip() for text in coded.dictionary.to_pylist()])

    def times(self, places: Integers) -> NDArray[np.float64]:
        """Return the cells at some places as times; NaN where there is none."""
        import pyarrow as pa
        import pyarrow.compute as pc

        texts = pc.utf8_trim_whitespace(self.texts.take(pa.array(places)))
        try:
            times = pc.cast(texts, pa.float64()).to_numpy(zero_copy_only=False)
        except pa.ArrowInvalid:
            return parse_times(texts.to_pandas())
        return np.where(np.isfinite(times), times, np.nan)

    def letters(self, places: Integers) -> NDArray[np.uint8]:
        """Return the one byte of each cell; 0 where it has several or none."""
        return np.where(self.length[places] == 1, self.raw[self.start[places]], 0).astype(np.uint8)


def split_cells(block: bytes, first_line: int) -> TsvFields:
    """Return the cells of a block of whole lines, the first of which has a number."""
    import pyarrow as pa

    raw = np.frombuffer(block, dtype=np.uint8)
    ends = np.flatnonzero((raw == TAB) | (raw == END))
    offsets = np.concatenate([[0], ends + 1]).astype(np.int32)
    last = np.flatnonzero(raw[ends] == END)
    first = np.concatenate([[0], last[:-1] + 1])
    texts = pa.StringArray.from_buffers(
        len(ends), pa.py_buffer(offsets), pa.py_buffer(block.replace(b"\n", b"\t"))
    )
    count = last - first + 1
    length = ends - offsets[:-1]
    line = first_line + np.arange(len(last))
    kept = ~_is_blank(texts, first, count, length)
    return TsvFields(texts, first[kept], count[kept], line[kept], length, raw, offsets[:-1])


def _is_blank(texts: pa.StringArray, first: Integers, count: Integers, length: Integers) -> Mask:
    blank: Mask = (count == 1) & (length[first] == 0)
    for at in np.flatnonzero((count == 1) & ~blank):
        blank[at] = not texts[int(first[at])].as_py().strip()
    return blank


def merge_equal(codes: NDArray[np.int32], names: list[str]) -> tuple[NDArray[np.int32], list[str]]:
    """Return codes of which no two stand for the same text."""
    import pandas as pd

    if len(set(names)) == len(names):
        return codes, names
    same, kept = pd.factorize(np.array(names, dtype=object))
    return same.astype(np.int32)[codes], list(kept)


def parse_times(texts: pd.Series[Any]) -> NDArray[np.float64]:
    """Return numbers, or dates as ISO 8601 has them in seconds since 1970; NaN for others."""
    import pandas as pd

    times = parse_numbers(texts.astype(str))
    times[~np.isfinite(times)] = np.nan
    if (odd := np.isnan(times)).any():
        dates = pd.to_datetime(texts[odd].astype(str), utc=True, format="ISO8601", errors="coerce")
        seconds = (dates - pd.Timestamp(0, tz="UTC")).dt.total_seconds()
        times[odd] = seconds.to_numpy(np.float64)
    return times
