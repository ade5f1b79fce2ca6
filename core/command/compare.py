"""``dissent compare``: which systems differ, under one or several qrels, topic sets, measures."""

from argparse import Namespace

from core.command.files.compare_files import score_conditions
from core.command.printing.compare_tables import (
    print_comparison_json,
    print_comparison_tables,
    print_comparison_trec_eval,
)
from core.command.printing.output import print_notes, show_progress
from core.command.printing.recording import print_data
from core.comparison.bayes import ROPE
from core.comparison.significance_test import SignificanceTest
from core.reports.compare import CompareQuestion, SystemComparison
from core.reports.report import stack_tables


def run(arguments: Namespace) -> int:
    """Print how systems compare."""
    if arguments.format == "trec_eval" and (len(arguments.qrels) > 1 or len(arguments.topics) > 1):
        arguments.parser.error("the trec_eval format cannot show several qrels or topic sets")
    significance = SignificanceTest(
        arguments.test,
        arguments.correction,
        arguments.permutations,
        arguments.alpha,
        arguments.seed,
        arguments.over_conditions,
    )
    rope = arguments.rope
    question = CompareQuestion(
        significance,
        arguments.tau_interval,
        arguments.common_topics,
        ROPE if rope is None else rope,
    )
    report = SystemComparison(score_conditions(arguments), question, progress=show_progress)
    print_notes(report.notes)
    asked = [one for one in report.tables if one != "posterior" or rope is not None]
    if arguments.format == "trec_eval":
        print_comparison_trec_eval(report)
    elif arguments.format == "json":
        print_comparison_json(report, asked)
    elif arguments.format == "csv":
        print_data(stack_tables({name: report.table(name) for name in asked}))
    else:
        print_comparison_tables(report, asked)
    return 0
