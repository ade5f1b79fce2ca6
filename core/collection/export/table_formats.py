"""Tables as CSV, LaTeX and Markdown: the cells as the table shows them, or in CSV the data."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from core.collection.export.delimited import write_cell, write_table
from core.collection.export.latex_text import escape_latex
from core.numerals import ABSENT, write_number, write_p

if TYPE_CHECKING:
    import pandas as pd

NUMBER = re.compile(rf"(?:< )?[-−\d,.]+|{ABSENT}")
_HARMLESS = re.compile(r"[-−\d\s,.\[\]()±∞–/%<]*")
"""What no spreadsheet takes for a formula though it may begin with a sign: numbers, intervals."""

_MARKS = re.compile(r"([\\|*_`<&#~$])")
_LINK = re.compile(r"\](?=[(\[:])")
_LINE_ENDS = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_LONG, _FITTING = 45, 75
"""Signs of LaTeX's source from which a text is set in several lines, and a table in small type."""

_ONE_PAGE = 40
"""Rows that a page of a paper has room for; longer tables break over pages in LaTeX."""

_LEVELS = {"level", "given_level", "topic_id", "rank"}
"""Columns of whole numbers that are no counts."""


@dataclass(frozen=True)
class TextTable:
    """A table as it is shown.

    Parameters
    ----------
    header : tuple of str
    rows : tuple of tuple of str
        As many cells as the header has.
    title : str
        What it is, in a few words: its caption.
    notes : tuple of str
        What stands below it.
    data : DataFrame, optional
        What it shows, unrounded and with limits in columns of their own: CSV has that.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    notes: tuple[str, ...] = ()
    data: pd.DataFrame | None = field(default=None, compare=False)

    @property
    def right(self) -> tuple[bool, ...]:
        """Which columns have numbers only, and stand to the right."""
        if not self.rows:
            return (False,) * len(self.header)
        return tuple(all(map(NUMBER.fullmatch, cells)) for cells in zip(*self.rows, strict=True))

    @property
    def name(self) -> str:
        """The title as a file, a label or an address can have it: ``pairs-of-assessors``."""
        return slugify(self.title) or "table"


def slugify(text: str) -> str:
    """Return a text in small letters and digits, parted by hyphens; at most 60 signs."""
    written = text.replace("κ", "kappa").replace("α", "alpha").replace("τ", "tau")
    plain = unicodedata.normalize("NFKD", written).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:60].strip("-")


def tabulate(
    frame: pd.DataFrame,
    title: str = "",
    notes: Sequence[str] = (),
    data: pd.DataFrame | None = None,
) -> TextTable:
    """Return a frame as tables show it: three decimals, thousands separated, no p of 0."""
    columns = [_write_column(str(name), frame[name]) for name in frame]
    rows = tuple(zip(*columns, strict=True)) if columns else ()
    return TextTable(tuple(map(str, frame)), rows, title, tuple(notes), data)


def _write_column(name: str, column: pd.Series[Any]) -> list[str]:
    import pandas as pd
    from pandas.api.types import is_bool_dtype, is_float_dtype, is_integer_dtype

    column = column.infer_objects()
    known = column.dropna()
    if is_bool_dtype(known) and len(known):
        return [ABSENT if pd.isna(one) else "yes" if one else "no" for one in column]
    whole = is_integer_dtype(column) or (
        is_float_dtype(column) and len(known) > 0 and bool((known.astype(float) % 1 == 0).all())
    )
    if whole and not is_bool_dtype(column):
        form = "{:d}" if name in _LEVELS else "{:,d}"
        return [ABSENT if pd.isna(one) else form.format(int(str(one).partition(".")[0]))
                for one in column]  # fmt: skip
    if is_float_dtype(column):
        write = write_p if name == "p" else write_number
        return [ABSENT if pd.isna(one) else write(float(str(one))) for one in column]
    return [ABSENT if one is None or one is pd.NA or one != one else str(one) for one in column]


def write_csv(table: TextTable) -> str:
    """Return a table as CSV, none of whose cells is a formula: its data, else its cells, quoted."""
    if table.data is not None:
        return write_table(table.data).decode()
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([_guard(cell) for cell in row] for row in (table.header, *table.rows))
    return out.getvalue()


def _guard(cell: str) -> str:
    return cell if _HARMLESS.fullmatch(cell) else write_cell(cell)


def write_latex(table: TextTable, label: str = "") -> str:
    """Return a table as LaTeX with booktabs, its columns aligned in the source, too.

    One of more than 40 rows breaks over pages, by the package longtable.

    Parameters
    ----------
    table : TextTable
    label : str, optional
        What it is referred to by, behind ``tab:``; its name, without.
    """
    cells = [[escape_latex(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        " & ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, table.right, strict=True)
        ).rstrip()
        + r" \\"
        for row in cells
    ]
    columns = "".join(map(_choose_column, table.right, widths))
    is_wide = sum(min(width, _LONG) + 2 for width in widths) > _FITTING
    small = [r"  \footnotesize\setlength{\tabcolsep}{3pt}"] if is_wide else []
    notes = [rf"  \par\smallskip{{\footnotesize {escape_latex(one)}}}" for one in table.notes]
    caption = rf"  \caption{{{escape_latex(table.title or table.name)}}}"
    named = rf"  \label{{tab:{label or table.name}}}"
    top = [r"    \toprule", f"    {lines[0]}", r"    \midrule"]
    body = [f"    {line}" for line in lines[1:]]
    if len(table.rows) > _ONE_PAGE:
        return "\n".join(
            [
                r"\begingroup",
                *small,
                rf"  \begin{{longtable}}{{{columns}}}",
                f"{caption}{named.strip()} \\\\",
                *top,
                r"    \endfirsthead",
                *top,
                r"    \endhead",
                r"    \bottomrule",
                r"    \endfoot",
                *body,
                r"  \end{longtable}",
                *notes,
                r"\endgroup",
                "",
            ]
        )
    return "\n".join(
        [
            r"\begin{table}[htbp]",
            r"  \centering",
            caption,
            named,
            *small,
            rf"  \begin{{tabular}}{{{columns}}}",
            *top,
            *body,
            r"    \bottomrule",
            r"  \end{tabular}",
            *notes,
            r"\end{table}",
            "",
        ]
    )


def _choose_column(right: bool, width: int) -> str:
    """Return how LaTeX sets a column: long texts in several lines."""
    if right:
        return "r"
    return "l" if width <= _LONG else r"p{.4\linewidth}"


def write_markdown(table: TextTable) -> str:
    """Return a table as Markdown of GitHub's kind, with its title above and its notes below."""
    cells = [[escape_markdown(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    rule = [
        "-" * (width - 1) + ":" if right else "-" * width
        for width, right in zip(widths, table.right, strict=True)
    ]
    lines = [
        "| "
        + " | ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, table.right, strict=True)
        )
        + " |"
        for row in (cells[0], rule, *cells[1:])
    ]
    title = [f"**{escape_markdown(table.title)}**", ""] if table.title else []
    notes = [line for one in table.notes for line in ("", escape_markdown(one))]
    return "\n".join([*title, *lines, *notes, ""])


def escape_markdown(text: str) -> str:
    """Return a text so that Markdown shows it as it is, in one line of a table or paragraph."""
    return _LINK.sub(r"\\]", _MARKS.sub(r"\\\1", _LINE_ENDS.sub(" ", text)))


TABLE_FORMATS: dict[str, Callable[[TextTable], str]] = {
    "csv": write_csv,
    "latex": write_latex,
    "md": write_markdown,
}
"""What writes a table, by the name of its format."""

ENDINGS = {"csv": "csv", "latex": "tex", "md": "md"}
"""The ending of a file in each format."""


def name_apart(tables: Sequence[TextTable]) -> dict[str, TextTable]:
    """Return tables by names that no two share: the second ``pairs`` is ``pairs-2``."""
    return dict(zip(set_apart([table.name for table in tables]), tables, strict=True))


def set_apart(names: Iterable[str]) -> list[str]:
    """Return names of which no two are the same: the second ``pairs`` is ``pairs-2``."""
    apart: dict[str, None] = {}
    for name in names:
        free = (name if number == 1 else f"{name}-{number}" for number in count(1))
        apart[next(one for one in free if one not in apart)] = None
    return list(apart)


def write_tables(tables: Sequence[TextTable], form: str) -> str:
    """Return several tables in one text.

    In CSV each of several stands below a line with its title, with an empty line between two.
    """
    named = name_apart(tables)
    if form == "latex":
        return "\n".join(write_latex(table, name) for name, table in named.items())
    if form == "csv" and len(tables) > 1:
        return "\n".join(
            write_csv(TextTable((table.title or name,), ())) + write_csv(table)
            for name, table in named.items()
        )
    return "\n".join(map(TABLE_FORMATS[form], tables))
