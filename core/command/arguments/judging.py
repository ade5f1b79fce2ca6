"""Arguments of commands about what of a pool is judged next, and when it is enough."""

from argparse import ArgumentParser, ArgumentTypeError

from core.collection.files.numbers import parse_number
from core.command.arguments.score_files import add_qrels_scale, parse_level, parse_measure_text
from core.command.arguments.shared import (
    WEIGHTS_HELP,
    add_collection,
    add_qrels_reading,
    add_run_reading,
    add_seed,
    add_store,
    add_table_format,
    parse_count,
)
from core.errors import BadInput
from core.orders.choices import BATCH, DEPTH, SEEDS, SHARES, SIMULATED_BATCH
from core.registered import list_values


def describe_pool(parser: ArgumentParser) -> None:
    """Describe ``dissent pool``."""
    parser.description = (
        "Count the pairs of topic and document among the first K of every run, of a collection "
        "or of run files; with -o write them as TSV, best rank first. With --order they come in "
        "the order in which they would be judged: what it has chosen it learns from --judgements, "
        "or from the labels of the collection; what neither has stays without a label."
    )
    add_store(parser)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--collection", metavar="NAME", help="the collection's name or id")
    source.add_argument(
        "--run", nargs="+", action="extend", dest="runs", metavar="R", help="TREC runs instead"
    )
    parser.add_argument("--depth", required=True, type=parse_count(1), metavar="K", help="how far")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the pairs: topic, document, rank, systems"
    )
    _add_order(parser)
    add_table_format(parser)


def _add_order(parser: ArgumentParser) -> None:
    known = ", ".join(one.name for one in list_values("order of judging"))
    parser.add_argument("--order", metavar="NAME", help=f"what would be judged first: {known}")
    parser.add_argument("--judgements", metavar="Q", help="qrels that an order learns from")
    parser.add_argument(
        "--relevant-from", type=float, default=1.0, metavar="LEVEL",
        help="from which level on a label says relevant; by default 1",
    )  # fmt: skip
    parser.add_argument(
        "--budget", type=parse_count(1), metavar="N", help="the most that would be judged"
    )
    parser.add_argument(
        "--batch", type=parse_count(1), default=BATCH, metavar="N",
        help=f"documents that are handed out together; by default {BATCH}",
    )  # fmt: skip
    add_seed(parser)


DEEPEST = 65_535


def describe_simulate_judging(parser: ArgumentParser) -> None:
    """Describe ``dissent simulate-judging``."""
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
    parser.add_argument("--weights", metavar="FILE", help=f"for gain='udm', {WEIGHTS_HELP}")
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


def describe_progress(parser: ArgumentParser) -> None:
    """Describe ``dissent progress``."""
    parser.description = (
        "How far a round of a collection is: how many judgements there are of those that it "
        "requires, how many items lack none, when it ends with 95 % limits, by topic and by "
        "assessor, and the places of every round. A judgement is a level, or that an item cannot "
        "be judged. Hidden repeats and imported labels are no progress."
    )
    add_collection(parser)
    parser.add_argument(
        "--round",
        default="",
        metavar="NAME",
        help="its name or id (default: the latest that is open, else the latest)",
    )
    parser.add_argument(
        "--names", action="store_true", help="ids and names of assessors in place of codes"
    )
    add_table_format(parser)


def describe_enough(parser: ArgumentParser) -> None:
    """Describe ``dissent enough``."""
    parser.description = (
        "How far today's ranking of the runs is from the one that judging their whole pool would "
        "give: Kendall's τ with 95 % limits, and how probable it is that the best system stays "
        "best; whose unjudged documents matter, how low and how high scores can be, what was told "
        "earlier, and what the rest costs. Of a collection it also tells which documents lack "
        "opinions that rounds ask or asked for: while one does, nothing is proposed."
    )
    parser.epilog = (
        "Both are predictions by a model, of this pool, these topics and these assessors; the "
        "handbook tells, under orders of judging, how often they held. Of a collection its stop "
        "rule is asked, else the declared measure and version."
    )
    add_store(parser)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--collection", metavar="NAME", help="the collection's name or id")
    source.add_argument("--qrels", metavar="Q", help="TREC qrels instead, with --run")
    parser.add_argument(
        "--run",
        nargs="+",
        action="extend",
        dest="runs",
        metavar="R",
        help="TREC runs; every tag in them is a system",
    )
    parser.add_argument("--version", metavar="NAME", help="of the qrels of a collection")
    parser.add_argument(
        "--measure",
        type=parse_measure_text,
        metavar="M",
        help="what systems are ranked by: AP (default of files), P, RBP, DCG or nDCG",
    )
    parser.add_argument(
        "--level",
        type=parse_level,
        metavar="L",
        help="level from which documents count as relevant in measures such as P and AP "
        "(default 1)",
    )
    parser.add_argument(
        "--depth",
        type=parse_count(1),
        metavar="K",
        help="the pool is the first K documents of every run; by default that of the deepest "
        "round, else as deep as the runs, at most 100",
    )
    parser.add_argument(
        "--best-stays",
        type=_number,
        metavar="P",
        help="the least probability that the best system stays best from which it is enough",
    )
    parser.add_argument(
        "--tau-low", type=_number, metavar="T", help="the least lower limit of τ for that"
    )
    for what in ("hour", "label"):
        parser.add_argument(
            f"--{what}-price",
            type=_number,
            default=0.0,
            metavar="MONEY",
            help=f"what {'an' if what == 'hour' else 'a'} {what} costs, in any currency",
        )
    add_qrels_scale(parser)
    parser.add_argument("--weights", metavar="FILE", help=f"for gain='udm', {WEIGHTS_HELP}")
    add_run_reading(parser)
    add_qrels_reading(parser)
    add_table_format(parser)


def _number(text: str) -> float:
    number = parse_number(text)
    if number != number:
        raise ArgumentTypeError(f"'{text}' is not a number")
    return number
