"""What files of a machine's labels hold besides: which machine, raw answers, and odd levels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.collection.files.checks import (
    LINE,
    Check,
    are_whole,
    read_numbers,
    refuse_where,
    with_columns,
)
from core.collection.files.columns import FileColumn
from core.collection.files.numbers import parse_number
from core.collection.files.source import Source
from core.collection.labels.label_options import (
    ANSWER,
    CANNOT_JUDGE,
    DESCRIPTION,
    INVALID_ANSWER,
    JUDGED,
    LabelOptions,
)
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame, Series

MAPPED = "levels mapped"
"""The parameter of a machine that says by which rule its levels were mapped."""

_TARGETS = {"invalid": INVALID_ANSWER, "cannot": CANNOT_JUDGE}
_MOST_NAMED = 10


def name_machine(source: Source, frame: DataFrame, options: LabelOptions) -> DataFrame:
    """Return labels as those of the machine; raises BadInput where they are of several."""
    if "assessor_id" in frame:
        first = frame["assessor_id"].iloc[0]
        refuse_where(
            frame,
            frame["assessor_id"] != first,
            lambda row: (
                f"is by {row['assessor_id']}, and others are by {first}: import the labels of "
                "each machine by themselves"
            ),
            file=source.name,
            field="assessor_id",
        )
    return frame.assign(assessor_id=options.machine)


def describe_machine(source: Source, frame: DataFrame, options: LabelOptions) -> DataFrame:
    """Return one row that describes the machine: what the options say, or the file of all rows.

    Columns are assessor_id, model, version, prompt, parameters (JSON) and date.

    Raises
    ------
    BadInput
        A column of the file is not the same in all rows, or says something else.
    """
    from pandas import DataFrame

    description = {name: _choose(source, frame, options, name) for name in DESCRIPTION}
    parameters = read_parameters(description["parameters"])
    if options.mapped:
        parameters[MAPPED] = write_mapping(options.mapped)
    description["parameters"] = json.dumps(parameters, sort_keys=True, ensure_ascii=False)
    return DataFrame([{"assessor_id": options.machine, **description, LINE: 1}])


def _choose(source: Source, frame: DataFrame, options: LabelOptions, name: str) -> str:
    given = options.description.get(name, "")
    if name not in frame:
        return given
    stated = frame[name].map(_write_value)
    first = str(stated.iloc[0])
    refuse_where(
        frame,
        stated != first,
        lambda _: "is not what the first row says: of one machine it is the same in all rows",
        file=source.name,
        field=name,
    )
    if given and first and _compare(name, given) != _compare(name, first):
        reason = f"the file says '{first}', and '{given}' was given; leave one of them out"
        raise BadInput(reason, file=source.name, field=name)
    return given or first


def _write_value(value: Any) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True, ensure_ascii=False)
    return "" if value is None else str(value)


def _compare(name: str, text: str) -> Any:
    return read_parameters(text) if name == "parameters" else text


def read_parameters(text: str) -> dict[str, Any]:
    """Return parameters that are written as a JSON object or as ``temperature=0,seed=7``.

    Values that are numbers, true, false or null in JSON are these; others are texts.
    """
    if not text.strip():
        return {}
    if text.lstrip().startswith("{"):
        pairs = _read_object(text)
    else:
        parts = [word.partition("=") for word in text.split(",") if word.strip()]
        if any(not (name.strip() and mark) for name, mark, _ in parts):
            reason = f"'{text}' is neither a JSON object nor written name=value,…"
            raise BadInput(reason, field="parameters")
        pairs = {name.strip(): value.strip() for name, _, value in parts}
    found = {name: _read_value(value) for name, value in sorted(pairs.items())}
    try:
        json.dumps(found, allow_nan=False)
    except ValueError as error:
        raise BadInput("a parameter is no finite number", field="parameters") from error
    return found


def _read_object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"these parameters are not JSON ({error})", field="parameters") from error
    return dict(found)


def _read_value(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if not np.isnan(number := parse_number(value)):
        return int(number) if number.is_integer() and value.lstrip("+-").isdigit() else number
    return {"true": True, "false": False, "null": None}.get(value, value)


def write_mapping(mapped: Mapping[str, str]) -> str:
    """Return a rule as it is recorded.

    Examples
    --------
    >>> write_mapping({"5": "3", "10": "invalid"})
    '5=3, 10=invalid'
    """
    return ", ".join(f"{value}={target}" for value, target in mapped.items())


def map_levels(frame: DataFrame, options: LabelOptions) -> tuple[DataFrame, int]:
    """Return labels with the values that a rule names replaced; also how many they are."""
    if not options.mapped:
        return frame, 0
    is_level = frame["state"].isin(("", JUDGED))
    codes, rule = frame["level"].where(is_level, ""), options.mapped
    found = {text: _find_target(text, rule) for text in codes.unique()}
    chosen = codes.map(found)
    is_mapped = is_level & chosen.notna()
    return frame.assign(level=frame["level"].mask(is_mapped, chosen)), int(is_mapped.sum())


def _find_target(text: str, rule: Mapping[str, str]) -> str | None:
    number = parse_number(text)
    for value, target in rule.items():
        if value == text or parse_number(value) == number:
            return _TARGETS.get(target, target)
    return None


def refuse_strays(source: Source, frame: DataFrame, faulty: Series[bool]) -> None:
    """Raise BadInput where levels are none of the scale; the first ten are named."""
    strays = frame[faulty]
    if strays.empty:
        return
    named = ", ".join(
        f"'{level}' on line {line}"
        for level, line in zip(strays["level"][:_MOST_NAMED], strays[LINE], strict=False)
    )
    more = " …" if len(strays) > _MOST_NAMED else ""
    raise BadInput(
        f"{len(strays):,} of {len(frame):,} levels are not on the scale: {named}{more}. Say what "
        "each of these values means, as in 5=3,10=invalid, or which of them are missing",
        file=source.name,
        line=int(strays[LINE].iloc[0]),
        field="level",
    )


def parse_answers(source: Source, frame: DataFrame) -> DataFrame:
    """Turn what a machine's answers cost into numbers, NaN where that is not known."""
    held = [name for name in ANSWER if name in frame]
    if not held:
        return frame
    frame = with_columns(frame, ANSWER)
    numbers = {name: _parse_number(source, frame, name) for name in ANSWER[2:]}
    return frame.assign(**numbers)


def _parse_number(source: Source, frame: DataFrame, name: str) -> Any:
    is_cost = name == "cost"
    check: Check = _is_cost if is_cost else are_whole(below=2**53)
    what = f"a {'' if is_cost else 'whole '}number from 0"
    return read_numbers(frame, name, check, what, file=source.name, empty=np.nan)


def _is_cost(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    return (values >= 0) & (values < 2**53)


COLUMNS = (
    FileColumn("answer", ("raw_answer", "raw", "response", "output"), exact=True),
    FileColumn("reason", ("rationale", "explanation"), exact=True),
    *(FileColumn(name) for name in ANSWER[2:]),
    FileColumn("model"),
    FileColumn("version", ("model_version",)),
    FileColumn("prompt", exact=True),
    FileColumn("parameters", nested=True),
    FileColumn("date", ("judged_on",)),
)
"""What a file of a machine's labels may have beside the columns of all labels."""
