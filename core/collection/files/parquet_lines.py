"""Parquet files as lines of JSON, a row each, so that every reader of JSON objects reads them."""

import io
import json
import math
from collections.abc import Iterator
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from core.errors import BadInput

MAGIC = b"PAR1"
"""What a Parquet file begins and ends with."""

_BATCH = 256
"""Rows that are unpacked at once: a hostile file can hold few bytes for very many."""

_SAMPLE = 64
"""Rows that are looked at to tell what a file holds."""


def read_lines(name: str, content: bytes | Path, largest: int) -> bytes:
    """Return the rows of a Parquet file as JSONL.

    Numbers that are none are null, moments are written as ISO 8601.

    Raises
    ------
    BadInput
        The file is damaged, has no row, holds what is no text, or unpacks to more than ``largest``
        bytes.
    """
    lines = bytearray()
    for line in _rows(name, content):
        lines += line
        if len(lines) > largest:
            reason = f"unpacks to more than {largest // 2**20} MiB; split it into several files"
            raise BadInput(reason, file=name)
    return bytes(lines)


def first_lines(name: str, content: bytes | Path) -> bytes:
    """Return the first rows of a Parquet file; raises as `read_lines`."""
    return b"".join(islice(_rows(name, content), _SAMPLE))


def _rows(name: str, content: bytes | Path) -> Iterator[bytes]:
    import pyarrow as pa  # takes a while, and few files need it
    import pyarrow.parquet as pq

    number = 0
    try:
        given = io.BytesIO(content) if isinstance(content, bytes) else content
        with pq.ParquetFile(given) as file:
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield _write(row, name, number)
    except (pa.ArrowException, OSError) as error:
        raise BadInput(
            "is damaged: it begins like a Parquet file but is none", file=name
        ) from error


def _write(row: dict[str, Any], name: str, number: int) -> bytes:
    known = {key: _plain(value) for key, value in row.items()}
    try:
        return json.dumps(known, ensure_ascii=False, default=_as_text).encode() + b"\n"
    except (TypeError, ValueError) as error:
        reason = "holds something that is neither a text nor a number"
        raise BadInput(reason, file=name, line=number) from error


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _as_text(value: Any) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode()
    raise TypeError(type(value).__name__)
