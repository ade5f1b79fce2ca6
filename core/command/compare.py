"""``dissent compare``: which systems differ, under one or several qrels, topic sets, measures."""

from argparse import Namespace

from core.command.files.compare_files import list_facts, score_conditions
from core.command.printing.compare_tables import (
    print_comparison_json,
    print_comparison_tables,
    print_comparison_trec_eval,
)
from core.command.printing.output import show_progress
from core.comparison.conditions import compare_conditions
from core.comparison.significance_test import SignificanceTest
from core.reports.conditions import examine_conditions
from core.reports.variance import split_variances


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
    scored = score_conditions(arguments)
    conditions = examine_conditions(scored, significance, show_progress)
    comparison = compare_conditions(conditions, significance, arguments.tau_interval)
    if arguments.format == "trec_eval":
        print_comparison_trec_eval(comparison, scored)
        return 0
    variances = split_variances(scored, conditions)
    show = print_comparison_json if arguments.format == "json" else print_comparison_tables
    show(comparison, [list_facts(one) for one in scored], variances, arguments.rope)
    return 0
