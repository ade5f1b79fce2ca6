"""The files that labels come in: tables, doccano's export, tables with a column a rater.

Rows of a table of ratings that name a query and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from core.collection.export.delimited import restore
from core.collection.export.label_export import is_label_export
from core.collection.file_format import Parsed, file_format, is_table
from core.collection.files.checks import LINE, refuse_where, with_columns
from core.collection.files.columns import FileColumn
from core.collection.files.json_values import Record, first_values, read_values
from core.collection.files.likeness import (
    CLEAR,
    UNLIKE,
    Likeness,
    like_table,
    object_names,
    rate_columns,
    table_header,
)
from core.collection.files.source import Source
from core.collection.files.tables import (
    Cells,
    Table,
    delimiter_of,
    is_json,
    read_cells,
    read_table,
    table_of_cells,
    table_of_records,
)
from core.collection.labels.annotators import refuse_repeated_items
from core.collection.labels.label_options import (
    ASPECT,
    ASSESSOR,
    DOCUMENT,
    GOLD,
    LEVEL,
    OTHERS,
    TOPIC,
    LabelOptions,
)
from core.collection.labels.labels import parse_labels
from core.collection.labels.machine_labels import COLUMNS as OF_MACHINES
from core.collection.qrels_and_runs.trec import detect_qrels, read_qrels
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

_COLUMNS = (ASSESSOR, TOPIC, DOCUMENT, LEVEL, *OTHERS)
_UNNAMED = replace(ASSESSOR, required=False)
_GOLD = FileColumn(GOLD)
_STRANGERS = (
    FileColumn("choice", ("winner", "preferred")),
    FileColumn("rank", ("position",)),
    FileColumn(ASPECT),
)

_TEXTS = (
    FileColumn("title", ("name",)),
    FileColumn("url"),
    FileColumn("text", ("description",), exact=True),
)
_NO_RATERS = ("id", "comment", "comments", "notes", "explanation", "rank", "position")
_SUMMARIES = ("final", "gold", "consensus", "average", "mean", "median")
_WORD = re.compile(r"[\s_.-]*rating[\s_.-]*", re.IGNORECASE)


def _is_json(source: Source, _options: LabelOptions) -> bool:
    return is_json(source)


def _detect_objects(sample: Source) -> Likeness:
    """Know objects with topic, document and level; a list of labels is doccano's own way."""
    records = first_values(sample)
    names = object_names(_open_up(record) for record in records)
    if not names:
        return UNLIKE
    rated = rate_columns(names, (_UNNAMED, *_COLUMNS[1:], _GOLD), strangers=_STRANGERS)
    listed = all(isinstance(_labels_of(record), list) for record in records)
    return replace(rated, share=1.0) if listed and rated.share >= CLEAR else rated


def _labels_of(record: Mapping[str, Any]) -> Any:
    return next((record[name] for name in ("label", "labels") if name in record), None)


def _open_up(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with what stands within its "meta" or "metadata" at the top."""
    inner = [value for name in ("meta", "metadata") if isinstance(value := record.get(name), dict)]
    outer = {name: value for name, value in record.items() if name not in ("meta", "metadata")}
    return outer | {name: value for one in inner for name, value in one.items()}


@file_format(
    kind="labels",
    name="doccano JSONL",
    layout="a JSON object a line as doccano exports it, a file an annotator",
    example='{"label": ["1"], "metadata": {"topic": 1, "document": "d"}, "Comments": ["x"]}\n',
    sniff=_is_json,
    detect=_detect_objects,
    columns=(_UNNAMED, *_COLUMNS[1:]),
)
def read_labels_jsonl(source: Source, options: LabelOptions) -> Parsed:
    """Read one JSON object a judgement, its ids at the top or within "meta" or "metadata".

    doccano writes a file an annotator; where no assessor is named, the file's name is theirs.
    """
    records = [(line, _flatten(record, source.name, line)) for line, record in read_values(source)]
    labelled = [one for one in records if one[1].get("level") != "" or one[1].get("state")]
    if not labelled:
        raise BadInput("no line has a label", file=source.name, line=1)
    notes, are_named = _name_assessor(source, labelled, options)
    columns = (*_columns_of(options), *options.gold_columns)
    table = table_of_records(source, labelled, columns, options.names)
    if not are_named:
        refuse_repeated_items(source, table.frame)
    parsed = parse_labels(source, Table(table.frame, ()), options)
    missing = parsed.counts["missing"] + len(records) - len(labelled)
    return Parsed(parsed.frames, parsed.counts | {"missing": missing}, notes + parsed.notes)


def _flatten(record: dict[str, Any], file: str, line: int) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if name in ("meta", "metadata") and isinstance(value, dict):
            flat = value | flat
        elif name.lower() == "comments" and isinstance(value, list):
            flat["comment"] = "\n".join(map(str, value))
        elif name in ("label", "labels") and isinstance(value, list):
            if len(value) > 1:
                reason = f"has {len(value)} labels; one level is expected"
                raise BadInput(reason, file=file, line=line, field=name)
            flat["level"] = value[0] if value else ""
        else:
            flat[name] = value
    return flat


def _name_assessor(
    source: Source, records: list[Record], options: LabelOptions
) -> tuple[tuple[str, ...], bool]:
    """Name who judged in each record; return notes, and whether the file itself says."""
    named = any(ASSESSOR.is_called(key) for key in options.columns) or any(
        ASSESSOR.is_called(name) for _, record in records for name in record
    )
    if named or options.machine:
        return (), True
    guessed = ASSESSOR.guess_in(object_names(record for _, record in records))
    for _, record in records:
        record["assessor"] = record.pop(guessed, "") if guessed else source.stem
    if guessed:
        return (f"assessors were taken from '{guessed}'",), True
    return (f"no assessor is named; the file's name, '{source.stem}', was taken",), False


def _has_raters(source: Source, options: LabelOptions) -> bool:
    """Whether a table has queries and documents but no column that names the assessor."""
    header = _read_header(source)
    mapped = any(ASSESSOR.is_called(key) for key in options.columns)
    named = mapped or any(ASSESSOR.is_called(name) for name in header)
    queries = any(name.strip().lower() == "query" for name in header)
    return bool(options.raters) or (queries and not named)


def _read_header(source: Source) -> list[str]:
    first = source.text.lstrip("\n").partition("\n")[0]
    return [name.strip(' "') for name in first.split(delimiter_of(source))]


def _detect_raters(sample: Source) -> Likeness:
    """Know queries and documents, and columns that are called ratings or may be some."""
    header = table_header(sample)
    names = [name.lower() for name in header]
    if "query" not in names or ASSESSOR.find_in(header) or not DOCUMENT.find_in(header):
        return UNLIKE
    found = {"topic_id": header[names.index("query")], "document_id": DOCUMENT.find_in(header)}
    rated = any("rating" in name for name in names)
    others = [name for name in header if not _is_known(name, LabelOptions())]
    return Likeness(0.95 if rated else 0.6 if others else 0.0, header, found)


@file_format(
    kind="labels",
    name="ratings CSV",
    layout="a header with `query`, `docid` and a column of ratings for each rater",
    example="query,docid,a_rating,b_rating\ncats,d,1,2\ncats,e,,0\n",
    sniff=_has_raters,
    detect=_detect_raters,
    columns=(TOPIC, DOCUMENT),
)
def read_ratings(source: Source, options: LabelOptions) -> Parsed:
    """Read ``query, docid, …`` with a column of ratings for each rater, as Quepid exports them.

    An empty cell means that the rater did not rate the document.
    """
    from pandas import concat

    numbers, rows = leave_bare_queries(*read_cells(source))
    raters = _find_raters(source, rows[0], options)
    columns = (TOPIC, DOCUMENT, *options.gold_columns, *_TEXTS, *map(FileColumn, raters))
    lowered = [[name.strip() for name in rows[0]], *rows[1:]]
    table = table_of_cells(source, (numbers, lowered), columns, options.names)
    frame = table.frame
    kept = [name for name in ("topic_id", "document_id", GOLD, LINE) if name in frame]
    ratings = concat(
        [
            frame[kept].assign(assessor_id=assessor, level=frame[column])
            for column, assessor in raters.items()
        ]
    )
    ratings = ratings.sort_values(LINE, kind="stable", ignore_index=True)
    unrated = ratings["level"] == ""
    rated = Table(ratings[~unrated], table.ignored)
    parsed = parse_labels(source, rated, options)
    missing = parsed.counts["missing"] + int(unrated.sum())
    frames = parsed.frames | (_take_texts(frame) if options.texts else {})
    return Parsed(frames, parsed.counts | {"missing": missing}, parsed.notes)


def _find_raters(source: Source, header: list[str], options: LabelOptions) -> dict[str, str]:
    """Return the columns of ratings, in lower case, with the names of their raters."""
    names = [name.strip() for name in header if name.strip() and name.strip() != options.gold]
    if options.raters:
        found = [name for name in names if fnmatchcase(name.lower(), options.raters.lower())]
    else:
        rated = [name for name in names if "rating" in name.lower()]
        found = rated or [name for name in names if not _is_known(name, options)]
        found = [name for name in found if not name.lower().startswith(_SUMMARIES)]
    if not found:
        reason = f"no column of ratings was found among: {', '.join(names)}"
        raise BadInput(reason, file=source.name, line=1)
    short = {name.lower(): _WORD.sub("", name) or name for name in found}
    distinct = len(set(short.values())) == len(found)
    return short if distinct else {name.lower(): name for name in found}


def _is_known(name: str, options: LabelOptions) -> bool:
    known = any(column.is_called(name) for column in (TOPIC, DOCUMENT, *_TEXTS))
    return known or name.lower() in _NO_RATERS or name in options.columns.values()


def _take_texts(frame: DataFrame) -> dict[str, DataFrame]:
    """Return the topics and documents that a table of ratings names."""
    from pandas import DataFrame

    topics = DataFrame({"topic_id": frame["topic_id"], "query": frame["topic_id"]})
    topics = with_columns(topics, ("description", "narrative", "type")).assign(
        **{LINE: frame[LINE]}
    )
    documents = with_columns(frame, ("title", "url", "text", "html"))
    columns = ["document_id", "title", "url", "text", "html", LINE]
    return {"topics": topics, "documents": documents[columns]}


@file_format(
    kind="labels",
    name="TSV",
    layout="TSV or CSV with a header: `assessor`, `topic`, `document`, `level` and perhaps more",
    example="assessor\ttopic\tdocument\tlevel\ttime\toccasion\na\t1\td\t2\t2026-01-01\t0\n",
    sniff=is_table,
    detect=like_table((*_COLUMNS, _GOLD), strangers=_STRANGERS),
    is_fallback=True,
    columns=_COLUMNS,
)
def read_labels_table(source: Source, options: LabelOptions) -> Parsed:
    """Read TSV or CSV with a header: assessor, topic, document, level and perhaps more."""
    if options.machine and detect_qrels(source.sample()).share:
        return _read_machine_qrels(source, options)
    table = read_table(source, (*_columns_of(options), *options.gold_columns), options.names)
    frame = table.frame if delimiter_of(source) == "\t" else restore_cells(source, table.frame)
    return parse_labels(source, Table(frame, table.ignored), options)


def _columns_of(options: LabelOptions) -> tuple[FileColumn, ...]:
    """Return what a table may have; of a machine it need not say whose labels these are."""
    return (_UNNAMED, *_COLUMNS[1:], *OF_MACHINES) if options.machine else _COLUMNS


def _read_machine_qrels(source: Source, options: LabelOptions) -> Parsed:
    """Read the qrels that a machine made as its labels."""
    frame = read_qrels(source, options).frames["qrels"]
    lines = frame.drop(columns="iteration").astype({"level": "str"})
    refuse_where(
        lines,
        lines.duplicated(["topic_id", "document_id"]),
        lambda row: (
            f"topic {row['topic_id']}, document {row['document_id']} is there already: a machine "
            "has one label of each"
        ),
        file=source.name,
    )
    return parse_labels(source, Table(lines, ()), options)


def restore_cells(source: Source, frame: DataFrame) -> DataFrame:
    """Take away the apostrophes that keep a spreadsheet from running a cell as a formula.

    In files that Dissent has not written, only those at the beginning of a cell: others may be
    part of what somebody wrote.
    """
    inside = is_label_export(source.text.partition("\n")[0].split(","))
    restored = frame.copy()
    for name in frame.columns.drop(LINE):
        marked = frame[name].str.contains("'", regex=False)
        if marked.any():
            restored.loc[marked, name] = [
                restore(text, inside=inside) for text in frame.loc[marked, name]
            ]
    return restored


def leave_bare_queries(numbers: list[int], rows: list[list[str]]) -> Cells:
    """Return the rows of a table without those that hold a query alone.

    Quepid's case files have such a row for each query of which no document is rated. Where all rows
    are like that, they stay, and are refused as rows without a document.
    """
    kept = [place for place, row in enumerate(rows) if place == 0 or any(map(str.strip, row[1:]))]
    if len(kept) == 1:
        return numbers, rows
    return [numbers[place] for place in kept], [rows[place] for place in kept]
