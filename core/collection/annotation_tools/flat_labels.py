"""What files of annotation tools have in common: an item's data, and what somebody said of it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from core.collection.file_format import Parsed
from core.collection.files.columns import FileColumn
from core.collection.files.json_values import Record
from core.collection.files.source import Source
from core.collection.files.tables import Table, table_of_records
from core.collection.labels.label_options import (
    ASSESSOR,
    DOCUMENT,
    GOLD,
    LEVEL,
    OTHERS,
    TOPIC,
    LabelOptions,
)
from core.collection.labels.labels import parse_labels
from core.errors import BadInput

Values = Mapping[str, Any]

_COLUMNS = (ASSESSOR, TOPIC, DOCUMENT, LEVEL, *OTHERS)
_ITEM = tuple(FileColumn(name) for name in ("facet", "engine", "occasion", "group"))
_LISTED, _LONGEST = 30, 60
"""Names that a message has, and characters of each."""

COMMENT = "comment"
"""What the control is called that a comment is written in."""


def parse_answers(
    source: Source, answers: Sequence[Record], options: LabelOptions, missing: int
) -> Parsed:
    """Return the canonical labels of what people said, each with canonical names and its line.

    Parameters
    ----------
    missing : int
        How many items somebody has seen and said nothing of.

    Raises
    ------
    BadInput
        Nobody said anything, or something said cannot be used.
    """
    if not answers:
        raise BadInput("no row has a label", file=source.name, line=1)
    _check_names(source, options)
    names = {GOLD: options.gold} if options.gold else {}
    table = table_of_records(source, answers, (*_COLUMNS, *options.gold_columns), names)
    parsed = parse_labels(source, Table(table.frame, ()), options)
    counts = parsed.counts | {"missing": parsed.counts["missing"] + missing}
    return Parsed(parsed.frames, counts, parsed.notes)


def _check_names(source: Source, options: LabelOptions) -> None:
    known = (*_COLUMNS, FileColumn(GOLD))
    for name in options.columns:
        if not any(column.is_called(name) for column in known):
            raise BadInput(f"no column '{name}' is known here", file=source.name, line=1)


def describe_item(data: Values, options: LabelOptions, file: str, line: int) -> dict[str, Any]:
    """Return topic, document and what else tells an item from others, from an item's data.

    Raises
    ------
    BadInput
        The data do not name a topic or a document.
    """
    found = {}
    for column in (TOPIC, DOCUMENT):
        name = _name_of(column, data, options)
        if not name:
            listed = _list_names(data) or "nothing"
            what = column.name.removesuffix("_id")
            raise BadInput(
                f"the item does not name its {what}; it has: {listed}. Say which it is, as in "
                f"{what}=NAME",
                file=file,
                line=line,
                field=column.name,
            )
        found[column.name] = data[name]
    others = {column.name: column.find_in(list(data)) for column in _ITEM}
    return found | {name: data[actual] for name, actual in others.items() if actual}


def has_item(data: Any) -> bool:
    """Whether an item's data name a topic and a document as Dissent knows them."""
    return isinstance(data, dict) and all(one.find_in(list(data)) for one in (TOPIC, DOCUMENT))


def _name_of(column: FileColumn, data: Values, options: LabelOptions) -> str:
    wanted = [actual for name, actual in options.columns.items() if column.is_called(name)]
    return next((name for name in wanted if name in data), "") or (
        "" if wanted else column.find_in([str(name) for name in data])
    )


def choose_control(names: Sequence[str], options: LabelOptions, file: str, line: int) -> str:
    """Return which of a file's controls (questions, schemes) holds the levels.

    It is the one that ``columns`` names, or is called as levels are, or is alone.

    Raises
    ------
    BadInput
        Several may be, or none.
    """
    wanted = [actual for name, actual in options.columns.items() if LEVEL.is_called(name)]
    known = wanted or [name for name in names if LEVEL.is_called(name)]
    others = [name for name in names if name != COMMENT]
    chosen = known[:1] or (others if len(others) == 1 else [])
    if chosen and (chosen[0] in names or wanted):
        return chosen[0]
    listed = _list_names(others) or "none"
    raise BadInput(
        f"it is not clear which control holds the levels ({listed}); say which, as in level=NAME",
        file=file,
        line=line,
        field=LEVEL.name,
    )


def _list_names(names: Iterable[Any]) -> str:
    """Return the first of a file's own names, as they can be shown."""
    listed = ", ".join(str(name)[:_LONGEST] for name in islice(names, _LISTED))
    return listed.encode("utf-8", "replace").decode()
