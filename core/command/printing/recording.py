"""Tables that a command prints, written in another format than plain text."""

import io
import re
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import redirect_stdout
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from secrets import token_hex
from typing import TYPE_CHECKING

from core.collection.export.delimited import write_table
from core.collection.export.latex_text import escape_latex
from core.collection.export.table_formats import (
    TextTable,
    escape_markdown,
    name_apart,
    write_latex,
    write_markdown,
    write_tables,
)

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class _Held:
    """Tables that are kept, and what marks their places: no name of a file or system can."""

    tables: list[TextTable] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    mark: str = field(default_factory=lambda: f"\ue000{token_hex(8)}:")


_HELD: ContextVar[_Held | None] = ContextVar("tables", default=None)


def hold_table(table: TextTable) -> str:
    """Keep a table where tables are recorded, and return what stands for it; '' elsewhere."""
    held = _HELD.get()
    if held is None:
        return ""
    held.tables.append(table)
    return f"{held.mark}{len(held.tables) - 1}\ue001"


def print_data(frame: "DataFrame") -> None:
    """Have CSV be this table as data: plain numbers unrounded, no formula, empty for missing."""
    held = _HELD.get()
    assert held is not None, "only where tables are recorded"
    held.data.append(write_table(frame).decode())


def limit_rows(most: int) -> int:
    """Return how many rows a table has at most: so many for people, all where it is recorded."""
    return most if _HELD.get() is None else sys.maxsize


def run_recorded(run: Callable[[Namespace], int], arguments: Namespace, form: str) -> int:
    """Run a command and print its tables in a format, with what it says about them.

    In Markdown what is said stands as paragraphs, in LaTeX as comments; CSV has tables alone. Lines
    right below a table are its notes.
    """
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    held = _Held()
    token = _HELD.set(held)
    try:
        with redirect_stdout(out):
            status = run(arguments)
    finally:
        _HELD.reset(token)
    out.flush()
    output = out.buffer.getvalue().decode()
    print(_write_document(output, held, form), end="")
    return status


def _write_document(printed: str, held: _Held, form: str) -> str:
    """Return what a command said, with its tables in their places."""
    before, *rest = re.split(rf"{held.mark}(\d+)\ue001\n?", printed)
    blocks: list[str | TextTable] = [before]
    for place, text in zip(rest[::2], rest[1::2], strict=True):
        notes, gap, after = ("", "\n", text[1:]) if text[:1] == "\n" else text.partition("\n\n")
        table = held.tables[int(place)]
        kept = tuple(line.strip() for line in notes.splitlines() if line.strip())
        blocks += [replace(table, notes=(*table.notes, *kept)), after if gap else ""]
    if held.data:
        return "".join(held.data)
    if form == "csv":
        return write_tables([one for one in blocks if isinstance(one, TextTable)], form)
    named = iter(name_apart([one for one in blocks if isinstance(one, TextTable)]).items())
    written = []
    for block in blocks:
        if isinstance(block, TextTable):
            name, table = next(named)
            written.append(write_latex(table, name) if form == "latex" else write_markdown(table))
        elif lines := [line.strip() for line in block.splitlines() if line.strip()]:
            written.append(_write_text(lines, form))
    return "\n".join(written)


def _write_text(lines: list[str], form: str) -> str:
    if form == "latex":
        return "".join(f"% {escape_latex(line)}\n" for line in lines)
    return "".join(
        f"- {escape_markdown(line[2:])}\n"
        if line.startswith("- ")
        else f"{escape_markdown(line)}\n"
        for line in lines
    )
