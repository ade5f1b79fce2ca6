"""What ``dissent machines`` prints: tables of agreement, and conclusions as JSON and tables."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from core.command.printing.output import with_reason
from core.command.printing.reports import format_report_table, list_rows, print_tables
from core.machines.circularity import explain_circularity, explain_none_flagged
from core.machines.conclusions import NEITHER, TAU, TAU_AP, TAU_TOP
from core.reports.conclusions import Conclusions
from core.reports.machines import MachineAudit
from core.wording import drop_marks

SHOWN = 20
"""Rows in the tables; JSON has them all."""

_COEFFICIENTS = ("kappa", "kappa(linear)", "kappa(quadratic)", "raw", "alpha(ordinal)")
"""What a line for each pair has room for, in the order of the tables."""

_TABLES = ("pairs", "people", "shifts", "distributions", "near", "alternative", "invalid")


def print_audit(found: MachineAudit) -> None:
    """Print what was found of all machines."""
    print("\n".join(found.verdicts.values()) + "\n")
    for name in _TABLES:
        if name == "alternative":
            print("\n".join(one.describe() for one in found.alternative_tests.values()) + "\n")
        rows = _choose(found.table(name))
        if table := format_report_table(found, name, rows, most=SHOWN):
            print(f"{table}\n")


def _choose(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of those coefficients that there is room for."""
    return table[table["coefficient"].isin(_COEFFICIENTS)] if "coefficient" in table else table


Row = dict[str, Any]

FEW_SHOWN = 5
"""So many runs that agree most with a machine are shown, besides those that are flagged."""


def list_conclusions(found: Conclusions) -> dict[str, Any]:
    """Return ``conclusion, sources, rankings, significance, gains, lineage, circularity`` for JSON.

    An entry with limits has ``interval``: method, unit and n; one where a number is missing has a
    ``reason``.
    """
    return {
        "conclusion": drop_marks(found.answer),
        "sources": _list_rows(found.sources),
        "rankings": list(_list_rankings(found)),
        "significance": list(_list_significance(found)),
        "gains": list_rows(found, "gains"),
        "lineage": list_rows(found, "lineage"),
        "circularity": [
            {**with_reason(row, row.pop("reason")), "sentence": sentence}
            for row, sentence in zip(
                _list_rows(found.circularity), _explain_runs(found), strict=True
            )
        ],
    }


def print_conclusions(found: Conclusions) -> None:
    """Print for each source what changes, in the tables of the report."""
    print(f"{drop_marks(found.answer)}\n{found.measure}; {found.significance}")
    print_tables(found, ["sources"])
    _print(found, "rankings", found.beside)
    print_tables(found, ["orders", "significant"])
    for machine, gains in found.gains.groupby("machine", sort=False):
        _print(found, "gains", gains, str(machine))
    if len(found.lineage):
        print("\n" + "\n".join(f"- {sentence}" for sentence in found.lineage["sentence"]))
    for machine, runs in found.circularity.groupby("machine", sort=False):
        shown = runs[_flagged(runs) | (np.arange(len(runs)) < FEW_SHOWN)]
        _print(found, "circularity", shown, str(machine))
        print(_say_flagged(runs))


def _print(found: Conclusions, table: str, rows: pd.DataFrame, of: str = "") -> None:
    """Print some rows of a table under its title, which says whose they are."""
    title = found.tables[table].title
    title = f"{of}: {title[:1].lower()}{title[1:]}" if of else title
    print(f"\n{title}\n{format_report_table(found, table, rows, title=title)}")


def _list_rows(frame: pd.DataFrame) -> list[Row]:
    """Return rows with None for what is missing; NaN stays for the printer to deal with."""
    return [
        {str(name): None if value is pd.NA else value for name, value in row.items()}
        for row in frame.to_dict("records")
    ]


def _explain_runs(found: Conclusions) -> list[str]:
    return [explain_circularity(row) for _, row in found.circularity.iterrows()]


def _list_rankings(found: Conclusions) -> Iterator[Row]:
    tests = {row["source"]: row for row in _list_rows(found.orders.drop(columns="reason"))}
    for source, own in found.rankings.groupby("source", sort=False):
        rows = _list_rows(own)
        tau, weighted = (
            next(row for row in rows if row["coefficient"] == name) for name in (TAU, TAU_AP)
        )
        top = {str(row["best"]): row for row in rows if row["coefficient"] == TAU_TOP}
        yield with_reason(
            {
                **tests[source],
                "systems": tau["systems"],
                **{"tau": tau["value"], "low": tau["low"], "high": tau["high"]},
                "interval": found.describe_interval("rankings", tau),
                "tau_ap": weighted["value"],
                "tau_ap_limits": _list_limits(weighted),
                "tau_top": {best: row["value"] for best, row in top.items()},
                "tau_top_limits": {best: _list_limits(row) for best, row in top.items()},
            },
            "; ".join(dict.fromkeys(row["reason"] for row in rows if row["reason"])),
        )


def _list_limits(row: Row) -> Row:
    return {"low": row["low"], "high": row["high"]}


def _list_significance(found: Conclusions) -> Iterator[Row]:
    changed = found.differences[found.differences["change"] != NEITHER]
    for row in _list_rows(found.significant):
        entry = with_reason(row, row.pop("reason"))
        own = changed[changed["source"] == row["source"]]
        yield {**entry, "differences": _list_rows(own.drop(columns="source"))}


def _say_flagged(runs: pd.DataFrame) -> str:
    flagged = runs[_flagged(runs)]
    if len(flagged):
        return "\n".join(f"- {explain_circularity(row)}" for _, row in flagged.iterrows())
    return f"- {explain_none_flagged(runs)}"


def _flagged(runs: pd.DataFrame) -> "pd.Series[bool]":
    return runs["flagged"].fillna(False).astype("bool")
