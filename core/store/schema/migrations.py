"""The schema, as numbered steps that run once each on an empty or an old file.

To change the schema append a file to ``steps``; never edit one that has been released.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import StoreUnusable
from core.store.file.database import Cursor, Database

_STEPS = Path(__file__).parent / "steps"
_ABOUT = re.compile(r"\A(--.*\n)+")


@dataclass(frozen=True)
class Migration:
    """One step: SQL statements that belong together."""

    name: str
    statements: str


def _read(file: Path) -> Migration:
    """Return a step as it stands in its file, below what the first lines say about it."""
    statements = _ABOUT.sub("", file.read_text(encoding="utf-8"))
    return Migration(file.stem.partition("_")[2].replace("_", " "), statements)


MIGRATIONS = tuple(map(_read, sorted(_STEPS.glob("*.sql"))))
"""All steps: a file each, in the order of their names."""

_RECORD = (
    "CREATE TABLE IF NOT EXISTS migrations "
    "(number INTEGER PRIMARY KEY, name VARCHAR, applied_at TIMESTAMPTZ)"
)


def migrate(database: Database, steps: tuple[Migration, ...] = MIGRATIONS) -> int:
    """Bring a database up to date and return how many steps were run.

    Raises
    ------
    StoreUnusable
        The file was written by a newer version of Dissent.
    """
    cursor = database.cursor()
    cursor.execute(_RECORD)
    done = len(cursor.execute("SELECT number FROM migrations").fetchall())
    refuse_newer(database.path, done, steps)
    rest = list(enumerate(steps, start=1))[done:]
    # An empty file takes all of them in one transaction, as nothing in it can be in their way.
    for together in [[one] for one in rest] if done or not rest else [rest]:
        with database.write() as writing:
            for _, step in together:
                writing.execute(step.statements)
            values = [[number for number, _ in together], [step.name for _, step in together]]
            writing.execute("INSERT INTO migrations SELECT unnest(?), unnest(?), now()", values)
    return len(rest)


def define(cursor: Cursor, steps: Sequence[Migration]) -> None:
    """Make in an empty database what a store defines after these steps."""
    cursor.execute(_RECORD)
    for step in steps:
        cursor.execute(step.statements)


def refuse_newer(place: object, done: int, steps: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Raise StoreUnusable for a store that has more steps behind it than are known."""
    if done > len(steps):
        raise StoreUnusable(
            f"The store {place} was written by a newer version of Dissent; "
            "upgrade Dissent to open it."
        )


def refuse_older(place: object, done: int, steps: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Raise StoreUnusable for a store that lacks steps, where it is to stay as it is."""
    if done < len(steps):
        raise StoreUnusable(
            f"The store {place} was written by an earlier version of Dissent, and reading "
            "it changes nothing. Open it once with 'dissent serve', which brings it up to date."
        )
