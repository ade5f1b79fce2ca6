"""What ``dissent compare`` prints: JSON for programs, tables for people."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.command.printing.output import print_json, with_reason
from core.command.printing.tables import Cell, format_cell, format_interval, format_table
from core.comparison.bayes import PRIOR
from core.comparison.choices import HOLLANDER_WOLFE, MEANING, SYSTEMS
from core.comparison.conditions import BY, Comparison
from core.comparison.variance import ENOUGH
from core.numerals import write_p
from core.reports.compare import SystemComparison
from core.reports.conditions import ScoredCondition
from core.reports.report import SAMPLED
from core.reports.variance import SplitVariance
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
    comparison, facts = report.comparison, list(map(_list_facts, report.scored))
    measures = dict.fromkeys(str(fact["measure"]) for fact in facts)
    print(f"{', '.join(measures)}; {comparison.made}")
    print(f"{comparison.correction}\n{comparison.significance.kind.error_rate}\n")
    for sentence in report.verdict:
        print(f"- {sentence}")
    print("\n" + _write_power(comparison, facts))
    print("\nmeans and ranks\n" + _write_means(comparison))
    if len(comparison.conditions) > 1:
        unit = str(report.orders["unit"].iloc[0])
        print(f"\nKendall's τ-b with 95 % interval ({MEANING[_unit(report.orders)]})")
        print(_write_orders(report.orders))
        if unit != SYSTEMS:
            plural = SAMPLED.get(unit, f"{unit}s")
            print(f"τ is what studies with so many {plural} find on average.")
    if not report.overlap.empty:
        print(
            "\nsignificant pairs: only first / both / only second\n"
            + _write_overlap(report.overlap)
        )
    for name, letters in report.letters.groupby(BY, sort=False):
        print(f"\n{name}: who is significantly better than whom")
        print(_write_letters(letters, str(name)))
    if "posterior" in asked:
        _print_posterior(report)
    for split in report.variances:
        _print_variance(split)


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


def _print_posterior(report: SystemComparison) -> None:
    rope = report.question.rope
    for name, own in report.posterior.groupby(BY, sort=False):
        rows: list[list[Cell]] = [
            [row["first"], row["second"], row["first_better"], row["equal"], row["second_better"]]
            for row in own.to_dict("records")
        ]
        title = f"How likely the first is better, both are equal, the second is better, {name}"
        print(f"\n{name}: how likely the first is better, both are equal within {rope:g}, ")
        print(f"the second is better (prior: {PRIOR})")
        print(format_table(["first", "second", "first", "equal", "second"], rows, title=title))


def _print_variance(split: SplitVariance) -> None:
    found = split.study
    rows: list[list[Cell]] = [
        [row["source"], row["variance"], row["share"]]
        for row in found.components.to_dict("records")
    ]
    print(f"\nvariance of scores, {', '.join(split.conditions)}")
    print(format_table(["source", "variance", "share"], rows, 4, "Variance of scores"))
    needed = f"{found.topics_needed:,.0f}" if np.isfinite(found.topics_needed) else "no number of"
    print(
        f"Eρ² {format_interval(found.relative, found.low, found.high)}, "
        f"Φ {format_cell(found.absolute)}; {needed} topics for Eρ² = {ENOUGH:g}"
        + (f" ({found.reason})" if found.reason else "")
    )


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


def _write_power(comparison: Comparison, facts: Sequence[Facts]) -> str:
    rows: list[list[Cell]] = []
    for row, fact in zip(comparison.power.to_dict("records"), facts, strict=True):
        counts = [None if row[name] is pd.NA else row[name] for name in ("significant", "pairs")]
        share, content = fact["judged"], str(fact["content_hash"])[:12]
        cells = [row[BY], row["topics"], row["systems"], format_cell(float(str(share)), 2)]
        rows.append([*cells, *counts, row["least_p"], content, row["reason"]])
    header = ["condition", "topics", "systems", "judged share", "significant", "pairs", "least p"]
    header += ["qrels hash", ""]
    return format_table(header, rows, title="What each condition is based on")


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
        header += [name, "rank"]
    return format_table(header, rows, digits=3, title="Means and ranks")


def _write_orders(orders: pd.DataFrame) -> str:
    rows: list[list[Cell]] = [
        [
            row["first"],
            row["second"],
            format_interval(row["tau"], row["low"], row["high"]),
            write_p(row["p"]),
            _answer(row["differ"]),
            row["shown_below"],
            row["tau_ap"],
            row["spearman"],
            row["rbo"],
            row["rba"],
            row["far"],
            *([_answer(row["equivalent"])] if "equivalent" in orders else []),
        ]
        for row in orders.to_dict("records")
    ]
    header = ["first", "second", "Kendall's τ-b", "p", "shown to differ", "τ shown below", "τ_AP"]
    header += ["Spearman's ρ", "RBO", "RBA", "moves > 2 ranks"]
    header += ["equivalent"] if "equivalent" in orders else []
    return format_table(header, rows, title="Orders of systems compared")


def _answer(answer: object) -> str:
    return format_cell(None) if answer is pd.NA else "yes" if answer else "no"


def _write_overlap(overlap: pd.DataFrame) -> str:
    rows: list[list[Cell]] = [
        [row["first"], row["second"], row["text"], row["turned"]]
        for row in overlap.to_dict("records")
    ]
    header = ["first", "second", "overlap", "reversed"]
    return format_table(header, rows, title="Significant pairs: only first / both / only second")


def _write_letters(letters: pd.DataFrame, name: str) -> str:
    columns = ["letter", "system", "mean", "better_than"]
    rows: list[list[Cell]] = letters[columns].to_numpy().tolist()
    header = ["", "system", "mean", "better than"]
    return format_table(header, rows, 3, f"Who is significantly better than whom, {name}")
