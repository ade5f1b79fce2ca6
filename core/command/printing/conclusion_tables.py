"""What is printed of conclusions under machines' judgements: JSON for programs, tables for people.

Lists and tables alike are made from `core.reports.conclusions.Conclusions`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from core.command.printing.output import with_reason
from core.command.printing.tables import Cell, format_cell, format_interval, format_table
from core.machines.circularity import explain_circularity
from core.machines.conclusions import CHANGES, NEITHER, TAU, TAU_AP, TAU_TOP
from core.numerals import write_p
from core.reports.conclusions import Conclusions
from core.wording import drop_marks

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
        "gains": [_add_interval(found, "gains", row) for row in _list_rows(found.gains)],
        "lineage": [_add_interval(found, "lineage", row) for row in _list_rows(found.lineage)],
        "circularity": [
            {**with_reason(row, row.pop("reason")), "sentence": sentence}
            for row, sentence in zip(
                _list_rows(found.circularity), _explain_runs(found), strict=True
            )
        ],
    }


def print_conclusions(found: Conclusions) -> None:
    """Print for each source what changes, in tables with their limits."""
    print(f"{drop_marks(found.answer)}\n{found.measure}; {found.significance}")
    print("\nwhat systems are scored by\n" + _write_sources(found))
    print("\norders of systems beside people's, with 95 % limits over topics")
    print(_write_rankings(found))
    print("\nsignificant differences beside people's\n" + _write_significance(found))
    for machine, gains in found.gains.groupby("machine", sort=False):
        print(f"\n{machine}: what systems gain from its judgements\n{_write_gains(gains)}")
    for sentence in found.lineage["sentence"]:
        print(f"- {sentence}")
    for machine, runs in found.circularity.groupby("machine", sort=False):
        print(f"\n{machine}: agreement beyond what people and the other runs explain")
        print(_write_circularity(runs))
        print(_say_flagged(runs))


def _list_rows(frame: pd.DataFrame) -> list[Row]:
    """Return rows with None for what is missing; NaN stays for the printer to deal with."""
    return [
        {str(name): None if value is pd.NA else value for name, value in row.items()}
        for row in frame.to_dict("records")
    ]


def _add_interval(found: Conclusions, table: str, row: Row) -> Row:
    entry = {name: value for name, value in row.items() if name not in ("unit", "units")}
    entry["interval"] = found.describe_interval(table, row)
    return with_reason(entry, entry.pop("reason"))


def _explain_runs(found: Conclusions) -> list[str]:
    return [explain_circularity(row) for _, row in found.circularity.iterrows()]


def _list_rankings(found: Conclusions) -> Iterator[Row]:
    tests = {row["source"]: row for row in _list_rows(found.orders)}
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


def _write_sources(found: Conclusions) -> str:
    rows: list[list[Cell]] = [
        [row["source"], row["systems"], row["topics"], row["left_out"], row["judged"]]
        for row in _list_rows(found.sources)
    ]
    header = ["source", "systems", "topics", "topics left out", "judged share"]
    return format_table(header, rows, 2, "What systems are scored by")


def _write_rankings(found: Conclusions) -> str:
    tests = {row["source"]: row for row in _list_rows(found.orders)}
    rows: list[list[Cell]] = []
    names: list[str] = []
    for source, own in found.rankings.groupby("source", sort=False):
        coefficients = _list_rows(own)
        names = list(map(_name, coefficients))
        test = tests[source]
        cells = [format_interval(row["value"], row["low"], row["high"]) for row in coefficients]
        found_p = [write_p(test["p"]), _answer(test["differ"]), test["shown_below"]]
        rows.append([str(source), *cells, *found_p])
    header = ["source", *names, "p", "shown to differ", "τ shown below"]
    return format_table(header, rows, title="Orders of systems beside people's")


def _answer(answer: bool | None) -> str | None:
    return None if answer is None else "yes" if answer else "no"


def _name(row: Row) -> str:
    best = row["best"]
    return {TAU: "Kendall's τ-b", TAU_AP: "τ_AP"}.get(row["coefficient"], f"τ-b of the best {best}")


def _write_significance(found: Conclusions) -> str:
    rows: list[list[Cell]] = [
        [row["source"], *(row[change] for change in CHANGES), row["share"], row["reason"]]
        for row in _list_rows(found.significant)
    ]
    header = ["source", *CHANGES, "kept of either", ""]
    return format_table(header, rows, 3, "Significant differences beside people's")


def _write_gains(gains: pd.DataFrame) -> str:
    rows: list[list[Cell]] = [
        [
            row["system"],
            row["people_mean"],
            row["machine_mean"],
            format_interval(row["gain"], row["low"], row["high"]),
            format_interval(row["relative"], row["relative_low"], row["relative_high"]),
        ]
        for row in _list_rows(gains)
    ]
    header = ["system", "by people", "by machine", "gain", "beside the others"]
    return format_table(header, rows, 3, "What systems gain from a machine's judgements")


def _write_circularity(runs: pd.DataFrame) -> str:
    is_first = np.arange(len(runs)) < FEW_SHOWN
    shown = runs[_flagged(runs) | is_first]
    rows: list[list[Cell]] = [
        [
            row["system"],
            row["statistic"],
            row["others"],
            write_p(row["p_corrected"]),
            _answer(row["flagged"]),
            row["pairs"],
            format_cell(row["agreement"], 2),
            format_cell(row["agreement_others"], 2),
            row["reason"],
        ]
        for row in _list_rows(shown)
    ]
    header = ["system", "statistic", "others", "p", "stands out", "pairs", "agrees", "others", ""]
    return format_table(header, rows, 3, "Agreement beyond people and the other runs")


def _say_flagged(runs: pd.DataFrame) -> str:
    flagged = runs[_flagged(runs)]
    if len(flagged):
        return "\n".join(f"- {explain_circularity(row)}" for _, row in flagged.iterrows())
    return "- No run is shown to stand out; of a kind that many runs share, none would."


def _flagged(runs: pd.DataFrame) -> "pd.Series[bool]":
    return runs["flagged"].fillna(False).astype("bool")
