"""Numbers of a click log as text: small enough for a row of a table, quick to read back."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

Integers: TypeAlias = NDArray[np.signedinteger[Any]]
Mask: TypeAlias = NDArray[np.bool_]

MOST_CELLS = 2**17
"""Places of a block: a row that PostgreSQL and Arrow pass on without a second thought."""

BLOCK = ["block", "pages", "depth", "session", "item", "clicked"]
"""Columns of packed pages."""


def pack_integers(numbers: Integers) -> str:
    """Return whole numbers of 32 bits as text."""
    return _pack(np.ascontiguousarray(numbers, dtype="<i4").tobytes())


def unpack_integers(text: str, count: int) -> NDArray[np.int32]:
    """Return so many numbers; raises BadInput where the text does not hold them."""
    return np.frombuffer(_unpack(text, 4 * count), dtype="<i4").astype(np.int32, copy=False)


def pack_mask(mask: Mask) -> str:
    """Return truth values as text."""
    return _pack(np.packbits(mask).tobytes())


def unpack_mask(text: str, count: int) -> Mask:
    """Return so many truth values; raises BadInput where the text does not hold them."""
    data = np.frombuffer(_unpack(text, -(-count // 8)), dtype=np.uint8)
    return np.unpackbits(data, count=count).astype(bool)


def _pack(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 1)).decode("ascii")


def _unpack(text: str, size: int) -> bytes:
    """Return what was packed; no more than ``size`` bytes are made of it, whatever it says."""
    try:
        unpacking = zlib.decompressobj()
        data = unpacking.decompress(base64.b64decode(text, validate=True), size + 1)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise BadInput("a block of a click log is damaged") from error
    if len(data) != size:
        raise BadInput("a block of a click log is damaged")
    return data


def pack_pages(session: Integers, item: Integers, clicked: Mask) -> Iterator[dict[str, Any]]:
    """Yield rows of packed pages, without their number.

    Parameters
    ----------
    session : array, shape (n_pages,)
    item : array, shape (n_pages, depth)
        -1 where a list is shorter.
    clicked : array of bool, shape (n_pages, depth)
    """
    depth = item.shape[1]
    step = max(MOST_CELLS // max(depth, 1), 1)
    for start in range(0, len(session), step):
        part = slice(start, start + step)
        yield {
            "pages": len(session[part]),
            "depth": depth,
            "session": pack_integers(session[part]),
            "item": pack_integers(item[part]),
            "clicked": pack_mask(clicked[part]),
        }


def unpack_pages(row: Any) -> tuple[NDArray[np.int32], NDArray[np.int32], Mask]:
    """Return session, item and clicked of a row, shapes as of `pack_pages`; raises BadInput."""
    pages, depth = int(row["pages"]), int(row["depth"])
    if not (pages > 0 and depth > 0 and pages * depth <= max(MOST_CELLS, depth)):
        raise BadInput("a block of a click log is damaged")
    item = unpack_integers(row["item"], pages * depth).reshape(pages, depth)
    clicked = unpack_mask(row["clicked"], pages * depth).reshape(pages, depth)
    return unpack_integers(row["session"], pages), item, clicked


def number_blocks(rows: list[dict[str, Any]]) -> DataFrame:
    """Return rows of packed pages as a frame, numbered in their order."""
    from pandas import DataFrame

    frame = DataFrame(rows, columns=BLOCK)
    return frame.assign(block=np.arange(len(rows), dtype=np.int32))
