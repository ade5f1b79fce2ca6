"""What ``dissent compare`` prints: JSON for programs, tables for people."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.command.printing.output import print_json, with_reason
from core.command.printing.report_tables import format_report_table
from core.comparison.bayes import PRIOR
from core.comparison.choices import HOLLANDER_WOLFE, MEANING, SYSTEMS
from core.comparison.conditions import BY
from core.reports.compare import SystemComparison
from core.reports.conditions import ScoredCondition
from core.reports.report import SAMPLED
from core.wording import drop_marks

Facts = Mapping[str, object]

NO_TAU = "fewer than two systems, or all of them tied under one condition"
NOTHING_SIGNIFICANT = "no pair is significant under either condition"
IDENTITY = ("condition", "qrels", "topics", "measure")


def print_comparison_json(report: SystemComparison, asked: Sequence[str]) -> None:
    """Print everything, unrounded, each entry with what it is based on."""
    comparison, facts = report.comparison, list(map(_list_facts, report.scored))
    significance = comparison.made
    known = {str(fact[BY]): {name: fact[name] for name in IDENTITY} for fact in facts}
    letters = report.letters.groupby(BY, sort=False)
    print_json(
        {
            "answer": drop_marks(report.answer),
            **significance.settings,
            "correction_note": comparison.correction,
            "error_rate": significance.kind.error_rate,
            "verdict": report.verdict,
            "conditions": facts,
            "rankings": [
                {**known[str(name)], "systems": _list_systems(report, own)}
                for name, own in report.ranking.groupby(BY, sort=False)
            ],
            "pairs": _list_pairs(report, "pairs", known),
            "bayesian": {
                "prior": PRIOR,
                "rope": report.question.rope,
                "pairs": _list_pairs(report, "posterior", known),
            }
            if "posterior" in asked
            else None,
            "variance": _list_variances(report),
            "discriminative_power": [
                {**known[row[BY]], **_explain(_plain(row))}
                for row in report.power.to_dict("records")
            ],
            "tau": [_make_tau(report, row) for row in report.orders.to_dict("records")],
            "overlap": [
                with_reason(_keys(row), "" if row["share"] == row["share"] else NOTHING_SIGNIFICANT)
                for row in report.overlap.to_dict("records")
            ],
            "superscripts": [
                {**known[str(name)], "systems": own.drop(columns=BY).to_dict("records")}
                for name, own in letters
            ],
        }
    )


def print_comparison_tables(report: SystemComparison, asked: Sequence[str]) -> None:
    """Print the verdict and the tables of Sakai (2017), section 4."""
    comparison = report.comparison
    measures = dict.fromkeys(str(one.facts["measure"]) for one in report.scored)
    print(f"{', '.join(measures)}; {comparison.made}")
    print(f"{comparison.correction}\n{comparison.significance.kind.error_rate}\n")
    for sentence in report.verdict:
        print(f"- {sentence}")
    power = report.power.assign(
        judged=[one.judged for one in report.scored],
        content_hash=[str(one.facts["content_hash"]) for one in report.scored],
    )
    print("\n" + format_report_table(report, "power", power))
    print("\nmeans and ranks\n" + format_report_table(report, "ranking"))
    if orders := format_report_table(report, "orders"):
        unit = str(report.orders["unit"].iloc[0])
        print(f"\nKendall's τ-b with 95 % interval ({MEANING[_unit(report.orders)]})\n{orders}")
        if unit != SYSTEMS:
            plural = SAMPLED.get(unit, f"{unit}s")
            print(f"τ is what studies with so many {plural} find on average.")
    if overlap := format_report_table(report, "overlap"):
        print(f"\nsignificant pairs: only first / both / only second\n{overlap}")
    _print_by_condition(report, "letters", "who is significantly better than whom")
    if "posterior" in asked:
        rope = f"{report.question.rope:g} (prior: {PRIOR})"
        title = (
            f"how likely the first is better, both are equal within {rope}, the second is better"
        )
        _print_by_condition(report, "posterior", title)
    for split in report.variances:
        conditions = ", ".join(split.conditions)
        own = report.variance[report.variance["conditions"] == conditions]
        print(f"\nvariance of scores, {conditions}\n{format_report_table(report, 'variance', own)}")
    if table := format_report_table(report, "generalisability"):
        print("\n" + table)


def _print_by_condition(report: SystemComparison, name: str, what: str) -> None:
    for condition, own in report.table(name).groupby(BY, sort=False):
        title = f"{report.tables[name].title}, {condition}"
        print(f"\n{condition}: {what}\n{format_report_table(report, name, own, title=title)}")


def print_comparison_trec_eval(report: SystemComparison) -> None:
    """Print the means of systems as trec_eval does, those of several measures one by one."""
    measures = {one.name: one.facts["measure"] for one in report.scored}
    for system, own in report.ranking.groupby("system", sort=False):
        print(f"runid\tall\t{system}")
        for name, value in zip(own[BY], own["value"], strict=True):
            print(f"{measures[name]}\tall\t{value:.4f}")


def _list_facts(one: ScoredCondition) -> dict[str, object]:
    """Return what a condition is based on, as it is printed beside each result."""
    return {
        "condition": one.name,
        "qrels": one.facts["qrels"],
        "topics": one.topic_set or None,
        "measure": one.facts["measure"],
        "content_hash": one.facts["content_hash"],
        "judged_topics": one.judged_topics,
        "unanswered": one.unanswered,
        "counted_topics": len(one.topics),
        "systems": one.scores["system"].nunique(),
        "judged": one.judged,
    }


def _unit(orders: pd.DataFrame) -> str:
    return HOLLANDER_WOLFE if "equivalent" in orders else str(orders["unit"].iloc[0])


def _list_pairs(
    report: SystemComparison, table: str, known: Mapping[str, Facts]
) -> list[dict[str, Any]]:
    rows = report.table(table).to_dict("records")
    return [{**known[row[BY]], **_explain(_with_interval(report, table, row))} for row in rows]


def _list_variances(report: SystemComparison) -> list[dict[str, Any]]:
    entries = []
    rows = report.generalisability.to_dict("records")
    for split, row in zip(report.variances, rows, strict=True):
        needed = row["topics_needed"]
        entry = _with_interval(report, "generalisability", row) | {
            "conditions": list(split.conditions),
            "components": split.study.components.to_dict("records"),
            "topics_needed": None if not np.isfinite(needed) else int(needed),
        }
        entry["relative"] = entry.pop("value")
        entries.append(_explain(entry))
    return entries


def _with_interval(report: SystemComparison, table: str, row: dict[Any, Any]) -> dict[str, Any]:
    """Return a row with what its limits rest on in one entry."""
    left = (BY, "unit", "units")
    kept = {name: value for name, value in _keys(row).items() if name not in left}
    return {**kept, "interval": report.describe_interval(table, row)}


def _list_systems(report: SystemComparison, ranking: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the systems of a condition, best first."""
    return [
        with_reason(
            {
                "system": row["system"],
                "mean": row["value"],
                "rank": row["rank"],
                "judged": row["judged"],
                "low": row["low"],
                "high": row["high"],
                "interval": report.describe_interval("ranking", row),
            },
            row["reason"],
        )
        for row in ranking.to_dict("records")
    ]


def _make_tau(report: SystemComparison, row: dict[Any, Any]) -> dict[str, Any]:
    entry = _plain(_with_interval(report, "orders", row))
    value = entry["value"] = entry.pop("tau")
    reason = entry.pop("limit_reason")
    return with_reason(entry, reason if value == value else NO_TAU)


def _explain(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a row with its reason only where there is one."""
    entry = _keys(row)
    return with_reason(entry, entry.pop("reason"))


def _plain(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a row with None for what is missing; NaN stays for the printer to deal with."""
    return {name: None if value is pd.NA else value for name, value in _keys(row).items()}


def _keys(row: dict[Any, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in row.items()}
