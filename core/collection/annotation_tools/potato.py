"""Potato's annotated instances: what each person chose in each scheme, as JSONL or as a table."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from core.collection.annotation_tools.flat_labels import (
    COMMENT,
    choose_control,
    describe_item,
    has_item,
    parse_answers,
)
from core.collection.annotation_tools.texts import Texts, item_texts, items_of, write_level
from core.collection.file_format import Parsed, file_format
from core.collection.files.json_values import Record, first_values, read_values
from core.collection.files.likeness import UNLIKE, Likeness, table_header
from core.collection.files.source import LARGEST, Source
from core.collection.files.tables import delimiter_of, is_json
from core.collection.labels.label_options import ASSESSOR, CANNOT_JUDGE, LabelOptions
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

_MARK = ":::"
"""Parts a scheme from a label in Potato's own files, and here the parts of an item's id."""

_PARTS = ("topic", "document", "facet", "engine", "occasion")
_PERSON = ("user", "user_id", "username")
_SCALE = re.compile(r"scale_(\d+)")
_UNCHOSEN = ("", "false", "none", "nan", "0.0")


def _sniff(source: Source, _options: LabelOptions) -> bool:
    sample = source.sample()
    return _is_instances(first_values(sample)[:1]) or _is_potato_header(table_header(sample))


def _is_instances(records: list[dict[str, Any]]) -> bool:
    return bool(records) and all(
        isinstance(record.get("label_annotations"), dict) for record in records
    )


def _is_potato_header(header: tuple[str, ...]) -> bool:
    return "instance_id" in header and any(_MARK in name for name in header)


def _detect(sample: Source) -> Likeness:
    """Know instances with label annotations, and tables with a column a scheme and label."""
    records = first_values(sample)
    if _is_instances(records):
        known = all(has_item(record) or _MARK in str(record.get("id")) for record in records)
        return Likeness(1.0 if known else 0.6)
    return Likeness(1.0) if _is_potato_header(table_header(sample)) else UNLIKE


@file_format(
    kind="labels",
    name="Potato",
    layout="`annotated_instances` as JSONL, TSV or CSV; an instance's `id` is `topic:::document`, "
    "or its record names both",
    example='{"id": "1:::d", "user_id": "a", "label_annotations": {"level": {"2": "true"}}}\n',
    sniff=_sniff,
    detect=_detect,
)
def read_potato(source: Source, options: LabelOptions) -> Parsed:
    """Read Potato's annotated instances; where none is named, the folder is the person.

    The level is what the scheme called level says, or the only scheme; ``columns`` may name
    another. Of a scale the number counts that was chosen.
    """
    records = read_values(source) if is_json(source) else _read_table(source)
    judged, missing = [], 0
    for line, record in records:
        schemes = record.get("label_annotations")
        if not isinstance(schemes, dict):
            reason = "the instance has no label_annotations"
            raise BadInput(reason, file=source.name, line=line, field="label_annotations")
        schemes = {name: given for name, given in schemes.items() if _chosen(given)}
        if not schemes:
            missing += 1
            continue
        scheme = choose_control(list(schemes), options, source.name, line)
        levels = _chosen(schemes.get(scheme))
        if len(levels) > 1:
            reason = f"'{scheme}' has {len(levels)} labels; one level is expected"
            raise BadInput(reason, file=source.name, line=line, field="level")
        if not levels:
            missing += 1
            continue
        comments = schemes.get(COMMENT)
        written = list(comments.values()) if isinstance(comments, dict) else []
        item = describe_item(_name_item(record), options, source.name, line)
        person = _name_person(record, source)
        judged.append(
            (
                line,
                item
                | {"assessor": person, "level": levels[0]}
                | {COMMENT: "\n".join(map(str, written))},
            )
        )
    return parse_answers(source, judged, options, missing)


def _chosen(given: Any) -> list[str]:
    """Return the labels of a scheme that were chosen; of a scale the number."""
    if not isinstance(given, dict):
        return []
    names = [
        name
        for name, value in given.items()
        if value is not False and value is not None and str(value).strip().lower() not in _UNCHOSEN
    ]
    return [scale[1] if (scale := _SCALE.fullmatch(name)) else name for name in names]


def _name_item(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an instance's record says of its item, or else what its id says."""
    if has_item(record):
        return dict(record)
    parts = [unquote(part) for part in str(record.get("id", "")).split(_MARK)]
    if len(parts) < 2:
        return {name: value for name, value in record.items() if name != "label_annotations"}
    return dict(zip(_PARTS, parts, strict=False))


def _name_person(record: Mapping[str, Any], source: Source) -> Any:
    for name in (*_PERSON, ASSESSOR.name, *ASSESSOR.aliases):
        if record.get(name) not in (None, ""):
            return record[name]
    folder = PurePosixPath(source.name.replace("\\", "/")).parent.name
    return folder or source.stem


def _read_table(source: Source) -> list[Record]:
    """Return the rows of Potato's table as instances; its cells may be in quotes, in TSV, too."""
    csv.field_size_limit(LARGEST)
    lines = (f"{line}\n" for _, line in source.lines())
    reader = csv.reader(lines, delimiter=delimiter_of(source), strict=True)
    found, start, header = [], 1, list[str]()
    try:
        for row in reader:
            if any(map(str.strip, row)) and header:
                found.append((start, _read_row(header, row, source.name, start)))
            elif not header:
                header = [name.strip() for name in row]
            start = reader.line_num + 1
    except csv.Error as error:
        reason = f"the quotes of this row do not match ({error})"
        raise BadInput(reason, file=source.name, line=start) from error
    return found


def _read_row(header: list[str], row: list[str], file: str, line: int) -> dict[str, Any]:
    if len(row) != len(header):
        reason = f"has {len(row)} cells where the header has {len(header)}"
        raise BadInput(reason, file=file, line=line)
    record: dict[str, Any] = {}
    schemes: dict[str, dict[str, str]] = {}
    for name, cell in zip(header, row, strict=True):
        scheme, mark, label = name.partition(_MARK)
        if mark and scheme != "span_annotation":
            schemes.setdefault(scheme, {})[label] = cell
        else:
            record[name] = cell
    return record | {"id": record.get("instance_id", ""), "label_annotations": schemes}


def write_potato(labels: DataFrame, texts: Texts) -> bytes:
    """Return labels as annotated instances, a line for each label.

    The schemes are ``level`` and, where somebody wrote one, ``comment``.
    """
    lines = []
    for item, rows in items_of(labels):
        parts = (item["topic_id"], item["document_id"], item["facet"], item["engine"])
        known = item_texts(item, texts)
        shown = "\n".join(filter(None, known.values()))
        for row in rows:
            cannot = row["state"] == CANNOT_JUDGE
            level = CANNOT_JUDGE if cannot else write_level(row["level"])
            schemes = {"level": {level: "true"}}
            if row["comment"]:
                schemes[COMMENT] = {"text_box": row["comment"]}
            instance = {
                "id": _MARK.join(map(_escape, (*parts, str(int(item["occasion"]))))),
                "user_id": row["assessor_id"],
                "displayed_text": shown,
                "label_annotations": schemes,
                "span_annotations": [],
                "behavioral_data": {},
            }
            lines.append(json.dumps(instance, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _escape(part: str) -> str:
    """Return a part of an id without the marks that part it from the next."""
    return part.replace("%", "%25").replace(":", "%3A")
