"""``dissent agreement`` for people: tables of what was found."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.agreement.confusion import ConfusionMatrices, PairMatrices
from core.agreement.topics import TopicSets
from core.command.printing.recording import limit_rows
from core.command.printing.reports import format_report_table
from core.command.printing.tables import format_table
from core.reports.agreement import Agreement
from core.wording import count, drop_marks

SHOWN = 12
"""Pairs in the tables; JSON has them all."""
_BY_PART = ("kappa(linear)", "raw", "alpha(ordinal)")
"""Coefficients shown for each group, engine and round."""
_PARTS = ("groups", "engines", "rounds")
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
    for name in _PARTS:
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
