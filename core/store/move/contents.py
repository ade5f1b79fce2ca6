"""What a store holds, to be compared: rows by table, and a hash of them whatever their order."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping

from core.errors import BadInput
from core.store.backup.table_contents import TableChecksum, read_content
from core.store.file.database import Cursor

Tell = Callable[[str, int, int], None]
"""Told a table's name, how many rows of it are moved, and how many it has."""


def read_contents(cursor: Cursor, tables: Iterable[str]) -> dict[str, TableChecksum]:
    """Return how many rows each table has, and a sum of their hashes."""
    return {name: read_content(cursor, name) for name in tables}


def identify(contents: Mapping[str, TableChecksum]) -> str:
    """Return what names these contents: another store, or a change, has another name."""
    hashes = {name: [one.rows, one.content] for name, one in sorted(contents.items())}
    return hashlib.sha256(json.dumps(hashes).encode()).hexdigest()


def compare_contents(
    source: Mapping[str, TableChecksum], target: Mapping[str, TableChecksum]
) -> None:
    """Raise BadInput where one table is not what it was."""
    for name, one in source.items():
        if target[name] != one:
            raise BadInput(
                f"table {name} was not moved as it is ({one.rows:,} rows, {target[name].rows:,} "
                "there): nothing is to be served from the target. Move to an empty one"
            )
