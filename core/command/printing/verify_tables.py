"""The further parts of ``dissent verify`` for people: tables."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.command.printing.tables import Cell, format_cell, format_interval, format_table


def print_parts(parts: Mapping[str, Mapping[str, Any]]) -> None:
    """Print what was asked for beside the draws: parts of the result by name."""
    for name, part in parts.items():
        title, print_part = _PARTS[name]
        print(f"\n{title}")
        if "reason" in part:
            print(f"{part['reason']}")
        else:
            print_part(part)


def _print_mutual(part: Mapping[str, Any]) -> None:
    rows: list[Sequence[Cell]] = [
        [
            row["measure"],
            "" if math.isnan(row["users"]) else f"{row['users']:.0f}",
            format_interval(row["mean"], row["low"], row["high"]),
            row["sd"],
            row["topics"],
            row.get("reason", ""),
        ]
        for row in part["measures"]
    ]
    header = ["measure", "N", "mean [95 %]", "sd over topics", "topics", ""]
    print(format_table(header, rows, title="One assessor's ranking scored by another's labels"))
    print("95 % limits over topics, by Student's t on log odds")


def _print_consistency(part: Mapping[str, Any]) -> None:
    rows: list[Sequence[Cell]] = [
        [row["within"], str(row["level"]), row["mean"], row["sd"], row.get("reason", "")]
        for row in part["p"]
    ]
    header = ["with", "level", "p(top | level)", "sd of redrawing", ""]
    print(format_table(header, rows, title="Assessors beside themselves and beside others"))
    print(
        f"{part['repeated']:,} repeats on {part['items']:,} items; agreement with oneself above "
        f"that with others in {format_cell(100 * part['apart'], 1)} % of {part['samples']:,} "
        "samples of the same labels"
    )


def _print_strata(part: Mapping[str, Any]) -> None:
    rows: list[Sequence[Cell]] = [
        [
            row["stratum"],
            row["items"],
            str(row["level"]),
            format_cell(row["cases"], 1),
            format_interval(row["p"], row["low"], row["high"]),
            row["interval"]["n"],
            row.get("reason", ""),
        ]
        for row in part["parts"]
    ]
    header = ["part", "items", "level", "cases", "p(top | level) [95 %]", "topics", ""]
    print(format_table(header, rows, title="p(top | level) in parts of the collection"))
    print("95 % limits over topics, by the jackknife")


_PARTS: dict[str, tuple[str, Callable[[Mapping[str, Any]], None]]] = {
    "mutual": ("one assessor's best ranking, scored by another's labels", _print_mutual),
    "consistency": ("assessors beside themselves and beside others", _print_consistency),
    "strata": ("p(top | level) in parts of the collection", _print_strata),
}
