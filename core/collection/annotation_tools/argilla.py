"""Argilla's records: fields, metadata, and the responses to each question."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from core.collection.annotation_tools.flat_labels import (
    COMMENT,
    choose_control,
    describe_item,
    has_item,
    parse_answers,
)
from core.collection.annotation_tools.texts import (
    Texts,
    item_names,
    item_texts,
    items_of,
    write_level,
)
from core.collection.file_format import Parsed, file_format
from core.collection.files.json_values import first_values, read_values
from core.collection.files.likeness import UNLIKE, Likeness
from core.collection.files.source import Source
from core.collection.labels.label_options import CANNOT_JUDGE, LabelOptions
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

_FLAT = ".responses"
"""Ends the name of a question's answers where records are flat, as in a data set."""

_DRAFT, _DISCARDED = "draft", "discarded"


def _sniff(source: Source, _options: LabelOptions) -> bool:
    first = first_values(source.sample())[:1]
    return bool(first) and _has_responses(first[0])


def _has_responses(record: Mapping[str, Any]) -> bool:
    nested = isinstance(record.get("responses"), dict) and isinstance(record.get("fields"), dict)
    return nested or any(name.endswith(_FLAT) for name in record)


def _detect(sample: Source) -> Likeness:
    """Know records with responses."""
    records = first_values(sample)
    if not records or not all(map(_has_responses, records)):
        return UNLIKE
    return Likeness(1.0 if all(has_item(_data_of(record)) for record in records) else 0.6)


def _data_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of an item: its metadata, or else its fields, or of a flat record all.

    Names that metadata and fields share mean the metadata.
    """
    fields, metadata = record.get("fields"), record.get("metadata")
    if not isinstance(fields, dict):
        return dict(record)
    return {**fields, **(metadata if isinstance(metadata, dict) else {})}


def _answers(
    record: Mapping[str, Any], file: str, line: int
) -> dict[str, list[tuple[Any, Any, Any]]]:
    """Return by question who answered what: person, value, status."""
    found: dict[str, list[tuple[Any, Any, Any]]] = {}
    for question, listed in _list_answers(record):
        for who, value, status in listed:
            if who in (None, "") or isinstance(who, bool | list | dict):
                reason = f"a response to '{question}' does not say whose it is"
                raise BadInput(reason, file=file, line=line, field="user_id")
            found.setdefault(question, []).append((who, value, status))
    return found


def _list_answers(
    record: Mapping[str, Any],
) -> Iterator[tuple[str, list[tuple[Any, Any, Any]]]]:
    responses = record.get("responses")
    for question, listed in (responses if isinstance(responses, dict) else {}).items():
        given = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        yield (
            question,
            [(one.get("user_id"), one.get("value"), one.get("status")) for one in given],
        )
    for name, values in record.items():
        if name.endswith(_FLAT) and isinstance(values, list):
            people, states = (_listed(record.get(f"{name}.{one}")) for one in ("users", "status"))
            people += [None] * (len(values) - len(people))
            states += [None] * (len(values) - len(states))
            yield name.removesuffix(_FLAT), list(zip(people, values, states, strict=False))


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else []


@file_format(
    kind="labels",
    name="Argilla records",
    layout="records with `fields`, `metadata` and `responses`, whose metadata or fields name "
    "topic and document; also flat, as a data set has them",
    example='[{"id": "1", "fields": {"text": "x"}, "metadata": {"topic": "1", "document": "d"}, '
    '"responses": {"level": [{"value": 2, "user_id": "a"}]}}]\n',
    sniff=_sniff,
    detect=_detect,
)
def read_argilla(source: Source, options: LabelOptions) -> Parsed:
    """Read records as Argilla's ``to_json`` and ``to_datasets`` write them.

    What a person has discarded could not be judged; drafts are no answers. The level is what the
    question called level says, or the only question; ``columns`` may name another.
    """
    judged, missing = [], 0
    for line, record in read_values(source):
        answers = _answers(record, source.name, line)
        if not answers:
            missing += 1
            continue
        question = choose_control(list(answers), options, source.name, line)
        comments = {str(who): value for who, value, _ in answers.get(COMMENT, [])}
        item = describe_item(_data_of(record), options, source.name, line)
        for who, value, status in answers.get(question, []):
            discarded = status == _DISCARDED
            if not discarded and (status == _DRAFT or value is None):
                missing += 1
                continue
            given = {
                "assessor": who,
                "level": "" if discarded else value,
                "state": CANNOT_JUDGE if discarded else "",
                COMMENT: comments.get(str(who)) or "",
            }
            judged.append((line, item | given))
    return parse_answers(source, judged, options, missing)


def write_argilla(labels: DataFrame, texts: Texts) -> bytes:
    """Return labels as records that ``Dataset.records.from_json`` reads.

    The questions are ``level``, a label question whose values are levels or *cannot judge*, and
    ``comment``. Argilla keeps no time of an answer.
    """
    records = []
    for number, (item, rows) in enumerate(items_of(labels), start=1):
        answers = [(_write_level(row), row["assessor_id"]) for row in rows]
        comments = [(row["comment"], row["assessor_id"]) for row in rows if row["comment"]]
        asked = {"level": answers} | ({COMMENT: comments} if comments else {})
        responses = {
            question: [{"value": value, "user_id": who} for value, who in given]
            for question, given in asked.items()
        }
        records.append(
            {
                "id": str(number),
                "fields": item_texts(item, texts),
                "metadata": item_names(item),
                "suggestions": {},
                "responses": responses,
                "vectors": {},
            }
        )
    return (json.dumps(records, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def _write_level(row: Mapping[str, Any]) -> str:
    return CANNOT_JUDGE if row["state"] == CANNOT_JUDGE else write_level(row["level"])
