"""What ``dissent compare`` prints: JSON for programs, tables for people."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.command.printing.output import print_json, with_reason
from core.command.printing.reports import format_report_table, list_rows
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

    def list_known(table: str) -> list[dict[str, Any]]:
        return [{**known[row[BY]], **row} for row in list_rows(report, table)]

    def list_by_condition(table: str, called: Mapping[str, str]) -> list[dict[str, Any]]:
        systems: dict[str, list[dict[str, Any]]] = {}
        for row in list_rows(report, table, called):
            systems.setdefault(row.pop(BY), []).append(row)
        return [{**known[name], "systems": own} for name, own in systems.items()]

    print_json(
        {
            "answer": drop_marks(report.answer),
            **significance.settings,
            "correction_note": comparison.correction,
            "error_rate": significance.kind.error_rate,
            "verdict": report.verdict,
            "conditions": facts,
            "rankings": list_by_condition("ranking", {"value": "mean"}),
            "pairs": list_known("pairs"),
            "bayesian": {
                "prior": PRIOR,
                "rope": report.question.rope,
                "pairs": list_known("posterior"),
            }
            if "posterior" in asked
            else None,
            "variance": _list_variances(report),
            "discriminative_power": list_known("power"),
            "tau": [_make_tau(row) for row in list_rows(report, "orders", {"tau": "value"})],
            "overlap": [
                with_reason(row, "" if row["share"] == row["share"] else NOTHING_SIGNIFICANT)
                for row in list_rows(report, "overlap")
            ],
            "superscripts": list_by_condition("letters", {}),
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
        print(f"\nsignificant pairs of two conditions\n{overlap}")
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
        own = own.drop(columns="conditions")
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


def _list_variances(report: SystemComparison) -> list[dict[str, Any]]:
    rows = list_rows(report, "generalisability", {"value": "relative"})
    return [
        row
        | {
            "conditions": list(split.conditions),
            "components": split.study.components.to_dict("records"),
            "topics_needed": int(row["topics_needed"])
            if np.isfinite(row["topics_needed"])
            else None,
        }
        for split, row in zip(report.variances, rows, strict=True)
    ]


def _make_tau(row: dict[str, Any]) -> dict[str, Any]:
    reason = row.pop("limit_reason")
    return with_reason(row, reason if row["value"] == row["value"] else NO_TAU)
