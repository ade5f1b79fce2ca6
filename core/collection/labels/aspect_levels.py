"""What was said of aspects, from rows that name assessor, topic, document, aspect and level."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.collection.file_format import Kind, Parsed, file_format, is_table
from core.collection.files.checks import LINE, count_values, read_numbers, refuse_where
from core.collection.files.columns import FileColumn
from core.collection.files.likeness import like_table
from core.collection.files.source import Source
from core.collection.files.tables import delimiter_of, read_table
from core.collection.labels.label_formats import restore_cells
from core.collection.labels.label_options import (
    ASPECT,
    ASSESSOR,
    DOCUMENT,
    JUDGED,
    KEY,
    LEVEL,
    TOPIC,
    LabelOptions,
)
from core.collection.labels.label_values import (
    explain_level,
    find_level,
    over_distinct,
    parse_facets,
    parse_occasions,
)
from core.collection.records import FACETS, PAGE, Scale
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

LEFT_OUT = "unjudged"
"""The state of an aspect without a level: its assessor left it out."""

RELEVANCE = "relevance"
"""The level of the label that the aspect was said with, where the file has it."""

_LABEL_COLUMNS = ("group", "sequence", "time", "round")
"""Columns of the export that belong to the label, and are read with it."""

_COLUMNS = (
    ASSESSOR, TOPIC, DOCUMENT, LEVEL,
    
        FileColumn("facet"),
        FileColumn("engine", ("system",)),
        FileColumn("occasion"),
        FileColumn("state"),
    FileColumn(RELEVANCE), *map(FileColumn, _LABEL_COLUMNS),
)  # fmt: skip
_NAMED = FileColumn(ASPECT, required=True)


@dataclass(frozen=True)
class AspectOptions:
    """How levels of aspects are read.

    Parameters
    ----------
    columns : mapping
        The file's names for columns: ``{"assessor": "workerID", "level": "trust"}``.
    aspect : str
        The aspect whose rows are read; all levels are of it where the file has no such column.
    facet : {'page', 'snippet'}
        What was judged, where the file does not say.
    missing : collection
        Values of the level column that mean that the aspect was left out, besides nothing.
    scales : mapping, optional
        The scale of each aspect; a row of another one is refused. Without it, levels are numbers
        from 0.
    beyond : bool
        Take numbers from 0 that are on no scale, too, for somebody to look at.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    aspect: str = ""
    facet: str = PAGE
    missing: Collection[str | float] = ()
    scales: Mapping[str, Scale] | None = None
    beyond: bool = False

    def __post_init__(self) -> None:
        if self.facet not in FACETS:
            raise BadInput(f"a facet is {' or '.join(FACETS)}", field="facet")


@file_format(
    kind="aspects",
    name="TSV",
    layout="TSV or CSV with a header: `assessor`, `topic`, `document`, `aspect`, `level` and "
    "perhaps more, as `dissent export aspects` writes it",
    example="assessor\ttopic\tdocument\taspect\tlevel\tstate\trelevance\n"
    "a\t1\td\ttrust\t2\tlevel\t1\n",
    sniff=is_table,
    detect=like_table((*_COLUMNS, _NAMED)),
    columns=(*_COLUMNS, _NAMED),
)
def read_aspects_table(source: Source, options: AspectOptions) -> Parsed:
    """Read TSV or CSV with a header: assessor, topic, document, aspect, level, perhaps more."""
    named = FileColumn(ASPECT) if options.aspect else _NAMED
    table = read_table(source, (*_COLUMNS, named), options.columns)
    frame = table.frame if delimiter_of(source) == "\t" else restore_cells(source, table.frame)
    frame = _choose(source, frame, options.aspect)
    frame = _check_aspects(source, frame, options)
    frame = _parse_levels(
        source, parse_facets(source, frame, options.facet, ("state", RELEVANCE)), options
    )
    relevance = read_numbers(
        frame, RELEVANCE, np.isfinite, "a number", file=source.name, empty=np.nan
    )
    frame = frame.assign(**{RELEVANCE: relevance})
    frame, _ = parse_occasions(source, frame, by=(*KEY[:-1], ASPECT))
    kept = frame[[*KEY, ASPECT, "level", "state", RELEVANCE, LINE]]
    return Parsed({"aspects": kept}, notes=table.notes)


def _choose(source: Source, frame: DataFrame, aspect: str) -> DataFrame:
    """Return the rows of one aspect, or all."""
    if ASPECT not in frame:
        return frame.assign(**{ASPECT: aspect})
    if not aspect:
        return frame
    chosen = frame[frame[ASPECT] == aspect]
    if chosen.empty:
        listed = ", ".join(sorted(set(frame[ASPECT])))
        reason = f"no row is of the aspect '{aspect}'; there are {listed}"
        raise BadInput(reason, file=source.name, field=ASPECT)
    return chosen


def _check_aspects(source: Source, frame: DataFrame, options: AspectOptions) -> DataFrame:
    known = options.scales
    there = f"there are {', '.join(known)}" if known else "there is none yet"
    if known is None:
        return frame
    refuse_where(
        frame,
        ~frame[ASPECT].isin(list(known)),
        lambda row: f"the collection has no aspect '{row[ASPECT]}'; {there}. Add it first",
        file=source.name,
        field=ASPECT,
    )
    return frame


def _parse_levels(source: Source, frame: DataFrame, options: AspectOptions) -> DataFrame:
    """Turn texts into levels; NaN, with its state, where an aspect was left out."""
    is_missing = LabelOptions(missing=options.missing).is_missing
    left_out = over_distinct(frame["level"], lambda text: text == "" or is_missing(text))
    refuse_where(
        frame,
        ~frame["state"].isin(["", JUDGED, LEFT_OUT]) | ((frame["state"] == LEFT_OUT) & ~left_out),
        lambda row: (
            f"'{row['level']}' with the state '{row['state']}' is no level of an aspect; the state "
            f"is '{JUDGED}', or '{LEFT_OUT}' where there is none"
        ),
        file=source.name,
        field="state",
    )
    scales = options.scales or {}
    levels = zip(frame[ASPECT], frame["level"], strict=True)
    found = {
        one: find_level(one[1], scales.get(one[0], ()), beyond=options.beyond)
        for one in set(levels)
    }
    level = np.array(
        [found[one] for one in zip(frame[ASPECT], frame["level"], strict=True)], dtype=np.float64
    )
    refuse_where(
        frame,
        ~left_out & np.isnan(level),
        lambda row: explain_level(row["level"], scales.get(row[ASPECT], ())),
        file=source.name,
        field="level",
    )
    state = np.where(left_out, LEFT_OUT, JUDGED)
    return frame.assign(level=np.where(left_out, np.nan, level), state=state)


def _finish(parsed: Parsed) -> Parsed:
    aspects = parsed.frames["aspects"]
    counts = {
        "levels of aspects": int((aspects["state"] == JUDGED).sum()),
        "left out": int((aspects["state"] == LEFT_OUT).sum()),
        "aspects": count_values(aspects, ASPECT),
        "assessors": count_values(aspects, "assessor_id"),
        "topics": count_values(aspects, "topic_id"),
    }
    return Parsed(parsed.frames, counts | parsed.counts, parsed.notes)


ASPECTS = Kind(
    "aspects",
    "What assessors said of aspects, trust or freshness for instance, with labels that are there.",
    {"aspects": ((*KEY, ASPECT),)},
    _finish,
    AspectOptions,
)
