"""Parquet files as lines of JSON, a row each, so that every reader of JSON objects reads them.

A file of two kilobytes can hold gigabytes, and what it says of its size need not be true. So rows
are unpacked in a process of its own, on Linux with a limit on its memory. Its lines come in
pieces, as from a file that is packed with gzip; whoever reads them decides when it is enough.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from io import BufferedReader
from typing import IO, Any, BinaryIO

from core.errors import BadInput
from core.processes import limit_memory, start_module

MAGIC = b"PAR1"
"""What a Parquet file begins and ends with."""

MODULE = __name__

_MEMORY = 256 * 2**20
"""Bytes that unpacking may take beside what is imported for it, and four times the file.

There are files whose texts all stand in one page, which is unpacked whole.
"""

_BATCH = 2**21
"""Bytes that are unpacked at once, where a file tells the truth of its rows."""

_MOST_ROWS = 1024
_DAMAGED = "is damaged: it begins like a Parquet file but is none"


class ParquetRows:
    """The rows of a Parquet file as JSONL, to be read in pieces.

    Numbers that are none are null, moments are written as ISO 8601, decimals and durations as text.
    """

    def __init__(self, name: str, process: "subprocess.Popen[bytes]", printed: IO[bytes]) -> None:
        self._name, self._process, self._said = name, process, printed

    def read(self, size: int) -> bytes:
        """Return the next bytes, none at the end.

        Raises
        ------
        BadInput
            The file is damaged, holds what is no text, or takes more memory than its rows can need.
        """
        assert self._process.stdout, "it is a pipe"
        if piece := self._process.stdout.read(size):
            return piece
        if self._process.wait():
            self._said.seek(0)
            try:
                row = json.loads(self._said.read())
            except ValueError:
                row = {"reason": "takes more memory to unpack than its rows can need; save it as "
                        "JSONL if it is what it should be"}  # fmt: skip
            raise BadInput(**row, file=self._name)
        return b""


@contextmanager
def open_rows(name: str, file: BinaryIO) -> Iterator[ParquetRows]:
    """Have the rows of a Parquet file, and end what unpacks them."""
    with ExitStack() as stack:
        if not isinstance(file, BufferedReader):  # what is in memory, no other process can read
            inside, file = file, stack.enter_context(tempfile.TemporaryFile())
            shutil.copyfileobj(inside, file)
            file.seek(0)
        rows = stack.enter_context(tempfile.TemporaryFile())
        process = start_module(MODULE, stdin=file, stdout=subprocess.PIPE, stderr=rows)
        stack.enter_context(process)
        stack.callback(process.kill)
        yield ParquetRows(name, process, rows)


def _write_rows(given: IO[bytes], out: IO[bytes]) -> None:
    """Write the rows of a Parquet file as lines; raises what pyarrow does."""
    import pyarrow as pa  # takes a while, and few files need it
    import pyarrow.parquet as pq

    pa.set_memory_pool(pa.system_memory_pool())  # the usual one sets more aside than it needs
    pa.set_io_thread_count(1)
    pa.set_cpu_count(1)
    limit_memory(_MEMORY + 4 * os.fstat(given.fileno()).st_size)
    number = 0
    try:
        # A part of a column at a time: a file may have all of its rows in one group.
        with pq.ParquetFile(given, buffer_size=2**20, pre_buffer=False) as file:
            metadata = file.metadata
            bytes_stated = sum(
                metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups)
            )
            rows = max(1, min(_MOST_ROWS, _BATCH * metadata.num_rows // max(bytes_stated, 1)))
            for batch in file.iter_batches(batch_size=rows, use_threads=False):
                for row in batch.to_pylist():
                    number += 1
                    out.write(_write(row, number))
    except pa.ArrowMemoryError as error:
        raise MemoryError from error
    except (pa.ArrowException, OSError) as error:
        raise BadInput(_DAMAGED) from error


def _write(row: dict[str, Any], number: int) -> bytes:
    known = {key: _plain(value) for key, value in row.items()}
    try:
        return json.dumps(known, ensure_ascii=False, default=_as_text).encode() + b"\n"
    except (TypeError, ValueError) as error:
        faulty = next((name for name, value in known.items() if not _can_write(value)), "")
        reason = f"column '{faulty}' holds something that is neither a text nor a number"
        raise BadInput(f"{reason}; leave it out", line=number) from error


def _can_write(value: Any) -> bool:
    try:
        json.dumps(value, default=_as_text)
    except (TypeError, ValueError):
        return False
    return True


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _as_text(value: Any) -> str:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal | timedelta):
        return str(value)
    if isinstance(value, bytes):
        return value.decode()
    raise TypeError(type(value).__name__)


def main() -> int:
    """Unpack the file that is the input to the output; what is wrong with it is told as JSON."""
    try:
        _write_rows(sys.stdin.buffer, sys.stdout.buffer)
        sys.stdout.flush()
    except BadInput as error:
        print(json.dumps({"reason": error.reason, "line": error.line}), file=sys.stderr)
        return 1
    except MemoryError:
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
