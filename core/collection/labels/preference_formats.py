"""The files that preferences come in: tables with a header, JSONL, and plain lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.collection.file_format import Parsed, anything, file_format, starts_with
from core.collection.files.checks import LINE
from core.collection.files.columns import FileColumn
from core.collection.files.likeness import (
    UNLIKE,
    Likeness,
    like_objects,
    like_table,
    lines_of_words,
)
from core.collection.files.source import Source
from core.collection.files.tables import delimiter_of, read_table
from core.collection.files.trec_lines import SPACE
from core.collection.labels.preferences import TIE, PreferenceOptions, parse_preferences
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

_TOPIC = FileColumn("topic_id", ("topic", "query_id", "qid"), required=True)
_CHOICE = FileColumn("choice", ("winner", "preferred"), required=True, blank=True)
_LEFT, _RIGHT = FileColumn("left"), FileColumn("right")
_FIRST = FileColumn("first", ("doca", "documenta", "document_a", "systema", "system_a"))
_SECOND = FileColumn("second", ("docb", "documentb", "document_b", "systemb", "system_b"))
_REASON = FileColumn("reason", required=True)
_COLUMNS = (
    _TOPIC, _LEFT, _RIGHT, _FIRST, _SECOND, _CHOICE,
    FileColumn("strength"),
    FileColumn("assessor_id", ("assessor", "annotator", "worker", "rater", "judge")),
    FileColumn("kind"), FileColumn("facet"), FileColumn("occasion"), FileColumn("state"),
)  # fmt: skip


def _has_header(source: Source, options: PreferenceOptions) -> bool:
    if options.columns:
        return True
    first = source.text.lstrip("\n").partition("\n")[0]
    names = [name.strip(' "') for name in first.split(delimiter_of(source))]
    known = (_LEFT, _RIGHT, _FIRST, _SECOND, _CHOICE)
    return any(map(_TOPIC.is_called, names)) and any(
        column.is_called(name) for column in known for name in names
    )


@file_format(
    kind="preferences",
    name="TSV",
    layout="TSV or CSV with a header: `topic`, `left`, `right`, `choice` (left, right or tie), and "
    "perhaps `strength`, `assessor`, `kind` (documents or systems)",
    example="topic\tleft\tright\tchoice\tstrength\tassessor\n1\td\te\tleft\t2\ta\n",
    sniff=_has_header,
    detect=like_table(_COLUMNS, any_of=(_LEFT, _FIRST)),
    columns=_COLUMNS,
)
@file_format(
    kind="preferences",
    name="JSONL",
    layout="a JSON object a line, named as in a table",
    example='{"topic": 1, "left": "d", "right": "e", "choice": "tie", "assessor": "a"}\n',
    sniff=starts_with("{", "["),
    detect=like_objects(_COLUMNS, any_of=(_LEFT, _FIRST)),
    columns=_COLUMNS,
)
def read_preferences(source: Source, options: PreferenceOptions) -> Parsed:
    """Read one JSON object a preference, or TSV or CSV with a header, named alike.

    There are topic, left, right, choice and perhaps more. ``first`` and ``second`` (or docA and
    docB) in place of left and right leave the sides unknown, unless ``left`` names the item that
    stood there.
    """
    table = read_table(source, _COLUMNS, options.columns)
    parsed = parse_preferences(source, _find_items(source, table.frame), options)
    return Parsed(parsed.frames, parsed.counts, table.notes + parsed.notes)


def read_reasons(source: Source) -> DataFrame:
    """Return why things were preferred, from a file as ``dissent export reasons`` writes it.

    Returns
    -------
    DataFrame
        The canonical columns of preferences, and reason; a row for each reason.

    Raises
    ------
    BadInput
        A column is missing, or a row is no preference or has no reason.
    """
    table = read_table(source, (*_COLUMNS, _REASON))
    parsed = parse_preferences(source, _find_items(source, table.frame), PreferenceOptions())
    rows = parsed.frames["preferences"].merge(table.frame[[LINE, "reason"]], on=LINE)
    return rows.drop(columns=LINE)


def _find_items(source: Source, frame: DataFrame) -> DataFrame:
    if "first" in frame and "second" in frame:
        one, other, left = frame["first"], frame["second"], frame.get("left", "")
        return frame.assign(one=one, other=other, left=left, words="first second")
    for name in ("left", "right"):
        if name not in frame:
            raise BadInput(
                f"there is no column '{name}'; a preference has topic, left, right and choice",
                file=source.name,
                line=1,
                field=name,
            )
    return frame.assign(one=frame["left"], other=frame["right"], words="left right")


def _detect_lines(sample: Source) -> Likeness:
    """Know four words, the last of them one of the two before it, or tie."""
    rows = lines_of_words(sample, 4)
    if not rows or any(row[3] not in (*row[1:3], TIE) for row in rows):
        return UNLIKE
    # Qrels whose levels all equal their iteration are the same to the eye.
    is_constant = len({row[1] for row in rows}) == 1 and rows[0][1].isdecimal()
    return Likeness(0.3 if is_constant else 0.9)


@file_format(
    kind="preferences",
    name="lines",
    layout="`topic documentA documentB winner`",
    example="1 d e d\n1 d f tie\n",
    sniff=anything,
    detect=_detect_lines,
    is_fallback=True,
)
def read_preference_lines(source: Source, options: PreferenceOptions) -> Parsed:
    """Read ``topic documentA documentB winner``; the winner is one of the two, or tie.

    Words are separated by tabs if the first line has one, otherwise by white space. Nothing is
    known of sides and assessors.
    """
    from pandas import DataFrame

    is_tabbed = "\t" in source.text.lstrip("\n").partition("\n")[0]
    rows, numbers = [], []
    for number, text in source.lines():
        if not text.strip():
            continue
        words = text.split("\t") if is_tabbed else SPACE.split(text.strip(" \t\v\f"))
        rows.append(_check_words([word.strip() for word in words], source.name, number))
        numbers.append(number)
    frame = DataFrame(rows, columns=["topic_id", "one", "other", "choice"], dtype="str")
    frame = frame.assign(left="", words="", **{LINE: numbers})
    return parse_preferences(source, frame, options, ids_first=True)


def _check_words(words: list[str], file: str, line: int) -> list[str]:
    if len(words) != 4:
        raise BadInput(
            f"has {len(words)} words; expected 4: topic documentA documentB winner, or a header "
            "with topic, left, right and choice on the first line",
            file=file,
            line=line,
        )
    if not words[0]:
        raise BadInput("is empty", file=file, line=line, field="topic_id")
    return words
