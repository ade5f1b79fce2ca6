"""Arguments of ``dissent simulate-judging``."""

from argparse import ArgumentParser, ArgumentTypeError

from core.collection.files.numbers import parse_number
from core.command.arguments.score_files import add_qrels_scale, parse_level, parse_measure_text
from core.command.arguments.shared import (
    add_qrels_reading,
    add_run_reading,
    add_seed,
    add_table_format,
    parse_count,
)
from core.errors import BadInput
from core.orders.choices import DEPTH, SEEDS, SHARES, SIMULATED_BATCH
from core.registered import list_values

DEEPEST = 65_535


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Judges a pool again whose judgements are all known, in several orders, and tells how "
        "much of it each needs for the ranking of systems to be that under all judgements: "
        "Kendall's τ at each share of the pool. What is not judged yet counts as not relevant."
    )
    orders = list_values("order of judging")
    known = "; ".join(f"{one.name}: {one.description}" for one in orders)
    suggested = ", ".join(text for one in orders for text in one.suggested)
    parser.epilog = (
        f"Orders. {known}. Their parameters stand in brackets, as in \"max-mean(topics='shared')\""
        ". 95 % limits take topics for a sample. A random sample is meant for estimators; by "
        "measures that take what is not judged for not relevant it comes off badly."
    )
    parser.add_argument("--qrels", required=True, metavar="Q", help="TREC qrels of the whole pool")
    parser.add_argument(
        "--run",
        nargs="+",
        action="extend",
        required=True,
        dest="runs",
        metavar="R",
        help="TREC runs; every tag in them is a system",
    )
    parser.add_argument(
        "--measure",
        required=True,
        metavar="M",
        type=parse_measure_text,
        help="what systems are ranked by, such as AP",
    )
    parser.add_argument(
        "--level",
        type=parse_level,
        default=1,
        metavar="L",
        help="level from which a label says relevant, to the order and in measures such as AP "
        "(default 1)",
    )
    parser.add_argument(
        "--order",
        nargs="+",
        action="extend",
        dest="orders",
        metavar="NAME",
        type=_order,
        help=f"default: {suggested}",
    )
    parser.add_argument(
        "--depth",
        type=_depth,
        default=DEPTH,
        metavar="K",
        help=f"the pool is the first K documents of every run (default {DEPTH})",
    )
    parser.add_argument(
        "--shares",
        nargs="+",
        action="extend",
        type=_share,
        metavar="P",
        help=f"shares of the pool (default {' '.join(f'{one:g}' for one in SHARES)})",
    )
    parser.add_argument(
        "--seeds",
        type=parse_count(1),
        default=SEEDS,
        metavar="N",
        help=f"how often an order that draws is tried (default {SEEDS})",
    )
    parser.add_argument(
        "--batch",
        type=parse_count(1),
        default=SIMULATED_BATCH,
        metavar="N",
        help="how many documents of a topic are chosen at a time; their labels are known before "
        f"the next are (default {SIMULATED_BATCH})",
    )
    parser.add_argument(
        "--no-shown",
        action="store_false",
        dest="shown",
        help="leave out the limits of τ that *Is it enough?* would have shown at each share: "
        "they take most of the time",
    )
    parser.add_argument(
        "--figure",
        type=_figure,
        metavar="FILE",
        help="draw τ by share, as .svg or .pdf; needs Matplotlib: pip install 'dissent-ir[paper]'",
    )
    add_run_reading(parser)
    add_qrels_reading(parser)
    add_qrels_scale(parser)
    add_seed(parser)
    add_table_format(parser)


def _order(text: str) -> str:
    from core.orders.base import parse_order

    try:
        return str(parse_order(text))
    except BadInput as error:
        raise ArgumentTypeError(str(error)) from error


def _share(text: str) -> float:
    share = parse_number(text)
    if not 0 < share <= 1:
        raise ArgumentTypeError(f"'{text}' is not a share above 0 and up to 1")
    return share


def _depth(text: str) -> int:
    depth = parse_count(1)(text)
    if depth > DEEPEST:
        raise ArgumentTypeError(f"'{text}' is deeper than {DEEPEST:,} documents")
    return depth


def _figure(text: str) -> str:
    if not text.endswith((".svg", ".pdf")):
        raise ArgumentTypeError(f"'{text}' ends neither in .svg nor in .pdf")
    return text
