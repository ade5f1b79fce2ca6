"""Preferences as Label Studio's pairwise comparisons."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.collection.annotation_tools.label_studio import (
    PAIRWISE,
    know_annotators,
    list_annotations,
    list_results,
    looks_like_tasks,
    name_annotator,
    write_annotation,
    write_part,
)
from core.collection.annotation_tools.texts import Texts
from core.collection.file_format import Parsed, file_format
from core.collection.files.columns import FileColumn
from core.collection.files.json_values import first_values, read_values
from core.collection.files.likeness import UNLIKE, Likeness
from core.collection.files.source import Source
from core.collection.files.tables import table_of_records
from core.collection.labels.annotators import frame_annotators
from core.collection.labels.label_options import CANNOT_JUDGE, JUDGED, TOPIC
from core.collection.labels.preferences import FIRST, TIE, PreferenceOptions, parse_preferences
from core.collection.records import PAGE
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

_STRENGTHS = {1: "slightly", 2: "clearly"}
_COLUMNS = (
    TOPIC,
    *(FileColumn(name, required=True) for name in ("left", "right", "choice")),
    *(
        FileColumn(name)
        for name in ("strength", "assessor_id", "kind", "facet", "occasion", "state")
    ),
)


def _sniff(source: Source, _options: PreferenceOptions) -> bool:
    return looks_like_tasks(source)


def _detect(sample: Source) -> Likeness:
    """Know tasks with annotations that compare two things."""
    tasks = first_values(sample)
    parts = [
        part
        for task in tasks
        for annotation in list_annotations(task)
        for part in list_results(annotation)
    ]
    compared = any(part.get("type") == PAIRWISE for part in parts)
    return Likeness(1.0) if compared and all("data" in task for task in tasks) else UNLIKE


@file_format(
    kind="preferences",
    name="Label Studio JSON",
    layout="tasks with `data` that name `topic`, `left` and `right`, and `annotations` of type "
    "pairwise",
    example='[{"data": {"topic": "1", "left": "d", "right": "e"}, "annotations": [{"completed_by": '
    '7, "result": [{"type": "pairwise", "value": {"selected": "left"}}]}]}]\n',
    sniff=_sniff,
    detect=_detect,
)
def read_pairwise(source: Source, options: PreferenceOptions) -> Parsed:
    """Read tasks as Label Studio exports them, a preference an annotation.

    ``selected`` is left or right; a tie is a choice ``tie`` in place of it. A skipped task is one
    that its annotator could not judge.
    """
    answers = []
    tasks = read_values(source)
    known = know_annotators(tasks, source.name)
    for line, task in tasks:
        data = task.get("data")
        if not isinstance(data, dict):
            raise BadInput("the task has no data", file=source.name, line=line, field="data")
        for annotation in list_annotations(task):
            choice, strength = _read_choice(annotation)
            skipped = annotation.get("was_cancelled") is True
            if choice or skipped:
                given = {
                    "choice": CANNOT_JUDGE if skipped else choice,
                    "strength": strength if choice != TIE and not skipped else "",
                    "assessor_id": name_annotator(annotation, known, source.name, line),
                    "state": CANNOT_JUDGE if skipped else JUDGED,
                }
                answers.append((line, data | given))
    if not answers:
        raise BadInput("no annotation compares two things", file=source.name, line=1)
    table = table_of_records(source, answers, _COLUMNS, options.columns)
    frame = table.frame.assign(
        one=table.frame["left"], other=table.frame["right"], words="left right"
    )
    parsed = parse_preferences(source, frame, options)
    return replace(parsed, frames=parsed.frames | frame_annotators(known))


def _read_choice(annotation: Mapping[str, Any]) -> tuple[str, str]:
    """Return what was chosen and how clearly; empty where nothing was."""
    choice = strength = ""
    for part in list_results(annotation):
        value = part.get("value")
        if not isinstance(value, dict):
            continue
        if part.get("type") == PAIRWISE:
            choice = str(value.get("selected") or "")
        listed = value.get("choices")
        words = [str(word) for word in listed] if isinstance(listed, list) else []
        choice = TIE if TIE in words else choice
        strength = next((word for word in words if word in _STRENGTHS.values()), strength)
    return choice, strength


def write_pairwise(preferences: DataFrame, texts: Texts) -> bytes:
    """Return preferences as tasks that Label Studio imports, a task for each.

    Raises
    ------
    BadInput
        It is not known of a preference which item stood on the left.
    """
    if (preferences["left"] == "").any():
        reason = "Label Studio compares left and right; of some preferences the sides are unknown"
        raise BadInput(reason, field="tool")
    tasks = []
    for number, row in enumerate(preferences.to_dict("records"), start=1):
        left = row["left"]
        right = row["second"] if left == row["first"] else row["first"]
        data = {
            "topic": row["topic_id"],
            "left": left,
            "right": right,
            "kind": row["kind"],
            "facet": row["facet"],
            "occasion": int(row["occasion"]),
            "query": texts.queries.get(row["topic_id"], ""),
            "text1": _text_of(left, row, texts),
            "text2": _text_of(right, row, texts),
        }
        common = {"sequence": number, "dwell_ms": 0, "time": "", "assessor_id": row["assessor_id"]}
        skipped = row["state"] == CANNOT_JUDGE
        result = [] if skipped else _write_choice(row)
        annotation = write_annotation(common, result, skipped=skipped)
        tasks.append({"id": number, "data": data, "annotations": [annotation], "predictions": []})
    return (json.dumps(tasks, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def _text_of(item: str, row: Mapping[Any, Any], texts: Texts) -> str:
    return texts.documents.get(item, ("", ""))[1] if row["facet"] == PAGE else ""


def _write_choice(row: Mapping[Any, Any]) -> list[dict[str, Any]]:
    if row["choice"] == TIE:
        return [write_part("tie", "choices", {"choices": [TIE]})]
    is_left = (row["choice"] == FIRST) == (row["left"] == row["first"])
    parts = [write_part("pw", PAIRWISE, {"selected": "left" if is_left else "right"})]
    if strength := _STRENGTHS.get(int(row["strength"])):
        parts.append(write_part("strength", "choices", {"choices": [strength]}))
    return parts
