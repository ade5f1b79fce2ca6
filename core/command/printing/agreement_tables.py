"""``dissent agreement`` for people: tables of what was found."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.agreement.base import name_coefficient
from core.agreement.confusion import ConfusionMatrices, PairMatrices
from core.agreement.topics import TopicSets
from core.command.printing.recording import limit_rows
from core.command.printing.tables import Cell, format_interval, format_table, name_units
from core.reports.agreement import NO_GROUP, Agreement
from core.wording import drop_marks

SHOWN = 12
"""Pairs in the tables; JSON has them all."""
_BY_PART = ("kappa(linear)", "raw", "alpha(ordinal)")
"""Coefficients shown for each group, engine and round."""
_PARTS = {
    "groups": {"first_group": "group", "second_group": "group"},
    "engines": {"part": "engine"},
    "rounds": {"part": "round"},
}
"""The tables of parts of the labels, with the columns that name a part."""
_JSON_ONLY = ("pi", "overlap")
"""Coefficients that a line for each pair has no room for, by how they begin."""


def print_tables(reports: Mapping[str, Agreement], asked: Sequence[str], sets: TopicSets) -> None:
    """Print the answers and tables by facet, and the sets of topics."""
    for facet, report in reports.items():
        _print_facet(facet, report, asked)
    print(f"high agreement ({len(sets.high)} topics): {', '.join(sets.high) or '–'}")
    print(f"low agreement ({len(sets.low)} topics): {', '.join(sets.low) or '–'}")


def _print_facet(facet: str, report: Agreement, asked: Sequence[str]) -> None:
    overall = report.overall
    print(f"{facet}: {drop_marks(report.answer)}")
    print(f"{overall['pairs'].max():,} pairs of assessors pooled\n")
    print(_table(overall, {"coefficient": "coefficient"}, f"Agreement, {facet}s") + "\n")
    for name, columns in _PARTS.items():
        rows = report.table(name)
        if len(rows):
            shown = rows[rows["coefficient"].isin(_BY_PART)]
            title = f"{report.tables[name].title}, {facet}s"
            print(_table(shown, columns | {"coefficient": "coefficient"}, title) + "\n")
    if "differences" in asked and len(report.differences):
        print(_differences_table(report.differences) + "\n")
    print(_pairs_table(report.pairs))
    _print_matrices(report.matrices.by_pair())
    if apart := _count_apart(report.matrices):
        print(f"{apart:,} pairs of assessors have no common items.")
    print()


def _count_apart(matrices: ConfusionMatrices) -> int:
    """Return how many pairs of assessors have no item in common."""
    people = len(matrices.assessors)
    return people * (people - 1) // 2 - len(matrices.pair_starts())


def _table(rows: pd.DataFrame, columns: dict[str, str], title: str) -> str:
    rows = rows.assign(coefficient=rows["coefficient"].map(name_coefficient))
    cells = [
        [*(row[name] or NO_GROUP for name in columns), row["n"], _interval(row), row["reason"]]
        for row in rows.to_dict("records")
    ]
    header = [*columns.values(), "common items", "value [95 %]", ""]
    table = format_table(header, cells, title=title)
    return f"{table}\n{name_units(rows)}"


def _differences_table(rows: pd.DataFrame) -> str:
    cells: list[list[Cell]] = [
        [
            f"{row['first']} less {row['second']}",
            name_coefficient(row["coefficient"]),
            format_interval(row["difference"], row["low"], row["high"]),
            row["reason"],
        ]
        for row in rows.to_dict("records")
    ]
    table = format_table(
        ["difference", "coefficient", "value [95 %]", ""], cells, title="Differences"
    )
    return f"{table}\n{name_units(rows)}"


def _pairs_table(pairs: pd.DataFrame) -> str:
    pairs = pairs[~pairs["coefficient"].str.startswith(_JSON_ONLY)]
    shown = pairs.sort_values("n", ascending=False, kind="stable")
    groups, most = list(shown.groupby(["first", "second"], sort=False)), limit_rows(SHOWN)
    rows = [
        [own[0]["first"], own[0]["second"], own[0]["n"], *map(_interval, own)]
        for own in (group.to_dict("records") for _, group in groups[:most])
    ]
    more = f"\n… and {len(groups) - most:,} more pairs; --format json has all"
    named = map(name_coefficient, pairs["coefficient"].unique())
    header = ["first", "second", "common items", *named]
    table = format_table(header, rows, title="Agreement of every two assessors")
    table += more if len(groups) > most else ""
    return f"{table}\n{name_units(pairs)}"


def _interval(row: dict[Any, Any]) -> str:
    return format_interval(row["value"], row["low"], row["high"])


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
