"""``dissent agreement``: how far assessors agree, two by two, by group, and all together."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from core.agreement.confusion import ConfusionMatrices, PairMatrices
from core.agreement.overlap import overlap_ceiling
from core.agreement.topics import TopicSets, split_topics
from core.collection.labels.label_options import ROUND
from core.command.files.label_files import LabelFile, read_label_files
from core.command.files.reading import open_source, read_files
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.recording import limit_rows
from core.command.printing.reports import format_report_table, list_answers, print_csv
from core.command.printing.tables import format_table
from core.errors import BadInput, TooLittleData
from core.reports.agreement import Agreement, AgreementQuestion, read_facet
from core.wording import count, drop_marks


def run(arguments: Namespace) -> int:
    """Print the agreement of the assessors in a label file."""
    labels = _choose_rounds(read_label_files(arguments), arguments)
    runs, asked = _read_runs(arguments.runs), _list_tables(arguments)
    reports, refused = {}, {}
    for facet in [arguments.facet] if arguments.facet else labels.facets:
        report = _ask(labels, facet, arguments, runs)
        print_notes(report.notes)
        try:
            for name in asked:
                report.table(name)
            reports[facet] = report
        except TooLittleData as error:
            refused[facet] = error
    if refused and not reports:
        raise next(iter(refused.values()))
    print_notes(f"{facet}: {error}" for facet, error in refused.items())
    topics = [report.topics for report in reports.values()]
    sets = split_topics(pd.concat(topics, ignore_index=True))
    if arguments.format == "json":
        _print_json(reports, asked, sets)
    elif arguments.format == "csv":
        print_csv(({"facet": facet}, one, asked) for facet, one in reports.items())
    else:
        print_tables(reports, asked, sets)
    return 0


def _list_tables(arguments: Namespace) -> list[str]:
    """Return the tables that are printed: differences only where they are asked for."""
    return [one for one in Agreement.tables if one != "differences" or arguments.differences]


def _choose_rounds(labels: LabelFile, arguments: Namespace) -> LabelFile:
    """Return the labels of the rounds that are asked for."""
    if not arguments.rounds:
        return labels
    if ROUND not in labels.frame:
        raise BadInput("these labels do not say in which round they were given", field="round")
    known = set(labels.frame[ROUND]) - {""}
    if missing := [name for name in arguments.rounds if name not in known]:
        listed = ", ".join(sorted(known))
        raise BadInput(f"no label was given in round '{missing[0]}'; there are {listed}")
    return replace(labels, frame=labels.frame[labels.frame[ROUND].isin(arguments.rounds)])


def _read_runs(paths: list[str] | None) -> pd.DataFrame | None:
    """Return the runs as one frame, if there are any."""
    if not paths:
        return None
    sources = [open_source(path) for path in paths]
    return read_files("runs", sources).frames["runs"]


def _ask(
    labels: LabelFile, facet: str, arguments: Namespace, runs: pd.DataFrame | None
) -> Agreement:
    cut = arguments.binary_at
    binary_at = None if cut is None else labels.level(cut, facet)
    question = AgreementQuestion((), binary_at, arguments.interval, arguments.seed)
    return Agreement(read_facet(labels.frame, facet, labels.levels(facet), runs), question)


_KEPT = {
    "overall": ("pairs", "n"),
    "groups": ("first_group", "second_group", "pairs", "n"),
    "engines": ("part", "pairs", "n"),
    "rounds": ("part", "pairs", "n"),
    "topics": ("topic_id", "first", "second", "n", "counted"),
}
"""What the entries of a table say beside the value."""


def _print_json(reports: dict[str, Agreement], asked: list[str], sets: TopicSets) -> None:
    content: dict[str, Any] = {
        "answers": list_answers(({"facet": facet}, one) for facet, one in reports.items()),
        **{name: [] for name in ("pairs", *_KEPT, "differences")},
    }
    for facet, report in reports.items():
        content["pairs"] += _pair_entries(facet, report)
        for name in _KEPT:
            content[name] += [
                _entry(report, name, row, facet) for row in report.table(name).to_dict("records")
            ]
        if "differences" in asked:
            content["differences"] += _difference_entries(facet, report)
    print_json({**content, "high_agreement": sets.high, "low_agreement": sets.low})


def _difference_entries(facet: str, report: Agreement) -> list[dict[str, Any]]:
    entries = []
    for row in report.differences.to_dict("records"):
        interval = {"interval": report.describe_interval("differences", row)}
        reason, about = row["reason"], {"facet": facet, "name": row["coefficient"]}
        left = ("reason", "coefficient", "unit", "units")
        kept = {str(name): value for name, value in row.items() if name not in left}
        entries.append(with_reason(about | kept | interval, reason))
    return entries


def _pair_entries(facet: str, report: Agreement) -> list[dict[str, Any]]:
    matrices: PairMatrices = report.matrices.by_pair()
    names = np.asarray(matrices.assessors)
    by_pair = report.pairs.groupby(["first", "second"], sort=False)
    entries = []
    for first, second, counts in zip(
        names[matrices.first], names[matrices.second], matrices.counts, strict=True
    ):
        own = by_pair.get_group((first, second)).to_dict("records")
        entries.append(
            {
                "first": first,
                "second": second,
                "facet": facet,
                "n": own[0]["n"],
                "levels": matrices.levels,
                "matrix": counts.astype(np.int64),
                "coefficients": [_entry(report, "pairs", row) for row in own],
                "ceilings": [
                    {"level": level, **overlap_ceiling(counts, level, matrices.levels)._asdict()}
                    for level in matrices.levels[1:]
                ],
            }
        )
    return entries


_PARTS = {"engines": "engine", "rounds": "round"}
"""What a part of the labels is called in the lists of parts."""


def _entry(report: Agreement, table: str, row: dict[Any, Any], facet: str = "") -> dict[str, Any]:
    about: dict[str, Any] = {"facet": facet} if facet else {}
    names, kept = {"topic_id": "topic", "part": _PARTS.get(table, "")}, _KEPT.get(table, ())
    about |= {names.get(name, name): row[name] for name in kept if not pd.isna(row[name])}
    result = {name: row[name] for name in ("value", "low", "high")}
    result["interval"] = report.describe_interval(table, row)
    return with_reason({**about, "name": row["coefficient"], **result}, row["reason"])


SHOWN = 12
"""Pairs in the tables; JSON has them all."""
_BY_PART = ("kappa(linear)", "raw", "alpha(ordinal)")
"""Coefficients shown for each group, engine and round."""
_PRINTED_PARTS = ("groups", "engines", "rounds")
_JSON_ONLY = ("pi", "overlap")
"""Coefficients that a line for each pair has no room for, by how they begin."""


def print_tables(reports: Mapping[str, Agreement], asked: Sequence[str], sets: TopicSets) -> None:
    """Print the answers and tables by facet, and the sets of topics."""
    for facet, report in reports.items():
        _print_facet(facet, report, asked)
    print(f"high agreement ({len(sets.high)} topics): {', '.join(sets.high) or '–'}")
    print(f"low agreement ({len(sets.low)} topics): {', '.join(sets.low) or '–'}")


def _print_facet(facet: str, report: Agreement, asked: Sequence[str]) -> None:
    print(f"{facet}: {drop_marks(report.answer)}")
    print(f"{count(report.overall['pairs'].max(), 'pair')} of assessors pooled\n")
    print(format_report_table(report, "overall", title=f"Agreement, {facet}s") + "\n")
    for name in _PRINTED_PARTS:
        rows, title = report.table(name), f"{report.tables[name].title}, {facet}s"
        shown = rows[rows["coefficient"].isin(_BY_PART)]
        if table := format_report_table(report, name, shown, title=title):
            print(table + "\n")
    if "differences" in asked and (table := format_report_table(report, "differences")):
        print(table + "\n")
    pairs = report.pairs[~report.pairs["coefficient"].str.startswith(_JSON_ONLY)]
    most_common = pairs.sort_values("n", ascending=False, kind="stable")
    print(format_report_table(report, "pairs", most_common, most=SHOWN))
    _print_matrices(report.matrices.by_pair())
    if apart := _count_apart(report.matrices):
        print(f"{apart:,} pairs of assessors have no common items.")
    print()


def _count_apart(matrices: ConfusionMatrices) -> int:
    """Return how many pairs of assessors have no item in common."""
    people = len(matrices.assessors)
    return people * (people - 1) // 2 - len(matrices.pair_starts())


def _print_matrices(matrices: PairMatrices) -> None:
    order = np.argsort(-matrices.counts.sum(axis=(1, 2)), kind="stable")
    for place in order[: limit_rows(SHOWN)]:
        first = matrices.assessors[matrices.first[place]]
        second = matrices.assessors[matrices.second[place]]
        counts = matrices.counts[place].astype(int).tolist()
        rows = [[str(level), *row] for level, row in zip(matrices.levels, counts, strict=True)]
        title = f"{first} (rows) × {second} (columns)"
        print(f"\n{title}")
        print(format_table(["level", *map(str, matrices.levels)], rows, title=title))
