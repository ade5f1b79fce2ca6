"""What ``dissent compare`` prints: JSON for programs, tables for people."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.command.printing.output import print_json, with_reason
from core.command.printing.tables import Cell, format_cell, format_interval, format_table
from core.comparison.conditions import BY, Comparison, Condition
from core.comparison.power import superscripts
from core.comparison.significance_test import SignificanceTest
from core.comparison.verdict import reach_verdict

Facts = Mapping[str, object]

NO_TAU = "fewer than two systems, or all of them tied under one condition"
NOTHING_SIGNIFICANT = "no pair is significant under either condition"
IDENTITY = ("condition", "qrels", "topics", "measure")


def print_comparison_json(
    comparison: Comparison, facts: Sequence[Facts], significance: SignificanceTest
) -> None:
    """Print everything, unrounded, each entry with what it is based on."""
    known = {str(fact[BY]): {name: fact[name] for name in IDENTITY} for fact in facts}
    power = comparison.power.set_index(BY)
    print_json(
        {
            **significance.settings,
            "verdict": reach_verdict(comparison),
            "conditions": list(facts),
            "rankings": [
                {**known[one.name], "systems": _list_systems(comparison, one)}
                for one in comparison.conditions
            ],
            "pairs": [
                {**known[one.name], **_explain(row)}
                for one in comparison.conditions
                for row in one.pairs.to_dict("records")
            ],
            "discriminative_power": [
                {**known[str(name)], **_explain(_plain(row))}
                for name, row in zip(power.index, power.to_dict("records"), strict=True)
            ],
            "tau": [_make_tau(row) for row in comparison.orders.to_dict("records")],
            "overlap": [
                with_reason(_keys(row), "" if row["share"] == row["share"] else NOTHING_SIGNIFICANT)
                for row in comparison.overlap.to_dict("records")
            ],
            "superscripts": [
                {**known[one.name], "systems": _letters(one, comparison.alpha).to_dict("records")}
                for one in comparison.conditions
                if one.matrix is not None
            ],
        }
    )


def print_comparison_tables(
    comparison: Comparison, facts: Sequence[Facts], significance: SignificanceTest
) -> None:
    """Print the verdict and the tables of Sakai (2017), section 4."""
    measures = dict.fromkeys(str(fact["measure"]) for fact in facts)
    print(f"{', '.join(measures)}; {significance}\n")
    for sentence in reach_verdict(comparison):
        print(f"- {sentence}")
    print("\n" + _write_power(comparison, facts))
    print("\nmeans and places\n" + _write_means(comparison))
    if len(comparison.conditions) > 1:
        print("\nKendall's τ with 95 % interval\n" + _write_orders(comparison.orders))
    if not comparison.overlap.empty:
        print(
            "\nsignificant pairs: only first / both / only second\n"
            + _write_overlap(comparison.overlap)
        )
    for one in comparison.conditions:
        if one.matrix is not None:
            print(f"\n{one.name}: who is significantly better than whom")
            print(_write_letters(_letters(one, comparison.alpha)))


def _list_systems(comparison: Comparison, one: Condition) -> list[dict[str, Any]]:
    """Return the systems of a condition, best first."""
    ranked = comparison.ranked[comparison.ranked[BY] == one.name]
    judged = one.scores.groupby("system")["judged"].mean()
    return [
        {
            "system": row["system"],
            "mean": row["value"],
            "rank": row["rank"],
            "judged": judged[row["system"]],
        }
        for row in ranked.to_dict("records")
    ]


def _make_tau(row: dict[Any, Any]) -> dict[str, Any]:
    entry = _plain(row)
    entry["value"] = entry.pop("tau")
    return with_reason(entry, "" if entry["value"] == entry["value"] else NO_TAU)


def _explain(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a row with its reason only where there is one."""
    entry = _keys(row)
    return with_reason(entry, entry.pop("reason"))


def _plain(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a row with None for what is missing; NaN stays for the printer to deal with."""
    return {name: None if value is pd.NA else value for name, value in _keys(row).items()}


def _keys(row: dict[Any, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in row.items()}


def _letters(one: Condition, alpha: float) -> pd.DataFrame:
    assert one.matrix is not None
    return superscripts(one.matrix, one.pairs, alpha)


def _write_power(comparison: Comparison, facts: Sequence[Facts]) -> str:
    rows: list[list[Cell]] = []
    for row, fact in zip(comparison.power.to_dict("records"), facts, strict=True):
        counts = [None if row[name] is pd.NA else row[name] for name in ("significant", "pairs")]
        share, content = fact["judged"], str(fact["content_hash"])[:12]
        cells = [row[BY], row["topics"], row["systems"], format_cell(float(str(share)), 2)]
        rows.append([*cells, *counts, content, row["reason"]])
    header = ["condition", "topics", "systems", "judged", "significant", "pairs", "qrels hash", ""]
    return format_table(header, rows)


def _write_means(comparison: Comparison) -> str:
    ranked = comparison.ranked
    names = [one.name for one in comparison.conditions]
    found = ranked.set_index([BY, "system"])[["value", "rank"]].to_dict("index")
    first = ranked.loc[ranked[BY] == names[0], "system"]
    rows: list[list[Cell]] = []
    for system in first:
        cells: list[Cell] = [system]
        for name in names:
            cells += [found[(name, system)]["value"], int(found[(name, system)]["rank"])]
        rows.append(cells)
    header = ["system"]
    for name in names:
        header += [name, "place"]
    return format_table(header, rows, digits=4)


def _write_orders(orders: pd.DataFrame) -> str:
    rows: list[list[Cell]] = [
        [
            row["first"],
            row["second"],
            format_interval(row["tau"], row["low"], row["high"]),
            _write_equivalent(row["equivalent"]),
            row["tau_ap"],
            row["spearman"],
            row["rbo"],
            row["far"],
        ]
        for row in orders.to_dict("records")
    ]
    header = ["first", "second", "τ", "equivalent", "τ_AP", "ρ", "RBO", "move > 2"]
    return format_table(header, rows)


def _write_equivalent(equivalent: object) -> str:
    return format_cell(None) if equivalent is pd.NA else "yes" if equivalent else "no"


def _write_overlap(overlap: pd.DataFrame) -> str:
    rows: list[list[Cell]] = [
        [row["first"], row["second"], row["text"], row["turned"]]
        for row in overlap.to_dict("records")
    ]
    return format_table(["first", "second", "overlap", "turned round"], rows)


def _write_letters(letters: pd.DataFrame) -> str:
    columns = ["letter", "system", "mean", "better_than"]
    rows: list[list[Cell]] = letters[columns].to_numpy().tolist()
    return format_table(["", "system", "mean", "better than"], rows, digits=4)
