"""``dissent machines`` for people: tables of what was found."""

from typing import Any

import pandas as pd

from core.agreement.base import name_coefficient
from core.command.printing.recording import limit_rows
from core.command.printing.tables import Cell, format_interval, format_table, name_units
from core.machines.alternative_test import AlternativeTest
from core.numerals import ABSENT, write_p
from core.reports.machines import MachineAudit

SHOWN = 20
"""Rows in the tables; JSON has them all."""

_COEFFICIENTS = ("kappa", "kappa(linear)", "kappa(quadratic)", "raw", "alpha(ordinal)")
"""What a line for each pair has room for, in the order of the tables."""


def print_audit(found: MachineAudit) -> None:
    """Print what was found of all machines."""
    _print_pairs(found.pairs, found.shifts)
    _print_people(found.people)
    print("\n".join(found.verdicts.values()) + "\n")
    _print_levels(found)
    for test in found.alternative_tests.values():
        _print_test(test)
    _print_invalid(found.invalid)
    print(found.sampling)


def _print_pairs(pairs: pd.DataFrame, shifts: pd.DataFrame) -> None:
    keys = ["machine", "person"]
    shift = pairs[keys].drop_duplicates().merge(shifts, on=keys).to_dict("records")
    rows = [[*row, _limits(one)] for row, one in zip(_list_groups(pairs, keys), shift, strict=True)]
    header = ["machine", "person", "items", *map(name_coefficient, _COEFFICIENTS), "shift"]
    _print_rows(header, rows, "Machines and people", name_units(pairs))


def _print_people(people: pd.DataFrame) -> None:
    rows = _list_groups(people, ["machine", "first", "second"])
    header = ["items of", "first", "second", "items", *map(name_coefficient, _COEFFICIENTS)]
    if rows:
        _print_rows(header, rows, "People with each other, on the same items", name_units(people))


def _list_groups(table: pd.DataFrame, keys: list[str]) -> list[list[Cell]]:
    """Return a row for each pair: its names, its items, and the coefficients that are shown."""
    shown = table[table["coefficient"].isin(_COEFFICIENTS)]
    groups = [own.to_dict("records") for _, own in shown.groupby(keys, sort=False)]
    return [[*(own[0][key] for key in keys), own[0]["n"], *map(_limits, own)] for own in groups]


def _limits(row: dict[Any, Any]) -> str:
    return format_interval(row["value"], row["low"], row["high"])


def _print_rows(header: list[str], rows: list[list[Cell]], title: str, note: str) -> None:
    """Print as many rows as people read, with a line below them."""
    most = limit_rows(SHOWN)
    print(format_table(header, rows[:most], title=title))
    if len(rows) > most:
        print(f"… and {len(rows) - most:,} more; --format json has all")
    print(f"{note}\n")


def _print_levels(found: MachineAudit) -> None:
    """Print which levels machines give, for each level of people."""
    shares = found.distributions["value"].to_numpy().reshape(len(found.near), -1)
    rows: list[list[Cell]] = [
        [row["machine"], str(row["level"]), row["cases"], *map(float, own), _limits(row)]
        for row, own in zip(found.near.to_dict("records"), shares, strict=True)
    ]
    header = ["machine", "level of people", "labels", *map(str, found.scale), "within one level"]
    _print_rows(header, rows, "Levels of machines by those of people", name_units(found.near))


def _print_test(test: AlternativeTest) -> None:
    print(f"alternative annotator test, {test.machine}, epsilon {test.epsilon:g}:", end=" ")
    if not test.defined:
        print(f"not defined: {test.reason}\n")
        return
    for what, omega, passed in (
        ("items", test.omega, test.passed),
        ("topics", test.topic_omega, test.topic_passed),
    ):
        print(f"over {what} {'passed' if passed else 'not passed'}, omega {omega:.3f};", end=" ")
    print(f"rho {test.rho:.3f}")
    rows: list[list[Cell]] = [
        [
            *(row["person"], row["n"], row["advantage"], row["test"], _p(row, "")),
            *(row["topics"], _p(row, "topic_"), row["reason"]),
        ]
        for row in test.annotators.to_dict("records")
    ]
    header = ["left out", "items", "advantage", "test", "p over items", "topics", "p over topics"]
    note = "* the machine is shown to be worse by less than epsilon, if at all"
    _print_rows([*header, ""], rows, f"Alternative annotator test, {test.machine}", note)


def _p(row: dict[Any, Any], over: str) -> str:
    """Return a p value, marked where the hypothesis is rejected."""
    p = row[f"{over}p"]
    return ABSENT if pd.isna(p) else f"{write_p(p)}{' *' if row[f'{over}rejected'] else ''}"


def _print_invalid(invalid: pd.DataFrame) -> None:
    """Print the labels that are not on the scale."""
    if invalid.empty:
        return
    rows: list[list[Cell]] = [
        [row["machine"], row["topic_id"], row["document_id"], str(row["value"])]
        for row in invalid.to_dict("records")
    ]
    header = ["machine", "topic", "document", "value"]
    _print_rows(header, rows, "Labels that are not on the scale", "left out of all that is above")
