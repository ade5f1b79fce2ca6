"""Labels of assessors, from rows that name assessor, topic, document and level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.collection.file_format import Kind, Parsed
from core.collection.files.checks import FILE, LINE, count_values, refuse_where
from core.collection.files.numbers import parse_number
from core.collection.files.source import Source
from core.collection.files.tables import Table
from core.collection.labels.annotators import refuse_two_names
from core.collection.labels.label_options import (
    ASPECT,
    CANNOT_JUDGE,
    GOLD,
    INVALID_ANSWER,
    JUDGED,
    KEY,
    LabelOptions,
)
from core.collection.labels.label_values import (
    over_distinct,
    parse_details,
    parse_facets,
    parse_levels,
    parse_occasions,
)
from core.collection.labels.machine_labels import (
    describe_machine,
    map_levels,
    name_machine,
    parse_answers,
)
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame


def parse_labels(source: Source, table: Table, options: LabelOptions) -> Parsed:
    """Return the canonical frame of labels that are still text.

    Repeated judgements of an item by an assessor become occasions 0, 1, … in file order,
    unless the file numbers them itself.
    """
    chosen = _choose_aspect(source, table.frame, options.aspect)
    frame = parse_facets(source, chosen, options.facet, ("state", "group", "comment"))
    if GOLD in frame:
        frame = _add_gold(source, frame, options)
    missing = over_distinct(frame["level"], options.is_missing)
    frame, counts = frame[~missing], {"missing": int(missing.sum())}
    if frame.empty:
        raise BadInput("no row has a label", file=source.name, field="level")
    machines = {}
    if options.machine:
        frame = name_machine(source, frame, options)
        machines = {"machines": describe_machine(source, frame, options)}
        frame, mapped = map_levels(frame, options)
        counts |= {"mapped": mapped} if mapped else {}
    frame = parse_levels(source, frame, options)
    frame, repeats = parse_occasions(source, frame)
    frame = parse_details(source, parse_answers(source, frame))
    if repeats:
        counts["repeated"] = repeats
    notes = (
        f"{repeats:,} rows repeat an assessor's item; they were numbered as further occasions",
    )
    remarks = table.notes + _note_aspect(chosen) + (notes if repeats else ())
    return Parsed({"labels": frame, **machines}, counts, remarks)


def _choose_aspect(source: Source, frame: DataFrame, aspect: str) -> DataFrame:
    """Return the rows of one aspect; a file without that column has none."""
    if ASPECT not in frame:
        if aspect:
            reason = f"the file has no column '{ASPECT}'"
            raise BadInput(reason, file=source.name, field=ASPECT)
        return frame
    known = sorted(set(frame[ASPECT]))
    listed = ", ".join(known)
    if not aspect and len(known) > 1:
        reason = f"there are levels of several aspects ({listed}); say of which to read them"
        raise BadInput(reason, file=source.name, field=ASPECT)
    if aspect and aspect not in known:
        reason = f"no row is of the aspect '{aspect}'; there are {listed}"
        raise BadInput(reason, file=source.name, field=ASPECT)
    return frame[frame[ASPECT] == aspect] if aspect else frame


def _note_aspect(frame: DataFrame) -> tuple[str, ...]:
    named = set(frame[ASPECT]) - {""} if ASPECT in frame else set()
    return tuple(f"all levels are those of the aspect {one}, not of relevance" for one in named)


def _add_gold(source: Source, frame: DataFrame, options: LabelOptions) -> DataFrame:
    """Append one label an item from the gold column."""
    from pandas import concat

    item = ["topic_id", "document_id", "facet", "engine"]
    unknown = over_distinct(
        frame[GOLD], lambda text: not text or options.is_missing(text) or parse_number(text) < 0
    )
    known = frame[~unknown]
    taken = frame["assessor_id"] == GOLD
    refuse_where(
        frame, taken, lambda _: f"an assessor is called '{GOLD}' already", file=source.name
    )
    first = known.groupby(item, sort=False)[GOLD].transform("first")
    refuse_where(
        known,
        known[GOLD] != first,
        lambda row: f"gold is {row[GOLD]} here but another level in an earlier row of the item",
        file=source.name,
        field=options.gold,
    )
    added = known.drop_duplicates(item)[[*item, LINE]]
    added = added.assign(assessor_id=GOLD, level=known[GOLD].loc[added.index])
    return concat([frame.drop(columns=GOLD), added]).fillna(
        {name: "" for name in frame if name != LINE}
    )


def _finish(parsed: Parsed) -> Parsed:
    from pandas import DataFrame

    labels = parsed.frames["labels"]
    known = refuse_two_names(parsed.frames, "labels")
    counts = {
        "labels": int((labels["state"] == JUDGED).sum()),
        "assessors": count_values(labels, "assessor_id"),
        "topics": count_values(labels, "topic_id"),
        "documents": count_values(labels, "document_id"),
        "cannot judge": int((labels["state"] == CANNOT_JUDGE).sum()),
    }
    if invalid := int((labels["state"] == INVALID_ANSWER).sum()):
        counts["invalid answers"] = invalid
    _require_one(parsed.frames.get("machines", DataFrame()))
    frames = {name: frame.drop_duplicates(frame.columns[0]) for name, frame in known.items()} | {
        "labels": labels
    }
    return Parsed(frames, counts | parsed.counts, parsed.notes)


def _require_one(machines: DataFrame) -> None:
    """Raise BadInput where the files describe their machine differently."""
    descriptions = machines.drop(columns=[LINE, FILE], errors="ignore").drop_duplicates()
    if len(descriptions) > 1:
        differing = [str(name) for name in descriptions if descriptions[name].nunique() > 1]
        reason = f"the files say different things of the machine ({', '.join(differing)})"
        raise BadInput(f"{reason}; import them one by one, each as a machine of its own")


LABELS = Kind("labels", "What single assessors said.", {"labels": (KEY,)}, _finish, LabelOptions)
