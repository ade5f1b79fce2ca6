"""``dissent simulate-judging``: what each order of judging would have cost."""

from argparse import Namespace
from pathlib import Path

from core.command.files.score_files import read_judgements, read_runs
from core.command.printing.judging_tables import print_judging_json, print_judging_tables
from core.command.printing.output import print_notes, show_progress, write_output
from core.measures.catalogue import parse_measure
from core.orders.base import ORDERS, parse_order
from core.orders.choices import SHARES
from core.reports.judging_orders import JudgingQuestion, JudgingSimulation, simulate_judging


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
    found = simulate_judging(runs, judged, question, progress=show_progress)
    show_progress(1.0, "")
    print_notes(found.notes)
    if arguments.figure:
        _write_figure(found, question, arguments.figure)
    show = print_judging_json if arguments.format == "json" else print_judging_tables
    show(found, question, arguments.qrels)
    return 0


def _write_figure(found: JudgingSimulation, question: JudgingQuestion, path: str) -> None:
    from core.figures.judging_orders import draw_orders
    from core.figures.printed import print_figure

    figure = draw_orders(found.orders, str(question.measure))
    write_output(print_figure(figure, Path(path).suffix[1:]), path)
