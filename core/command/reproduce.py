"""``dissent reproduce``: the tables of a study bundle computed anew and compared."""

from argparse import Namespace
from dataclasses import asdict

from core.bundle.reproduction import DIFFERENT, EQUAL, UNCHECKED, Reproduction, reproduce
from core.command.files.reading import open_source
from core.command.printing.output import print_json, print_notes
from core.command.printing.tables import format_table
from core.errors import NotFound

_LONGEST = 500
"""Characters of a cell or a note."""


def run(arguments: Namespace) -> int:
    """Print what became of the bundle; 1 unless it was reproduced."""
    if not arguments.file.is_file():
        raise NotFound(f"There is no file {arguments.file}.")
    sources = [open_source(one) for one in arguments.runs]
    found = reproduce(arguments.file, sources, str(arguments.file))
    if arguments.format == "json":
        print_json(
            {
                "reproduced": found.is_reproduced,
                "changes": [asdict(one) for one in found.changes],
                "parts": [asdict(one) for one in found.parts],
                "software": [asdict(one) for one in found.software],
            }
        )
    else:
        _print(found)
    return 0 if found.is_reproduced else 1


def _print(found: Reproduction) -> None:
    for one in found.changes:
        print(f"{one.entry} {one.reason}.")
    if found.parts:
        print(format_table(["entry", "result"], [[one.entry, one.status] for one in found.parts]))
    for part in found.parts:
        for cell in part.cells:
            print(
                f"{part.entry}, row {cell.row}, column {cell.column}: "
                f"{_show(cell.published)} was published, {_show(cell.found)} is found"
            )
        if part.number > len(part.cells) > 0:
            print(f"{part.entry}: cells that differ: {part.number:,}")
    counts = ", ".join(f"{found.count(one)} {one}" for one in (EQUAL, DIFFERENT, UNCHECKED))
    verdict = "Reproduced" if found.is_reproduced else "Not reproduced"
    print(f"{verdict}: {counts}.")
    notes = [f"{one.entry}: {one.reason}" for one in found.parts if one.reason]
    now = [f"{one.name} was {one.then or 'none'}, is {one.now or 'none'}" for one in found.software]
    print_notes(map(_show, [*notes, *now]))


def _show(text: str) -> str:
    """Return a text that others wrote so that no terminal takes it for a command."""
    plain = "".join(one if one.isprintable() else "\ufffd" for one in text[:_LONGEST])
    return plain or "nothing"
