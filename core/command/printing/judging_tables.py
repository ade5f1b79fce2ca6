"""What ``dissent simulate-judging`` prints: JSON for programs, tables for people."""

from typing import Any

from core.command.printing.output import describe_interval, print_json, with_reason
from core.command.printing.tables import (
    Cell,
    format_cell,
    format_interval,
    format_table,
    name_units,
)
from core.reports.judging_orders import JudgingQuestion, JudgingSimulation

NUMBERS = (
    *("order", "share", "judged", "relevant_found", "tau", "tau_low", "tau_high"),
    *("shown_low", "shown_high", "best_same", "seeds"),
)


def print_judging_json(found: JudgingSimulation, question: JudgingQuestion, qrels: str) -> None:
    """Print everything, unrounded."""
    print_json(
        {
            "qrels": qrels,
            "measure": str(question.measure),
            "level": question.rel,
            "depth": question.depth,
            "batch": question.batch,
            "seed": question.seed,
            "pool": found.pool,
            "relevant": found.relevant,
            "unjudged": found.unjudged,
            "outside": found.outside,
            "topics": found.topics,
            "systems": found.systems,
            "orders": [_describe(row) for row in found.orders.to_dict("records")],
        }
    )


def _describe(row: dict[Any, Any]) -> dict[str, Any]:
    entry = {name: row[name] for name in NUMBERS} | {"interval": describe_interval(row)}
    if row["shown_reason"]:
        entry["shown_reason"] = row["shown_reason"]
    return with_reason(entry, row["reason"])


def print_judging_tables(found: JudgingSimulation, question: JudgingQuestion, qrels: str) -> None:
    """Print τ of each order by share, and then all numbers of each."""
    measure = str(question.measure)
    print(
        f"{qrels}: pool of the first {question.depth:,} documents of {found.systems:,} runs, "
        f"{found.topics:,} topics, {found.pool:,} documents, {found.relevant:,} relevant"
    )
    print(f"\nKendall's τ to the ranking under all judgements, {measure}, by share of the pool")
    print(_write_overview(found, f"Kendall's τ by share of the pool judged, {measure}"))
    for order, own in found.orders.groupby("order", sort=False):
        seeds = int(own["seeds"].iloc[0])
        tried = f", a mean of {seeds:,} seeds" if seeds > 1 else ""
        rows: list[list[Cell]] = [
            [
                f"{row['share']:.0%}",
                row["judged"],
                row["relevant_found"],
                format_interval(row["tau"], row["tau_low"], row["tau_high"]),
                row["best_same"],
            ]
            for row in own.to_dict("records")
        ]
        header = ["share", "judged", "of the relevant", "τ [95 %]", "best is the same"]
        print(f"\n{order}{tried}")
        print(format_table(header, rows, title=f"{order}, {measure}"))
    print(f"\n{name_units(found.orders)}.")


def _write_overview(found: JudgingSimulation, title: str) -> str:
    wide = found.orders.pivot(index="order", columns="share", values="tau")
    rows: list[list[Cell]] = [
        [str(order), *(format_cell(float(one)) for one in wide.loc[order])]
        for order in found.orders["order"].unique()
    ]
    return format_table(["order", *(f"{share:.0%}" for share in wide.columns)], rows, title=title)
