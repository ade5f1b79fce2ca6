"""Columns by the names that files give them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from core.collection.files.source import Source
from core.errors import BadInput

MOST_COLUMNS = 10_000
"""Columns of a table, used or not."""

_LISTED = 30
"""Columns that a message names."""


@dataclass(frozen=True)
class FileColumn:
    """A column that a format knows: its canonical name and what files call it.

    Parameters
    ----------
    blank : bool
        Cells may be empty although the column is required.
    exact : bool
        Keep white space at both ends: texts, but not ids.
    nested : bool
        The value may be a JSON list or object and is handed over as it is.
    hints : tuple of str
        What files may call it, too: offered to whoever looks, never taken without a word.
    """

    name: str
    aliases: tuple[str, ...] = ()
    required: bool = False
    blank: bool = False
    exact: bool = False
    nested: bool = False
    hints: tuple[str, ...] = ()

    @property
    def filled(self) -> bool:
        """Whether an empty cell is a fault."""
        return self.required and not self.blank

    @property
    def called(self) -> str:
        """What it is called to whoever lacks it: ``topic`` where the field is ``topic_id``."""
        return self.aliases[0] if self.aliases and self.name.endswith("_id") else self.name

    def is_called(self, name: str) -> bool:
        """Whether a column of this name, in any case, is meant."""
        return name.strip().lower() in (self.name, *self.aliases)

    def find_in(self, header: Sequence[str]) -> str:
        """Return the header's name for this column, its first alias before its last; or ''."""
        lowered = [name.strip().lower() for name in header]
        known = (alias for alias in (self.name, *self.aliases) if alias in lowered)
        return next((header[lowered.index(alias)] for alias in known), "")

    def guess_in(self, header: Sequence[str]) -> str:
        """Return the header's name that may mean this column (``workerID``); or ''."""
        stems = [_stem(name) for name in header]
        known = (_stem(alias) for alias in (self.name, *self.aliases, *self.hints))
        return next((header[stems.index(stem)] for stem in known if stem in stems), "")


_ENDING = re.compile(r"(?<=[a-z])(ids?|no|num|number|name)$")


def _stem(name: str) -> str:
    """Return what of a name tells its meaning: ``worker`` for ``workerID`` and ``Worker_no``."""
    letters = re.sub(r"[\W_]+", "", name.lower())
    return _ENDING.sub("", letters) or letters


def check_columns(columns: int, file: str, line: int) -> None:
    """Refuse more columns than a table may have."""
    if columns > MOST_COLUMNS:
        reason = f"has {columns:,} columns; a table may have {MOST_COLUMNS:,}"
        raise BadInput(reason, file=file, line=line)


def find_columns(header: Sequence[str], columns: Sequence[FileColumn]) -> dict[str, str]:
    """Return the header's names for columns, as known or else as guessed, each used once."""
    header = header[:MOST_COLUMNS]
    found = {column.name: column.find_in(header) for column in columns}
    for column in columns:
        free = [name for name in header if name not in found.values()]
        found[column.name] = found[column.name] or column.guess_in(free)
    return {name: actual for name, actual in found.items() if actual}


def match_columns(
    source: Source,
    header: Sequence[str],
    columns: Sequence[FileColumn],
    names: Mapping[str, str] | None = None,
) -> list[tuple[FileColumn, str]]:
    """Return the known columns that a header has, each with the header's name for it.

    A name that is given as empty leaves a column aside that need not be there.
    """
    given = dict(names or {})
    chosen, missing = [], []
    for column in columns:
        wanted = [given.pop(key) for key in list(given) if column.is_called(key)]
        actual = next((name for name in wanted if name in header), "")
        if not wanted:
            actual = column.find_in(header)
        if wanted == [""] and not column.required:
            continue
        if actual:
            chosen.append((column, actual))
        elif column.required or wanted:
            missing.append((wanted[0] if wanted else column.called, column.name))
    if missing:
        _refuse_header(source, header, missing)
    if given:
        raise BadInput(f"no column '{next(iter(given))}' is known here", file=source.name)
    repeated = {name for name, count in Counter(header).items() if count > 1}
    for _, actual in chosen:
        if actual in repeated:
            raise BadInput(f"two columns are called '{actual}'", file=source.name, line=1)
    return chosen


def _refuse_header(
    source: Source, header: Sequence[str], missing: Sequence[tuple[str, str]]
) -> NoReturn:
    """Say which columns are missing, by the names that were looked for, and what to do."""
    listed = ", ".join(header[:_LISTED]) + (" …" if len(header) > _LISTED else "")
    wanted, more = missing[0][0], ", ".join(f"'{name}'" for name, _ in missing[1:])
    raise BadInput(
        f"there is no column '{wanted}'{f', nor {more}' if more else ''}, only: {listed}. The "
        "first line has to name the columns. Rename one, or say which it is (in a terminal: "
        f"--columns {wanted}=NAME)",
        file=source.name,
        line=1,
        field=missing[0][1],
    )
