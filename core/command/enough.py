"""``dissent enough``: how far today's ranking is from the one of the fully judged pool."""

from argparse import Namespace
from dataclasses import replace
from typing import Any

from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study
from core.analysis.judging.enough import ask_enough
from core.analysis.judging.stop_proposal import choose_version, usual_question
from core.analysis.results.qrels_choices import find_choice
from core.command.files.score_files import read_judgements, read_runs, read_score_weights
from core.command.printing.output import print_json, print_notes
from core.command.printing.reports import list_rows, print_csv, print_tables
from core.command.stores import open_collection
from core.measures.catalogue import parse_measure
from core.planning.cost import Price
from core.reports.enough import USUAL, Enough, EnoughQuestion, ask_of_runs, depth_of_runs
from core.wording import drop_marks

SHOWN = 20
"""Rows of a table for people; JSON has them all."""


def run(arguments: Namespace) -> int:
    """Print what can be told of a collection, or of files."""
    if arguments.collection and (arguments.runs or arguments.scale or arguments.weights):
        arguments.parser.error(
            "--run, --scale and --weights go with --qrels, not with --collection"
        )
    if arguments.qrels and (arguments.store or arguments.version or not arguments.runs):
        arguments.parser.error("--qrels goes with --run, not with --store or --version")
    report = _ask_collection(arguments) if arguments.collection else _ask_files(arguments)
    answer, asked = drop_marks(report.answer), [*report.tables]
    print_notes(report.notes)
    if arguments.format == "json":
        print_json({"answer": answer, **_describe(report)})
    elif arguments.format == "csv":
        print_csv([({}, report, asked)])
    else:
        sentences = (
            report.tell_order(),
            report.tell_bounds(),
            report.tell_cost(report.question.price),
        )
        print("\n".join([answer, *map(drop_marks, sentences)]))
        print_tables(report, asked, most=SHOWN)
    return 0


def _ask_collection(arguments: Namespace) -> Enough:
    with open_collection(arguments) as (store, collection_id):
        study = Study(store, collection_id, is_masked=True)
        question = _choose(usual_question(study), arguments)
        facet = declared_of(study).facet
        choice = (
            find_choice(study, arguments.version, facet)
            if arguments.version
            else choose_version(study, question.rule)
        )
        report = ask_enough(study, choice, question)
        _ = report.cost  # asks the store
        return report


def _ask_files(arguments: Namespace) -> Enough:
    runs = read_runs(arguments)
    usual = replace(USUAL, depth=depth_of_runs(runs))
    question = _choose(usual, arguments)
    judged = read_judgements(arguments.qrels, arguments)
    return ask_of_runs(runs, judged, question, read_score_weights(arguments))


def _choose(usual: EnoughQuestion, arguments: Namespace) -> EnoughQuestion:
    """Return what is asked: what is given, else as usual."""
    given = {} if arguments.level is None else {"rel": arguments.level}
    measure = str(parse_measure(arguments.measure or usual.measure, **given))
    price = Price(arguments.hour_price, arguments.label_price)
    asked = replace(usual, measure=measure, depth=arguments.depth or usual.depth, price=price)
    return asked.at_least(arguments.best_stays, arguments.tau_low)


_COUNTS = ("proposes", "items", "judged", "lacking", "outside")


def _describe(report: Enough) -> dict[str, Any]:
    question, rule = report.question, report.rule
    return {
        "measure": question.measure,
        "depth": question.depth,
        "rule": {"best_stays": rule.best_stays, "tau_low": rule.tau_low},
        **{name: getattr(report, name) for name in _COUNTS},
        "missing": int(report.lacks.sum()),
        "pairs": report.bounded.pairs,
        "decided": report.bounded.decided,
        **{name: list_rows(report, name) for name in report.tables},
    }
