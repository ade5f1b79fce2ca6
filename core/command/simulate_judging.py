"""``dissent simulate-judging``: what each order of judging would have cost."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from core.command.files.score_files import read_judgements, read_runs, read_score_weights
from core.command.printing.output import (
    print_json,
    print_notes,
    show_progress,
    write_output,
)
from core.command.printing.reports import list_rows, print_csv, print_tables
from core.measures.catalogue import parse_measure
from core.orders.base import ORDERS, parse_order
from core.orders.choices import SHARES
from core.reports.judging_orders import JudgingQuestion, JudgingSimulation, simulate_judging
from core.wording import drop_marks


def run(arguments: Namespace) -> int:
    """Print what each order would have cost."""
    question = JudgingQuestion(
        tuple(map(parse_order, dict.fromkeys(arguments.orders or ORDERS.suggested()))),
        parse_measure(arguments.measure, rel=arguments.level),
        arguments.depth,
        tuple(sorted(set(arguments.shares or SHARES))),
        arguments.seeds,
        arguments.batch,
        arguments.level,
        arguments.seed,
        arguments.shown,
    )
    runs, judged = read_runs(arguments), read_judgements(arguments.qrels, arguments)
    weights = read_score_weights(arguments)
    report = simulate_judging(runs, judged, question, weights=weights, progress=show_progress)
    show_progress(1.0, "")
    print_notes(report.notes)
    if arguments.figure:
        _write_figure(report, arguments.figure)
    if arguments.format == "json":
        print_json({"qrels": arguments.qrels, **_make_content(report)})
    elif arguments.format == "csv":
        print_csv([({}, report, ["orders"])])
    else:
        _print_tables(report, arguments.qrels)
    return 0


def _write_figure(report: JudgingSimulation, path: str) -> None:
    from core.figures.printed import print_figure
    from core.figures.stopping import draw_orders

    figure = draw_orders(report.orders, str(report.question.measure))
    write_output(print_figure(figure, Path(path).suffix[1:]), path)


_CALLED = {"low": "tau_low", "high": "tau_high"}
"""What columns are called in JSON."""


def _make_content(report: JudgingSimulation) -> dict[str, Any]:
    question = report.question
    sizes = ("pool", "relevant", "unjudged", "outside", "topics", "systems")
    return {
        "answer": drop_marks(report.answer),
        "measure": str(question.measure),
        "level": question.rel,
        "depth": question.depth,
        "batch": question.batch,
        "seed": question.seed,
        **{name: getattr(report, name) for name in sizes},
        "orders": [
            {name: value for name, value in row.items() if name != "shown_reason" or value}
            for row in list_rows(report, "orders", _CALLED)
        ],
    }


def _print_tables(report: JudgingSimulation, qrels: str) -> None:
    """Print the answer, τ of each order by share, and then all numbers of each."""
    question = report.question
    print(drop_marks(report.answer))
    print(
        f"{qrels}: pool of the first {question.depth:,} documents of {report.systems:,} runs, "
        f"{report.topics:,} topics, {report.pool:,} documents, {report.relevant:,} relevant"
    )
    print(f"By {question.measure}.")
    print_tables(report, [*report.tables])
