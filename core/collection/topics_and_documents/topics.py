"""Topics from TSV or JSONL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.collection.file_format import (
    Kind,
    Parsed,
    TableOptions,
    file_format,
    is_table,
    starts_with,
)
from core.collection.files.checks import LINE, read_numbers, refuse_where, with_columns
from core.collection.files.columns import FileColumn
from core.collection.files.json_values import check_json_text
from core.collection.files.likeness import (
    UNLIKE,
    Likeness,
    first_rows,
    like_objects,
    rate_columns,
    table_header,
)
from core.collection.files.source import Source
from core.collection.files.tables import (
    Cells,
    delimiter_of,
    read_cells,
    read_table,
    table_of_cells,
)
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

TOPIC = ("topic_id", "query", "description", "narrative", "type")
SUBTOPIC = ("topic_id", "subtopic_id", "type", "text", "probability")

_COLUMNS = (
    FileColumn(
        "topic_id", ("id", "topic", "number", "qid", "query_id"), required=True, hints=("nr", "no")
    ),
    FileColumn("query", ("title",), required=True, hints=("question", "words", "keywords")),
    FileColumn("description", ("desc",)),
    FileColumn("narrative", ("narr",)),
    FileColumn("type"),
    FileColumn("subtopics", nested=True),
)
_STRANGERS = (
    FileColumn("document", ("document_id", "docid", "doc_id", "docno")),
    FileColumn("assessor", ("assessor_id",)),
    FileColumn("choice"),
    FileColumn("engine"),
)


def _finish(parsed: Parsed) -> Parsed:
    counts = {name: len(frame) for name, frame in parsed.frames.items()}
    return Parsed(parsed.frames, counts, parsed.notes)


TOPICS = Kind(
    "topics",
    "What people search for.",
    {"topics": (("topic_id",),), "subtopics": (("topic_id", "subtopic_id"),)},
    _finish,
    TableOptions,
)


@file_format(
    kind="topics",
    name="JSONL",
    layout="a JSON object a line with `id`, `query` and perhaps `description`, `narrative`, "
    "`type` and a list of `subtopics`",
    example='{"id": 1, "query": "x", "subtopics": [{"id": 1, "text": "y", "probability": 0.5}]}\n',
    sniff=starts_with("{", "["),
    detect=like_objects(_COLUMNS, strangers=_STRANGERS),
    columns=_COLUMNS[:-1],
)
def read_topics_jsonl(source: Source, options: TableOptions) -> Parsed:
    """Read one JSON object a topic, its subtopics as a list of objects within it."""
    table = read_table(source, _COLUMNS, options.columns)
    frame = table.frame
    lists = frame["subtopics"] if "subtopics" in frame else [None] * len(frame)
    rows = [
        (topic_id, *subtopic, line)
        for topic_id, line, listed in zip(frame["topic_id"], frame[LINE], lists, strict=True)
        for subtopic in _read_subtopics(listed, source.name, int(line))
    ]
    return Parsed(topic_frames(source, frame, rows), notes=table.notes)


def _read_subtopics(listed: Any, file: str, line: int) -> list[tuple[str, str, str, str]]:
    if listed is None:
        return []
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise BadInput("must be a list of objects", file=file, line=line, field="subtopics")
    rows = []
    for subtopic in listed:
        texts = [subtopic.get(name) for name in ("id", "type", "text", "probability")]
        if any(isinstance(text, bool | list | dict) for text in texts):
            raise BadInput(
                "id, type, text and probability are texts or numbers",
                file=file,
                line=line,
                field="subtopics",
            )
        number, *others = ("" if text is None else str(text).strip() for text in texts)
        for text in (number, *others):
            check_json_text(text, "subtopics", file, line)
        rows.append((number, *others))
    return rows  # type: ignore[return-value]


def _detect_table(sample: Source) -> Likeness:
    """Know a header, or else an id and words after a tab on every line."""
    header = table_header(sample)
    named = rate_columns(header, _COLUMNS[:-1], strangers=_STRANGERS) if header else UNLIKE
    rows = first_rows(sample) if header and delimiter_of(sample) == "\t" else []
    plain = Likeness(0.8) if rows and _has_queries(rows) else UNLIKE
    # Where nothing in the first line is a known name, it may as well be the first topic.
    return max(plain, named, key=lambda likeness: likeness.share) if named.found else plain


_LONGEST_QUERY = 200
"""Characters on average: what is longer is rather a passage."""


def _has_queries(rows: list[list[str]]) -> bool:
    """Whether rows without a header are an id that no other row has, a query and perhaps more."""
    if not all(2 <= len(row) <= 3 for row in rows):
        return False
    ids, queries = ({row[place].strip() for row in rows} for place in (0, 1))
    spelt = sum(any(map(str.isalpha, query)) for query in queries)
    length = sum(map(len, queries)) / len(queries)
    named = len(ids) == len(rows) and "" not in ids and not any(" " in one for one in ids)
    return named and 2 * spelt > len(queries) and length <= _LONGEST_QUERY


@file_format(
    kind="topics",
    name="TSV",
    layout="`id query [description]`, or columns that a header names",
    example="1\tcats\n2\tdogs\tbig\n",
    sniff=is_table,
    detect=_detect_table,
    is_fallback=True,
    columns=_COLUMNS[:-1],
)
def read_topics_tsv(source: Source, options: TableOptions) -> Parsed:
    """Read ``id<TAB>query[<TAB>description]``, or any columns named by a header."""
    numbers, rows = cells = read_cells(source)
    named = bool(options.columns) or (
        any(_COLUMNS[0].is_called(cell) for cell in rows[0])
        and any(_COLUMNS[1].is_called(cell) for cell in rows[0])
    )
    cells = cells if named else _add_header(source, numbers, rows)
    table = table_of_cells(source, cells, _COLUMNS[:-1], options.columns)
    return Parsed(topic_frames(source, table.frame, []), notes=table.notes)


_OF_OTHERS = {"query-id", "corpus-id", "score", "level", "relevance", "rank", "label", "grade"}


def _add_header(source: Source, numbers: list[int], rows: list[list[str]]) -> Cells:
    """Return the cells of a file without a header with one; the description may be absent."""
    first = [cell.strip().lower() for cell in rows[0]]
    others = [
        one for one in first if one in _OF_OTHERS or any(col.is_called(one) for col in _STRANGERS)
    ]
    if len(others) > 1:
        raise BadInput(
            f"the first line names columns of judgements or results ({', '.join(others)}), and no "
            "query",
            file=source.name,
            line=numbers[0],
        )
    tabbed = delimiter_of(source) == "\t"
    for number, row in zip(numbers, rows, strict=True):
        if not tabbed or not 2 <= len(row) <= 3:
            raise BadInput(
                "is not an id, a tab and a query, and perhaps another tab and a description",
                file=source.name,
                line=number,
            )
    padded = [row if len(row) == 3 else [*row, ""] for row in rows]
    return [0, *numbers], [list(TOPIC[:3]), *padded]


def topic_frames(
    source: Source, topics: DataFrame, subtopics: list[tuple[Any, ...]]
) -> dict[str, DataFrame]:
    """Return the two canonical frames, checked.

    Parameters
    ----------
    topics : DataFrame
        With LINE; columns that are absent become empty.
    subtopics : list of tuple
        Topic, subtopic, type, text, probability (all as text) and line.
    """
    from pandas import DataFrame

    frame = with_columns(topics, TOPIC)[[*TOPIC, LINE]]
    parts = DataFrame(subtopics, columns=[*SUBTOPIC, LINE])
    parts = parts.astype({name: "str" for name in SUBTOPIC} | {LINE: np.int64})
    for name in ("subtopic_id", "text"):
        empty = parts[name] == ""
        refuse_where(
            parts,
            empty,
            lambda _: "a subtopic needs an id and a text",
            file=source.name,
            field=name,
        )
    parts["probability"] = read_numbers(
        parts,
        "probability",
        lambda values: (values >= 0) & (values <= 1),
        "a probability from 0 to 1",
        file=source.name,
        empty=np.nan,
    )
    return {"topics": frame, "subtopics": parts}
