"""Labels as Prodigy exports them: tasks that were accepted, rejected or ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.collection.annotation_tools.flat_labels import describe_item, parse_answers
from core.collection.file_format import Parsed, file_format
from core.collection.files.json_values import first_values, read_values
from core.collection.files.likeness import UNLIKE, Likeness
from core.collection.files.numbers import parse_number
from core.collection.files.source import Source
from core.collection.labels.annotators import refuse_repeated_items
from core.collection.labels.label_options import ASSESSOR, CANNOT_JUDGE, LabelOptions
from core.errors import BadInput

_ACCEPT, _REJECT, _IGNORE = _ANSWERS = ("accept", "reject", "ignore")
_MARKS = ("_task_hash", "_input_hash", "_session_id", "_annotator_id", "_view_id", "accept")
_WHO = ("_annotator_id", "_session_id")


def _is_task(record: Mapping[str, Any]) -> bool:
    return record.get("answer") in _ANSWERS and any(name in record for name in _MARKS)


def _detect(sample: Source) -> Likeness:
    records = first_values(sample)
    return Likeness(1.0) if records and all(map(_is_task, records)) else UNLIKE


def _sniff(source: Source, _options: LabelOptions) -> bool:
    return any(map(_is_task, first_values(source.sample())))


@file_format(
    kind="labels",
    name="Prodigy JSONL",
    layout="tasks with `answer` that name topic and document, and `accept` with the option chosen, "
    "or one `label` for all",
    example='{"topic": "1", "document": "d", "accept": ["2"], "answer": "accept", '
    '"_annotator_id": "ann", "_task_hash": 1}\n',
    sniff=_sniff,
    detect=_detect,
)
def read_prodigy(source: Source, options: LabelOptions) -> Parsed:
    """Read tasks as ``prodigy db-out`` writes them, a label a task.

    Of a choice the option that was accepted is the level. Of a single label for all tasks, accepted
    is 1 and rejected is 0. What was ignored, or rejected as a whole, could not be judged.
    """
    tasks = read_values(source)
    labels = {str(task["label"]) for _, task in tasks if task.get("label") is not None}
    known = {one.name for scale in options.scales.values() for one in scale}
    is_binary = len(labels) == 1 and not parse_number(*labels) >= 0 and not labels & known
    given = [name for called, name in options.columns.items() if ASSESSOR.is_called(called)]
    judged, missing, unnamed = [], 0, False
    for line, task in tasks:
        if task.get("answer") not in _ANSWERS:
            reason = "the task was neither accepted, rejected nor ignored"
            raise BadInput(reason, file=source.name, line=line, field="answer")
        level = _find_level(task, is_binary, source.name, line)
        if level is None:
            missing += 1
            continue
        inner = task.get("meta")
        item = describe_item(
            task | inner if isinstance(inner, dict) else task, options, source.name, line
        )
        who = next((task[name] for name in (*given, *_WHO) if task.get(name)), "")
        unnamed |= not who
        state = "" if level else CANNOT_JUDGE
        judged.append(
            (line, item | {"assessor": who or source.stem, "level": level, "state": state})
        )
    parsed = parse_answers(source, judged, options, missing)
    notes: tuple[str, ...] = ()
    if unnamed:
        labelled = parsed.frames["labels"]
        has_occasions = any("occasion" in one for _, one in judged)  # else they were numbered here
        refuse_repeated_items(
            source, labelled if has_occasions else labelled.drop(columns="occasion")
        )
        notes += (f"no assessor is named; the file's name, '{source.stem}', was taken",)
    if is_binary:
        notes += (f"of the label '{min(labels)}', accepted counts as 1 and rejected as 0",)
    return Parsed(parsed.frames, parsed.counts, notes + parsed.notes)


def _find_level(task: Mapping[str, Any], is_binary: bool, file: str, line: int) -> str | None:
    """Return the level that a task was given, empty where it was not judged; None if nothing was.

    Raises
    ------
    BadInput
        Several options were accepted, or a rejected label does not say which level it is instead.
    """
    chosen, answer = task.get("accept"), task["answer"]
    if answer == _IGNORE:
        return ""
    if isinstance(chosen, list):
        if answer == _REJECT:
            return ""
        if len(chosen) > 1:
            reason = f"has {len(chosen)} options accepted; one level is expected"
            raise BadInput(reason, file=file, line=line, field="accept")
        return str(chosen[0]) if chosen else None
    if task.get("label") is None:
        return None
    if is_binary:
        return "1" if answer == _ACCEPT else "0"
    if answer == _ACCEPT:
        return str(task["label"])
    raise BadInput(
        f"'{task['label']}' was rejected, which does not say what level it is instead; ask for a "
        "choice of levels, or leave rejected tasks out",
        file=file,
        line=line,
        field="answer",
    )
