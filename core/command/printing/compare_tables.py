"""What ``dissent compare`` prints: JSON for programs, tables for people."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.command.printing.output import print_json, with_reason
from core.command.printing.tables import Cell, format_cell, format_interval, format_table
from core.comparison.bayes import PRIOR, compare_posterior
from core.comparison.choices import HOLLANDER_WOLFE, MEANING, SYSTEMS
from core.comparison.conditions import BY, Comparison, Condition
from core.comparison.power import superscripts
from core.comparison.variance import ENOUGH
from core.comparison.verdict import reach_verdict
from core.numerals import write_p
from core.reports.conditions import ScoredCondition
from core.reports.variance import SplitVariance

Facts = Mapping[str, object]

NO_TAU = "fewer than two systems, or all of them tied under one condition"
NOTHING_SIGNIFICANT = "no pair is significant under either condition"
IDENTITY = ("condition", "qrels", "topics", "measure")


def print_comparison_json(
    comparison: Comparison,
    facts: Sequence[Facts],
    variances: Sequence[SplitVariance],
    rope: float | None = None,
) -> None:
    """Print everything, unrounded, each entry with what it is based on."""
    significance = comparison.made
    known = {str(fact[BY]): {name: fact[name] for name in IDENTITY} for fact in facts}
    power = comparison.power.set_index(BY)
    print_json(
        {
            **significance.settings,
            "correction_note": comparison.correction,
            "error_rate": significance.kind.error_rate,
            "verdict": reach_verdict(comparison),
            "conditions": list(facts),
            "rankings": [
                {**known[one.name], "systems": _list_systems(comparison, one)}
                for one in comparison.conditions
            ],
            "pairs": [
                {**known[one.name], **_explain(row), "interval": _say_interval(one)}
                for one in comparison.conditions
                for row in one.pairs.to_dict("records")
            ],
            "bayesian": None if rope is None else _list_posterior(comparison, known, rope),
            "variance": [_list_variance(one) for one in variances],
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
    comparison: Comparison,
    facts: Sequence[Facts],
    variances: Sequence[SplitVariance],
    rope: float | None = None,
) -> None:
    """Print the verdict and the tables of Sakai (2017), section 4."""
    measures = dict.fromkeys(str(fact["measure"]) for fact in facts)
    print(f"{', '.join(measures)}; {comparison.made}")
    print(f"{comparison.correction}\n{comparison.significance.kind.error_rate}\n")
    for sentence in reach_verdict(comparison):
        print(f"- {sentence}")
    print("\n" + _write_power(comparison, facts))
    print("\nmeans and ranks\n" + _write_means(comparison))
    if len(comparison.conditions) > 1:
        unit = comparison.orders["unit"].iloc[0]
        print(f"\nKendall's τ-b with 95 % interval ({MEANING[_unit(comparison.orders)]})")
        print(_write_orders(comparison.orders))
        if unit != SYSTEMS:
            print(f"τ is what studies with so many {_PLURAL[str(unit)]} find on average.")
    if not comparison.overlap.empty:
        print(
            "\nsignificant pairs: only first / both / only second\n"
            + _write_overlap(comparison.overlap)
        )
    for one in comparison.conditions:
        if one.matrix is not None:
            print(f"\n{one.name}: who is significantly better than whom")
            print(_write_letters(_letters(one, comparison.alpha), one.name))
    if rope is not None:
        _print_posterior(comparison, rope)
    for split in variances:
        _print_variance(split)


def print_comparison_trec_eval(comparison: Comparison, scored: Sequence[ScoredCondition]) -> None:
    """Print the means of systems as trec_eval does, those of several measures one by one."""
    measures = {one.name: one.facts["measure"] for one in scored}
    for system, own in comparison.ranked.groupby("system", sort=False):
        print(f"runid\tall\t{system}")
        for name, value in zip(own[BY], own["value"], strict=True):
            print(f"{measures[name]}\tall\t{value:.4f}")


_PLURAL = {"topic": "topics", "assessor": "assessors", "both": "topics and assessors"}


def _unit(orders: pd.DataFrame) -> str:
    return HOLLANDER_WOLFE if "equivalent" in orders else str(orders["unit"].iloc[0])


def _say_interval(one: Condition) -> dict[str, object]:
    assert one.matrix is not None
    alone = one.significance.kind.is_paired and one.significance.correction == "none"
    method = "t" if alone else "t-bonferroni"
    return {"method": method, "unit": "topic", "n": len(one.matrix.topics)}


def _list_posterior(
    comparison: Comparison, known: Mapping[str, Facts], rope: float
) -> dict[str, object]:
    return {
        "prior": PRIOR,
        "rope": rope,
        "pairs": [
            {
                **known[one.name],
                **_explain(row),
                "interval": {"method": "posterior-t", "unit": "topic", "n": len(one.matrix.topics)},
            }
            for one in comparison.conditions
            if one.matrix is not None
            for row in compare_posterior(one.matrix, rope).to_dict("records")
        ],
    }


def _list_variance(split: SplitVariance) -> dict[str, object]:
    found = split.study
    needed = found.topics_needed
    entry = {
        "conditions": list(split.conditions),
        "topics": found.topics,
        "versions": found.versions,
        "components": found.components.to_dict("records"),
        "relative": found.relative,
        "low": found.low,
        "high": found.high,
        "interval": {"method": "f", "unit": "topic × system", "n": found.topics},
        "absolute": found.absolute,
        "topics_needed": None if not np.isfinite(needed) else int(needed),
    }
    return with_reason(entry, found.reason)


def _print_posterior(comparison: Comparison, rope: float) -> None:
    for one in comparison.conditions:
        if one.matrix is None:
            continue
        rows: list[list[Cell]] = [
            [row["first"], row["second"], row["first_better"], row["equal"], row["second_better"]]
            for row in compare_posterior(one.matrix, rope).to_dict("records")
        ]
        title = f"How likely the first is better, both are equal, the second is better, {one.name}"
        print(f"\n{one.name}: how likely the first is better, both are equal within {rope:g}, ")
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
    value = entry["value"] = entry.pop("tau")
    entry["interval"] = {
        "method": entry.pop("interval"),
        "unit": entry.pop("unit"),
        "n": entry.pop("units"),
    }
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


def _letters(one: Condition, alpha: float) -> pd.DataFrame:
    assert one.matrix is not None
    return superscripts(one.matrix, one.pairs, alpha)


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
