"""Arguments of ``dissent verify``."""

from argparse import ArgumentParser

from core.command.arguments.label_files import add_label_files
from core.command.arguments.shared import add_seed, add_table_format, parse_count
from core.disagreement.choices import GROUPINGS


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "The User Disagreement Model against labels of many users: for each item with enough "
        "labels, one label is drawn at random, then up to five others, repeatedly. Shown are "
        "p(top | level) from 1 to 5 of the others, and how often at least M of N labels, the "
        "first included, are top, beside the weight the model predicts. The standard deviation "
        "is that of redrawing the same labels, no sampling error; the 95 % limits leave topics "
        "out in turn, or items that are documents of all topics. All labels of an item count, an "
        "assessor's repeated ones, too. The facet is that of the file, or page where it has both."
    )
    add_label_files(parser)
    parser.add_argument(
        "--top",
        required=True,
        metavar="LEVEL",
        help="the top level, by number or, with --scale, by name",
    )
    parser.add_argument(
        "--min-labels",
        type=parse_count(2),
        metavar="N",
        help="leave out items with fewer labels (default: as many, up to 6, as leave 50 items)",
    )
    parser.add_argument(
        "--repeats",
        type=parse_count(1),
        default=50,
        metavar="R",
        help="how often to draw (default 50)",
    )
    parser.add_argument(
        "--group-by",
        choices=tuple(GROUPINGS),
        default="topic",
        help="an item is a document of one topic (default), or of all topics together; then the "
        "gold label of a document is that of its first topic",
    )
    parser.add_argument(
        "--mutual",
        action="store_true",
        help="also score the ranking of one assessor's labels by another's: what a system can "
        "reach, by measure; topics are what is sampled",
    )
    parser.add_argument(
        "--consistency",
        action="store_true",
        help="also compare assessors who judged an item several times with themselves and with "
        "others",
    )
    parser.add_argument(
        "--strata",
        action="store_true",
        help="also estimate p(top | level) in parts of the collection: needs --results, --topics "
        "or both",
    )
    parser.add_argument(
        "--results",
        nargs="+",
        metavar="FILE",
        help="what each engine showed, with topic, engine, document, rank; parts are lists with "
        "and without a top result, and first ranks",
    )
    parser.add_argument(
        "--topics", metavar="FILE", help="topics with a type; parts are the types of topics"
    )
    add_seed(parser)
    add_table_format(parser)
