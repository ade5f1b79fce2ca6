"""``dissent preferences``: what side-by-side preferences say of documents or systems."""

import math
from argparse import Namespace
from typing import Any

import pandas as pd

from core.collection.labels.preference_formats import read_reasons
from core.collection.records import SYSTEMS
from core.command.files.opening import open_source
from core.command.files.reading import read_files
from core.command.printing.output import (
    describe_interval,
    print_json,
    print_notes,
    with_reason,
)
from core.command.printing.preference_tables import Part, print_tables
from core.errors import BadInput, TooLittleData
from core.preference.reasons import count_reasons
from core.preference.selection import decided_preferences, preference_parts
from core.preference.sides import side_bias, swapped_repeats
from core.preference.transitivity import NO_TRIPLE
from core.reports.preferences import PreferenceAnalysis


def run(arguments: Namespace) -> int:
    """Print what the preferences in the files say."""
    preferences = _read(arguments)
    reasons = _read_reasons(arguments)
    parts = [
        _analyse(preferences, *part, arguments, reasons) for part in preference_parts(preferences)
    ]
    sides, repeats = side_bias(preferences), swapped_repeats(preferences)
    if arguments.format == "json":
        print_json(_make_content(parts, sides, repeats))
    else:
        print_tables(parts, sides, repeats)
    return 0


def _read(arguments: Namespace) -> pd.DataFrame:
    sources = [open_source(path) for path in arguments.files]
    given = {"compared": arguments.kind}
    if arguments.kind != SYSTEMS:
        given["facet"] = arguments.facet
    imported = read_files("preferences", sources, **given)
    if unjudged := imported.counts["cannot judge"]:
        print_notes([f"pairs that somebody could not judge, left out: {unjudged:,}"])
    chosen = imported.frames["preferences"]
    for name in ("kind", "facet"):
        if wanted := getattr(arguments, name):
            chosen = chosen[chosen[name] == wanted]
            if chosen.empty:
                raise BadInput(f"no preference is of the {name} '{wanted}'", file=imported.source)
    first = decided_preferences(chosen)[["kind", "facet"]].drop_duplicates()
    return chosen.merge(first, on=["kind", "facet"])


def _read_reasons(arguments: Namespace) -> pd.DataFrame | None:
    """Return the rows of the file of reasons, if one is named."""
    return read_reasons(open_source(arguments.reasons)) if arguments.reasons else None


def _analyse(
    preferences: pd.DataFrame,
    kind: str,
    facet: str,
    arguments: Namespace,
    reasons: pd.DataFrame | None,
) -> Part:
    """Return what is found of the preferences of one kind and facet."""
    own = preferences[(preferences["kind"] == kind) & (preferences["facet"] == facet)]
    found = PreferenceAnalysis(own)
    pairs = found.outcomes
    if arguments.per_topic and kind == SYSTEMS:
        pairs = pd.concat([pairs, found.outcomes_by_topic], ignore_index=True)
    return Part(
        kind=kind,
        facet=facet,
        pairs=pairs,
        strengths=found.strengths(arguments.model),
        cycles=found.cycles,
        agreement=_measure_agreement(found, kind, facet),
        reasons=pd.DataFrame() if reasons is None else _count_reasons(reasons, kind, facet),
    )


def _count_reasons(reasons: pd.DataFrame, kind: str, facet: str) -> pd.DataFrame:
    return count_reasons(reasons[(reasons["kind"] == kind) & (reasons["facet"] == facet)])


def _measure_agreement(found: PreferenceAnalysis, kind: str, facet: str) -> pd.DataFrame:
    try:
        return found.agreement
    except TooLittleData as error:
        print_notes([f"{kind} ({facet}): {error}"])
        return pd.DataFrame()


def _make_content(parts: list[Part], sides: pd.DataFrame, repeats: pd.DataFrame) -> dict[str, Any]:
    return {
        "pairs": [_entry(row, part) for part in parts for row in _rows(part.pairs)],
        "strengths": [
            _entry(row | {"unbounded": math.isinf(row["high"])}, part)
            for part in parts
            for row in _rows(part.strengths.frame)
        ],
        "tie_parameters": [
            _entry({"tie_parameter": part.strengths.tie_parameter}, part)
            for part in parts
            if part.strengths.model == "davidson"
        ],
        "side_bias": _bias_entry(sides) | {"repeats": _bias_entry(repeats)},
        "intransitive": _cycle_entry(parts),
        "agreement": [
            _entry(_name_coefficient(row), part) for part in parts for row in _rows(part.agreement)
        ],
        "reasons": [
            {"kind": part.kind, "facet": part.facet} | row
            for part in parts
            for row in _rows(part.reasons.astype("object").where(part.reasons.notna(), None))
        ],
    }


def _name_coefficient(row: dict[str, Any]) -> dict[str, Any]:
    columns = ("pairs", "n", "value", "low", "high", "interval", "unit", "units", "reason")
    return {"name": row["coefficient"], **{name: row[name] for name in columns}}


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def _entry(row: dict[str, Any], part: Part) -> dict[str, Any]:
    """Return a row with what it is about in front; a topic of '' is all of them: null."""
    entry: dict[str, Any] = {"kind": part.kind, "facet": part.facet}
    if "topic_id" in row:
        entry["topic"] = row.pop("topic_id") or None
    reason = row.pop("reason", "")
    kept = {name: value for name, value in _say_interval(row).items() if name != "note" or value}
    return with_reason(entry | kept, reason)


def _say_interval(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose interval is described in one place, if it has one."""
    if "interval" not in row:
        return row
    said = row | {"interval": describe_interval(row)}
    return {name: value for name, value in said.items() if name not in ("unit", "units")}


def _bias_entry(table: pd.DataFrame) -> dict[str, Any]:
    """Return the row of all assessors, and those of each below it."""
    entries = []
    for row in _rows(table):
        reason, who = row.pop("reason"), {"assessor": row.pop("assessor_id")}
        entries.append(with_reason(who | _say_interval(row), reason))
    total, *assessors = entries
    del total["assessor"]
    return total | {"assessors": assessors}


def _cycle_entry(parts: list[Part]) -> dict[str, Any]:
    triples = sum(part.cycles.triples for part in parts)
    cycles = sum(part.cycles.intransitive for part in parts)
    entry = {
        "n": cycles,
        "triples": triples,
        "share": cycles / triples if triples else None,
        "examples": [_entry(row, part) for part in parts for row in _rows(part.cycles.examples)],
    }
    return with_reason(entry, "" if triples else NO_TRIPLE)
