"""Arguments of ``dissent unpooled``."""

from argparse import ArgumentParser

from core.command.arguments.score_files import add_qrels_scale, add_run_files
from core.command.arguments.shared import add_table_format, parse_count
from core.comparison.choices import LEFT_OUT_TEST


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Builds the pool anew without each run in turn, or each team's runs, takes away the "
        "judgements that only it brought, and scores all runs with what is left: by how much the "
        "run falls in score and in rank, and how many significant differences it loses. So it "
        "would fare had it not contributed. Judged documents in nobody's pool stay."
    )
    parser.epilog = (
        "A fall below 0 is a rise: condensed lists (judged_only=True) leave unjudged documents out "
        "and tend to flatter runs that did not contribute, as standard measures tend to wrong "
        f"them. Significant differences are by {LEFT_OUT_TEST}. Nothing is sampled: the figures "
        "are of these runs, topics and judgements, and have no limits."
    )
    parser.add_argument("--qrels", required=True, metavar="Q", help="TREC qrels")
    add_run_files(parser)
    add_qrels_scale(parser)
    parser.add_argument(
        "--depth",
        type=parse_count(1),
        metavar="K",
        help="how far down the runs were pooled; by default the last rank up to which, at every "
        "rank, nine in ten of the documents shown are judged",
    )
    teams = parser.add_mutually_exclusive_group()
    teams.add_argument(
        "--teams", metavar="FILE", help="lines 'system team'; others are teams of their own"
    )
    teams.add_argument(
        "--team-letters",
        type=parse_count(1),
        metavar="N",
        help="systems whose names begin with the same N characters are one team",
    )
    add_table_format(parser)
