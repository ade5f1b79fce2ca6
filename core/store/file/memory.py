"""What DuckDB may hold at once of a file from elsewhere, whatever its few bytes stand for."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from core.errors import BadInput
from core.store.file.write_ahead_log import logs_of


def limit_memory(*files: Path) -> str:
    """Return what DuckDB may hold at once of a backup or of stores; the rest waits on disk.

    Large ones have long texts side by side; a small one needs little, whatever it says.
    """
    sizes = [one.stat().st_size for file in files for one in (file, *logs_of(file))]
    return f"{256 + 8 * sum(sizes) // 2**20}MiB"


@contextmanager
def expect_memory(*stores: Path) -> Iterator[None]:
    """Say it in a sentence when stores take more memory than they may.

    Raises
    ------
    BadInput
        In place of what the database says.
    """
    try:
        yield
    except duckdb.Error as error:
        if lacks_memory(error):
            names = " or ".join(dict.fromkeys(store.name for store in stores))
            reason = "takes far more memory than a store of its size needs"
            raise BadInput(reason, file=names) from error
        raise


def lacks_memory(error: BaseException) -> bool:
    """Tell whether something failed for want of memory; what Arrow reads names it in passing."""
    return isinstance(error, duckdb.Error) and "Out of Memory Error" in str(error)
