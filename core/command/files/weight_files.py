"""The weight of each level, from the JSON of ``dissent weights`` or written out."""

import json
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from core.command.arguments.shared import parse_list
from core.command.files.reading import open_source
from core.errors import BadInput

_UNFIT = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
"""What JSON of another form, or nested deeply, makes of itself."""


def read_weights(text: str) -> dict[int, float]:
    """Return the weight of each level.

    Parameters
    ----------
    text : str
        The path of a file, or level=weight pairs separated by commas.

    Raises
    ------
    BadInput
        It is neither, or a level has no weight.
    """
    if "=" in text and not _is_there(text):
        return dict(_parse_pair(word) for word in parse_list(text))
    source = open_source(text)
    try:
        levels = json.loads(source.text)["levels"]
        return dict(_take_weight(entry, source.name) for entry in levels)
    except _UNFIT as error:
        reason = "is not the JSON of 'dissent weights' for one facet"
        raise BadInput(reason, file=source.name) from error


def read_pair_weights(text: str) -> list[tuple[int, int, float]]:
    """Return (snippet level, page level, weight) of each pair that has a weight.

    Parameters
    ----------
    text : str
        The path of a file.

    Raises
    ------
    BadInput
        It is not the JSON of ``dissent weights --combined``.
    """
    source = open_source(text)
    try:
        entries = json.loads(source.text)["levels"]
        return [_take_pair_weight(entry) for entry in entries if entry["weight"] is not None]
    except _UNFIT as error:
        reason = "is not the JSON of 'dissent weights --combined'"
        raise BadInput(reason, file=source.name) from error


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a path, as many weights are
        return False


def _parse_pair(word: str) -> tuple[int, float]:
    level, _, weight = word.partition("=")
    try:
        return int(level), _check(float(weight))
    except ValueError as error:
        raise BadInput(f"'{word}' is not written level=weight", field="weights") from error


def _take_weight(entry: Mapping[str, Any], file: str) -> tuple[int, float]:
    if entry["weight"] is None:
        reason = f"level {entry['level']} has no weight: {entry.get('reason', 'unknown')}"
        raise BadInput(reason, file=file, field="weight")
    return int(entry["level"]), _check(float(entry["weight"]))


def _take_pair_weight(entry: Mapping[str, Any]) -> tuple[int, int, float]:
    snippet, page = entry["level"]
    return int(snippet), int(page), _check(float(entry["weight"]))


def _check(weight: float) -> float:
    if not isfinite(weight) or weight < 0:
        raise ValueError(weight)
    return weight
