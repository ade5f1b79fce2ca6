"""Click logs on the command line, and the judgements that they are set against."""

import csv
import io
from argparse import Namespace

import pandas as pd

from core.analysis.clicks.logs import log_of_import
from core.clicks.click_log import ClickLog
from core.collection.files.numbers import parse_number
from core.collection.files.source import Source
from core.command.files.opening import open_source
from core.command.files.reading import read_files
from core.errors import BadInput

_NAMES = {
    "topic_id": ("topic", "topic_id", "query", "query_id"),
    "document_id": ("document", "document_id", "doc"),
    "level": ("level", "grade", "relevance"),
}
"""How the columns of a table of judgements may be called."""


def read_click_log(arguments: Namespace) -> ClickLog:
    """Return the log; what was left out is told on stderr."""
    sources = [open_source(path) for path in arguments.logs]
    lenient = not arguments.strict
    imported = read_files("clicks", sources, lenient=lenient)
    return log_of_import(imported)


def read_judgements(path: str) -> pd.DataFrame:
    """Return ``topic_id, document_id, level`` of TREC qrels, or of a table with a header.

    Raises
    ------
    BadInput
        It is neither; names the file and the line.
    """
    source = open_source(path)
    header = source.text.split("\n", 1)[0].removesuffix("\r")
    mark = "\t" if "\t" in header else ","
    columns = _find_columns(next(csv.reader([header], delimiter=mark), []))
    if len(columns) == len(_NAMES):
        return _read_table(source, mark, columns)
    frame = read_files("qrels", [source]).frames["qrels"]
    return frame[list(_NAMES)]


def _find_columns(header: list[str]) -> dict[str, int]:
    """Return where each column of judgements stands in a header."""
    words = [word.strip().lower() for word in header]
    return {
        name: words.index(word) for name, known in _NAMES.items() for word in known if word in words
    }


def _read_table(source: Source, mark: str, columns: dict[str, int]) -> pd.DataFrame:
    reader = csv.reader(io.StringIO(source.text, newline=""), delimiter=mark)
    next(reader)
    rows = []
    for row in reader:
        if not row:
            continue
        if len(row) <= max(columns.values()):
            reason = "has too few cells; expected a topic, a document and a level"
            raise BadInput(reason, file=source.name, line=reader.line_num)
        topic, document, level = (row[columns[name]].strip() for name in _NAMES)
        value = parse_number(level)
        if value != value:
            reason = f"'{level}' is not a level: write a number"
            raise BadInput(reason, file=source.name, line=reader.line_num)
        rows.append((topic, document, value))
    frame = pd.DataFrame(rows, columns=list(_NAMES))
    return frame.astype({"topic_id": "str", "document_id": "str", "level": float})
