"""``dissent estimate``: mean scores from few topics that people judged and many a machine did."""

from argparse import Namespace

from core.command.files.score_files import (
    read_measures,
    read_runs,
    read_score_weights,
    read_several_judgements,
)
from core.command.printing.estimate_tables import print_estimate_json, print_estimate_tables
from core.command.printing.output import print_notes
from core.reports.estimate import estimate_scores


def run(arguments: Namespace) -> int:
    """Print the estimates."""
    paths = arguments.human, arguments.machine
    judged = read_several_judgements(paths, arguments)
    found = estimate_scores(
        read_runs(arguments),
        judged[arguments.human],
        judged[arguments.machine].frame,
        read_measures(arguments),
        read_score_weights(arguments),
        finite=arguments.finite,
        normal=arguments.normal,
        empty_topics=arguments.empty_topics,
    )
    print_notes(found.notes)
    if arguments.format == "json":
        print_estimate_json(found, finite=arguments.finite, normal=arguments.normal)
    else:
        print_estimate_tables(found)
    return 0
