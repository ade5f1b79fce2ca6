"""A list of people to invite, as CSV with name, group and e-mail: all of it or nothing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.collection.files.columns import FileColumn, match_columns
from core.collection.files.source import Source
from core.collection.files.tables import delimiter_of, read_cells
from core.errors import BadInput

LONGEST_NAME = 200
MOST_PEOPLE = 2_000
"""People in one list: each gets a link that is shown on one page."""

_COLUMNS = (
    FileColumn("name", ("pseudonym", "person"), required=True),
    FileColumn("group"),
    FileColumn("email", ("e-mail", "mail", "address")),
)
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")


@dataclass(frozen=True)
class Newcomer:
    """Somebody to be invited; ``group`` and ``email`` may be empty; ``line`` says where they stand.

    The address is for whoever sends the invitation; it is not stored.
    """

    name: str
    group: str = ""
    email: str = ""
    line: int = 1


def is_email(text: str) -> bool:
    """Tell whether a text looks like an e-mail address."""
    return bool(_ADDRESS.fullmatch(text))


def read_people(source: Source) -> list[Newcomer]:
    """Read a list of people to invite.

    The first line names the columns, or the columns are name, group and e-mail in this order.
    Cells are parted by commas, semicolons or tabs.

    Raises
    ------
    BadInput
        A name is missing, too long or there twice, a group or address cannot be used, a line has
        too many cells, or there are too many people.
    """
    lines, rows = read_cells(source)
    places, most = _find_columns(source, rows[0])
    if most:
        lines, rows = lines[1:], rows[1:]
    if not rows:
        raise BadInput("nobody is listed below the names of the columns", file=source.name, line=1)
    if len(rows) > MOST_PEOPLE:
        reason = f"{len(rows):,} people at once are too many; invite at most {MOST_PEOPLE:,}"
        raise BadInput(reason, file=source.name)
    people = []
    for line, row in zip(lines, rows, strict=True):
        _check_cells(source, line, row, most or len(_COLUMNS))
        people.append(_read(source, line, row, places))
    _refuse_repeats(source, people)
    return people


def _find_columns(source: Source, first: Sequence[str]) -> tuple[dict[str, int], int]:
    """Return where the columns stand, and how many the first line names: 0 where it names none."""
    header = [cell.strip() for cell in first]
    if not any(_COLUMNS[0].is_called(cell) for cell in header):
        return {column.name: place for place, column in enumerate(_COLUMNS)}, 0
    found = match_columns(source, header, _COLUMNS)
    return {column.name: header.index(actual) for column, actual in found}, len(header)


def _check_cells(source: Source, line: int, row: Sequence[str], most: int) -> None:
    if len(row) > most:
        reason = f"has {len(row)} cells where {most} are known: name, group and e-mail"
        raise BadInput(reason, file=source.name, line=line)
    if delimiter_of(source) == "\t" and re.search("[,;]", "".join(row)) and len(row) == 1:
        reason = "holds a comma or semicolon, but the first line has one column only; begin with "
        raise BadInput(f"{reason}a line that names the columns", file=source.name, line=line)


def _read(source: Source, line: int, row: Sequence[str], places: Mapping[str, int]) -> Newcomer:
    cells = {name: row[place].strip() if place < len(row) else "" for name, place in places.items()}
    person = Newcomer(**cells, line=line)
    for field, why in _find_faults(person):
        raise BadInput(why, file=source.name, line=line, field=field)
    return person


def _find_faults(person: Newcomer) -> Iterator[tuple[str, str]]:
    if not person.name:
        yield "name", "a person needs a name or a pseudonym"
    for field, text in (("name", person.name), ("group", person.group)):
        if len(text) > LONGEST_NAME or not text.isprintable():
            yield field, f"one line of at most {LONGEST_NAME} characters is needed"
    if person.email and not (is_email(person.email) and person.email.isprintable()):
        yield "e-mail", f"'{person.email}' is no e-mail address"


def _refuse_repeats(source: Source, people: Sequence[Newcomer]) -> None:
    first: dict[str, int] = {}
    for person in people:
        if first.setdefault(person.name, person.line) != person.line:
            reason = f"'{person.name}' is there already, in line {first[person.name]}"
            raise BadInput(reason, file=source.name, line=person.line, field="name")
