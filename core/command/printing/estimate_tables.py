"""What ``dissent estimate`` prints: JSON for programs, tables for people."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.command.printing.output import describe_interval, print_json, with_reason
from core.command.printing.recording import limit_rows
from core.command.printing.tables import Cell, format_interval, format_table
from core.reports.estimate import CLASSICAL, ESTIMATES, MACHINE_ONLY, POWERED, Estimation

SHOWN = 20
"""Rows of differences in a table; JSON has them all."""

HEADER = {
    CLASSICAL: "people alone [95 %]",
    POWERED: "prediction-powered [95 %]",
    MACHINE_ONLY: "machine alone [95 %]",
}


def print_estimate_json(found: Estimation, *, finite: bool, normal: bool) -> None:
    """Print everything, unrounded."""
    print_json(
        {
            "form": "normal" if normal else "t",
            "finite": finite,
            "estimates": ESTIMATES,
            "systems": _list(found.systems, ["system"]),
            "differences": _list(found.differences, ["first", "second"]),
            "curve": found.widths.rename(columns={"powered": POWERED}).to_dict("records"),
        }
    )


def print_estimate_tables(found: Estimation) -> None:
    """Print systems, differences and widths, by measure."""
    for measure, systems in found.systems.groupby("measure", sort=False):
        first = systems.iloc[0]
        print(
            f"{measure}: {first['n_human']:,} topics judged by people and the machine, "
            f"{first['n_machine']:,} by the machine alone"
        )
        print("\n" + _write(systems, ["system"], f"Mean scores, {measure}"))
        print("95 % limits over topics, for each mean alone. Those of the machine alone ")
        print("take no notice of its bias.")
        pairs = found.differences[found.differences["measure"] == measure]
        if len(pairs):
            print("\n" + _write(pairs, ["first", "second"], f"Differences of means, {measure}"))
        own = found.widths[found.widths["measure"] == measure]
        print("\nmean width of the limits, by how many of the topics people judge")
        print(_write_widths(own, f"Mean width of limits, {measure}") + "\n")


def _list(table: pd.DataFrame, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return an entry for each of the names, with every way to estimate it."""
    entries = []
    for _, own in table.groupby(["measure", *names], sort=False):
        first = own.iloc[0]
        entry = {name: first[name] for name in ("measure", *names, "n_human", "n_machine")}
        for row in own.to_dict("records"):
            entry[row["estimate"]] = _describe({str(name): one for name, one in row.items()})
        entries.append(entry)
    return entries


def _describe(row: dict[str, Any]) -> dict[str, Any]:
    entry = {name: row[name] for name in ("value", "low", "high")}
    if row["estimate"] == POWERED:
        entry["lambda"] = row["power"]
    return with_reason({**entry, "interval": describe_interval(row)}, row["reason"])


def _write(table: pd.DataFrame, names: list[str], title: str) -> str:
    every = table[names].drop_duplicates()
    shown = limit_rows(SHOWN if len(names) > 1 else len(every))
    rows: list[list[Cell]] = []
    for key, own in list(table.groupby(names, sort=False))[:shown]:
        by = own.set_index("estimate").to_dict("index")
        rows.append(
            [
                *map(str, key),
                *(
                    format_interval(by[one]["value"], by[one]["low"], by[one]["high"])
                    for one in HEADER
                ),
                by[POWERED]["power"],
            ]
        )
    text = format_table([*names, *HEADER.values(), "λ"], rows, title=title)
    left = len(every) - len(rows)
    return f"{text}\n… and {left:,} more; --format json has all" if left > 0 else text


def _write_widths(widths: pd.DataFrame, title: str) -> str:
    rows: list[list[Cell]] = [
        [row["of"], row["n_human"], row["n_machine"], row["classical"], row["powered"]]
        for row in widths.to_dict("records")
    ]
    header = ["of", "by people", "by the machine alone", "people alone", "prediction-powered"]
    return format_table(header, rows, title=title)
