"""``dissent preferences``: what side-by-side preferences say of documents or systems."""

import math
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

import pandas as pd

from core.collection.labels.preference_formats import read_reasons
from core.collection.records import SYSTEMS
from core.command.files.label_files import read_label_files
from core.command.files.reading import open_source, read_files
from core.command.files.weight_files import read_weights
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.reports import list_answers, list_rows, print_csv, print_tables
from core.errors import BadInput
from core.preference.choices import MODELS
from core.preference.selection import decided_preferences, preference_parts
from core.preference.transitivity import NO_TRIPLE
from core.reports.preferences import PreferenceQuestion, Preferences
from core.wording import drop_marks

SHOWN = 20
"""Rows of a table for people; JSON has them all."""

SEVERAL = "sides are told of each kind and facet: see parts"

Reports = Mapping[tuple[str, str], Preferences]
"""What is found, by kind and facet."""


def run(arguments: Namespace) -> int:
    """Print what the preferences in the files say."""
    if arguments.weights and not arguments.labels:
        arguments.parser.error("--weights are of the levels of labels; give --labels")
    given = _read(arguments)
    reasons = read_reasons(open_source(arguments.reasons)) if arguments.reasons else None
    weights = read_weights(arguments.weights) if arguments.weights else {}
    question = PreferenceQuestion(arguments.model, arguments.alpha, tuple(weights.items()))
    labels = read_label_files(arguments).frame if arguments.labels else None
    reports = {
        part: Preferences(
            _of_part(given, part),
            question,
            None if reasons is None else _of_part(reasons, part),
            labels,
        )
        for part in preference_parts(given)
    }
    for (kind, facet), report in reports.items():
        print_notes(f"{kind} ({facet}): {note}" for note in report.notes)
    if arguments.format == "json":
        print_json(_make_content(reports, per_topic=arguments.per_topic))
    elif arguments.format == "csv":
        print_csv(
            (_name(part), one, _list_tables(one, per_topic=arguments.per_topic))
            for part, one in reports.items()
        )
    else:
        for (kind, facet), report in reports.items():
            print(f"{kind} ({facet}): {drop_marks(report.answer)}")
            asked = _list_tables(report, per_topic=arguments.per_topic)
            print_tables(report, asked, most=SHOWN)
            for of in report.slopes.get("of", ()):
                print(drop_marks(report.tell_slope(of)))
            print()
    return 0


def _name(part: tuple[str, str]) -> dict[str, str]:
    return dict(zip(("kind", "facet"), part, strict=True))


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


def _of_part(rows: pd.DataFrame, part: tuple[str, str]) -> pd.DataFrame:
    return rows[(rows["kind"] == part[0]) & (rows["facet"] == part[1])]


def _list_tables(report: Preferences, *, per_topic: bool) -> list[str]:
    """Return the tables that are printed: those of systems by topic only where they are asked."""
    by_topic = per_topic and report.kind == SYSTEMS
    return [one for one in report.tables if one != "outcomes_by_topic" or by_topic]


def _make_content(reports: Reports, *, per_topic: bool) -> dict[str, Any]:
    """Return what JSON has."""
    pairs = [*_entries(reports, "outcomes")]
    if per_topic:
        systems = {part: one for part, one in reports.items() if one.kind == SYSTEMS}
        pairs += _entries(systems, "outcomes_by_topic")
    cycles = [one.cycles for one in reports.values()]
    triples, found = (sum(getattr(one, name) for one in cycles) for name in _OF_CYCLES)
    intransitive = {
        "n": found,
        "triples": triples,
        "share": found / triples if triples else None,
        "examples": _entries(reports, "intransitive"),
    }
    return {
        "answers": list_answers((_name(part), one) for part, one in reports.items()),
        "pairs": pairs,
        "strengths": [
            {**row, "unbounded": math.isinf(row["high"])} for row in _entries(reports, "strengths")
        ],
        "tie_parameters": [
            _name(part) | {"tie_parameter": report.fitted.tie_parameter}
            for part, report in reports.items()
            if report.question.model != MODELS[0]
        ],
        "side_bias": _list_sides(reports),
        "intransitive": with_reason(intransitive, "" if triples else NO_TRIPLE),
        "agreement": _entries(reports, "agreement"),
        "reasons": _entries(reports, "reasons"),
        **{name: _entries(reports, name) for name in ("by_level", "by_weight", "slopes")},
    }


_OF_CYCLES = ("triples", "intransitive")
_CALLED = {"topic_id": "topic", "coefficient": "name", "assessor_id": "assessor"}
"""What columns are called in JSON."""


def _entries(reports: Reports, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table of each report; a topic of '' is all of them: null."""
    entries = []
    for part, report in reports.items():
        for row in list_rows(report, table, _CALLED):
            if "topic" in row:
                row["topic"] = row["topic"] or None
            kept = {name: value for name, value in row.items() if name != "note" or value}
            entries.append(_name(part) | kept)
    return entries


def _list_sides(reports: Reports) -> dict[str, Any]:
    """Return the side bias of each kind and facet; beside it that of the only one."""
    parts = [
        _name(part) | _of_assessors(report, "sides") | {"repeats": _of_assessors(report, "repeats")}
        for part, report in reports.items()
    ]
    only = parts[0] if len(parts) == 1 else with_reason(dict.fromkeys(("left", "n", "p")), SEVERAL)
    return {**only, "parts": parts}


def _of_assessors(report: Preferences, table: str) -> dict[str, Any]:
    """Return the row of all assessors, and those of each below it."""
    total, *assessors = list_rows(report, table, _CALLED)
    del total["assessor"]
    return total | {"assessors": assessors}
