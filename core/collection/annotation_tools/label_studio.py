"""Label Studio's JSON: tasks, each with its data and what every annotator said."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.collection.annotation_tools.flat_labels import (
    COMMENT,
    choose_control,
    describe_item,
    has_item,
    parse_answers,
)
from core.collection.annotation_tools.texts import Texts, item_data, items_of, write_level
from core.collection.file_format import Parsed, file_format
from core.collection.files.json_values import Record, first_values, read_values
from core.collection.files.likeness import UNLIKE, Likeness
from core.collection.files.source import Source
from core.collection.labels.annotators import frame_annotators
from core.collection.labels.label_options import CANNOT_JUDGE, LabelOptions
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

PAIRWISE = "pairwise"
_LEVELS = ("choices", "rating", "number")
"""The types of controls whose value may be a level."""

_LARGEST = 2**53


def _sniff(source: Source, _options: LabelOptions) -> bool:
    return looks_like_tasks(source)


def looks_like_tasks(source: Source) -> bool:
    """Whether a file begins with tasks that somebody has annotated."""
    first = first_values(source.sample())[:1]
    return bool(first) and "data" in first[0] and _has_annotations(first[0])


def _has_annotations(task: Mapping[str, Any]) -> bool:
    return isinstance(task.get("annotations", task.get("completions")), list)


def _detect(sample: Source) -> Likeness:
    """Know tasks with data and annotations, none of which compares two things."""
    tasks = first_values(sample)
    if not tasks or not all("data" in task and _has_annotations(task) for task in tasks):
        return UNLIKE
    if any(part.get("type") == PAIRWISE for task in tasks for _, part in _parts(task)):
        return UNLIKE
    return Likeness(1.0 if all(has_item(task["data"]) for task in tasks) else 0.6)


def _parts(task: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    for annotation in list_annotations(task):
        for part in list_results(annotation):
            yield annotation, part


def list_annotations(task: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return a task's annotations; the oldest releases called them completions."""
    listed = task.get("annotations", task.get("completions"))
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def list_results(annotation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what an annotation consists of."""
    listed = annotation.get("result")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def know_annotators(tasks: Iterable[Record], file: str) -> dict[str, str]:
    """Return the addresses of annotators by their numbers, as far as a file has both.

    Raises
    ------
    BadInput
        A number has two addresses.
    """
    known: dict[str, str] = {}
    for line, task in tasks:
        for annotation in list_annotations(task):
            who = annotation.get("completed_by")
            if isinstance(who, dict) and who.get("email") and who.get("id") is not None:
                number, address = str(who["id"]), str(who["email"])
                if known.setdefault(number, address) != address:
                    reason = f"annotator {number} is {known[number]} and {address}"
                    raise BadInput(reason, file=file, line=line, field="completed_by")
    return known


def name_annotator(
    annotation: Mapping[str, Any], known: Mapping[str, str], file: str, line: int
) -> Any:
    """Return who annotated: an address where the file has one, else a number.

    Parameters
    ----------
    known : mapping
        Addresses by numbers; see `know_annotators`.

    Raises
    ------
    BadInput
        The annotation does not say.
    """
    who = annotation.get("completed_by")
    if isinstance(who, dict):
        who = who.get("email") or who.get("id")
    if isinstance(who, int | str) and not isinstance(who, bool):
        who = known.get(str(who), who)
    if who in (None, "") or isinstance(who, bool | list):
        reason = "an annotation does not say who made it"
        raise BadInput(reason, file=file, line=line, field="completed_by")
    return who


def value_of(part: Mapping[str, Any]) -> list[Any]:
    """Return what was chosen or written in a part of an annotation."""
    value = part.get("value")
    found = value.get(str(part.get("type"))) if isinstance(value, dict) else None
    if found is None and part.get("type") == "textarea" and isinstance(value, dict):
        found = value.get("text")
    return found if isinstance(found, list) else [] if found is None else [found]


def take_details(annotation: Mapping[str, Any]) -> dict[str, Any]:
    """Return when an annotation was made, how long it took, and its number."""
    found: dict[str, Any] = {"time": annotation.get("created_at")}
    number = annotation.get("id")
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < _LARGEST:
        found["sequence"] = number
    try:
        seconds = float(annotation.get("lead_time") or 0)
    except (TypeError, ValueError):
        seconds = 0.0
    if 0 < seconds < _LARGEST / 1000:
        found["dwell_ms"] = round(1000 * seconds)
    return found


@file_format(
    kind="labels",
    name="Label Studio JSON",
    layout="tasks with `data` that name topic and document, and `annotations` with choices, a "
    "rating or a number",
    example='[{"data": {"topic": "1", "document": "d"}, "annotations": [{"completed_by": 7, '
    '"result": [{"from_name": "level", "type": "choices", "value": {"choices": ["2"]}}]}]}]\n',
    sniff=_sniff,
    detect=_detect,
)
def read_label_studio(source: Source, options: LabelOptions) -> Parsed:
    """Read tasks as Label Studio exports them (JSON, not JSON-MIN), a label an annotation.

    A skipped task is one that its annotator could not judge. The level is what the control called
    level says, or the only control; ``columns`` may name another.
    """
    judged, missing = [], 0
    tasks = read_values(source)
    known = know_annotators(tasks, source.name)
    for line, task in tasks:
        data = task.get("data")
        if not isinstance(data, dict):
            raise BadInput("the task has no data", file=source.name, line=line, field="data")
        for annotation in list_annotations(task):
            given = _read_annotation(annotation, known, options, source.name, line)
            if given is None:
                missing += 1
                continue
            item = describe_item(data, options, source.name, line)
            judged.append((line, item | given))
    parsed = parse_answers(source, judged, options, missing)
    return replace(parsed, frames=parsed.frames | frame_annotators(known))


def _read_annotation(
    annotation: Mapping[str, Any],
    known: Mapping[str, str],
    options: LabelOptions,
    file: str,
    line: int,
) -> dict[str, Any] | None:
    """Return what an annotator said of an item; None where that is no level."""
    given = {"assessor": name_annotator(annotation, known, file, line)} | take_details(annotation)
    parts = list_results(annotation)
    written = [text for part in parts if _is_comment(part) for text in value_of(part)]
    given[COMMENT] = "\n".join(map(str, written))
    if annotation.get("was_cancelled") is True:
        return given | {"level": "", "state": CANNOT_JUDGE}
    levels = [part for part in parts if part.get("type") in _LEVELS]
    if not levels:
        return None
    names = list(dict.fromkeys(str(part.get("from_name")) for part in levels))
    control = choose_control(names, options, file, line)
    values = [
        value for part in levels if part.get("from_name") == control for value in value_of(part)
    ]
    if len(values) > 1:
        reason = f"'{control}' has {len(values)} values; one level is expected"
        raise BadInput(reason, file=file, line=line, field="level")
    return given | {"level": values[0], "state": ""} if values else None


def _is_comment(part: Mapping[str, Any]) -> bool:
    return part.get("type") == "textarea" and part.get("from_name") == COMMENT


def write_label_studio(labels: DataFrame, texts: Texts) -> bytes:
    """Return labels as tasks that Label Studio imports, a task an item.

    The level is a choice of the control ``level``, a comment the text of the control ``comment``;
    both belong to the object ``text``. What could not be judged is a skipped task.
    """
    tasks = []
    for number, (item, rows) in enumerate(items_of(labels), start=1):
        annotations = [_write_annotation(row) for row in rows]
        tasks.append(
            {"id": number, "data": item_data(item, texts), "annotations": annotations}
            | {"predictions": []}
        )
    return (json.dumps(tasks, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def _write_annotation(row: Mapping[str, Any]) -> dict[str, Any]:
    judged = row["state"] != CANNOT_JUDGE
    result = []
    if judged:
        result.append(write_part("level", "choices", {"choices": [write_level(row["level"])]}))
    if row["comment"]:
        result.append(write_part(COMMENT, "textarea", {"text": [row["comment"]]}))
    return write_annotation(row, result, skipped=not judged)


def write_part(name: str, kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return one part of an annotation."""
    return {"id": name, "from_name": name, "to_name": "text", "type": kind, "value": value}


def write_annotation(
    row: Mapping[str, Any], result: list[dict[str, Any]], *, skipped: bool
) -> dict[str, Any]:
    """Return an annotation; its annotator is named as Label Studio looks people up, by address."""
    written = {
        "id": int(row["sequence"]),
        "completed_by": {"email": row["assessor_id"]},
        "result": result,
        "was_cancelled": skipped,
        "ground_truth": False,
        "lead_time": int(row["dwell_ms"]) / 1000,
    }
    return written | ({"created_at": row["time"]} if row["time"] else {})
