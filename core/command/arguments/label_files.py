"""Arguments of commands that read files of labels."""

from argparse import ArgumentParser

from core.collection.records import FACETS
from core.command.arguments.shared import SCALE_HELP, parse_pairs, parse_scale


def add_label_files(parser: ArgumentParser) -> None:
    """Add the files of labels to analyse and how to read them."""
    parser.add_argument(
        "labels",
        nargs="+",
        metavar="LABELS",
        help="TSV, CSV or JSONL with assessor, topic, document, level; may be .gz; - for stdin",
    )
    add_label_options(parser)
    parser.add_argument("--facet", choices=FACETS, help="only the labels of snippets or of pages")
    parser.add_argument(
        "--aspect",
        default="",
        metavar="NAME",
        help="the levels of this aspect, from a file that 'dissent export aspects' has written",
    )


def add_label_options(parser: ArgumentParser) -> None:
    """Add the options that say how labels are read."""
    group = parser.add_argument_group("reading labels")
    group.add_argument(
        "--columns",
        type=parse_pairs,
        action="append",
        default=[],
        metavar="NAME=COLUMN,…",
        help="other column names: assessor=workerID,topic=topicID,document=docID,level=label",
    )
    group.add_argument(
        "--missing",
        action="append",
        default=[],
        metavar="VALUE",
        help="a level that means there is no label, as in --missing=-2; repeatable",
    )
    group.add_argument(
        "--gold", default="", metavar="COLUMN", help="a column with one more label for each item"
    )
    group.add_argument(
        "--raters",
        default="",
        metavar="PATTERN",
        help="the columns of a table with one column a rater, as in 'agent_*_rating'",
    )
    group.add_argument(
        "--scale",
        type=parse_scale,
        action="append",
        default=[],
        metavar="FACET=LEVELS",
        help=SCALE_HELP,
    )
