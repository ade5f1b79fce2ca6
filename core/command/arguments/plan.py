"""Arguments of ``dissent plan``, with those by which it reads a pilot."""

from argparse import ArgumentParser, ArgumentTypeError

from core.collection.files.numbers import parse_number
from core.collection.records import FACETS
from core.command.arguments.label_files import add_label_options
from core.command.arguments.score_files import add_run_files
from core.command.arguments.shared import add_table_format, parse_count, parse_list, parse_share
from core.planning.choices import ALIKE, METHODS, WIDTH
from core.registered import list_values

LINEAR = "kappa(linear)"


def describe_plan(parser: ArgumentParser) -> None:
    """Describe ``dissent plan``."""
    parser.description = (
        "How many topics tell systems apart that differ by --effect with the power that is wanted "
        "(topic set size design), from a pilot's scores or a given variance; what a number of "
        "topics tells; how many items two assessors judge for a narrow interval of agreement; what "
        "more topics and more opinions on each item would buy; how near few votes on systems come "
        "to all; and what judging costs, by the depth of pools."
    )
    known = list_values("design of a topic set")
    designs = "; ".join(f"{one.name}, {one.description}" for one in known)
    parser.epilog = (
        f"Methods: {designs}. Limits of numbers of topics are at the 95 %% limits of the variance, "
        "in which topics are what is sampled. Power is exact for normal scores. A plan takes the "
        "next topics to be like the pilot's."
    ).replace("%%", "%")
    _add_wishes(parser)
    add_pilot_files(parser)
    _add_agreement(parser)
    _add_opinions(parser)
    _add_cost(parser)
    add_table_format(parser)


def _add_wishes(parser: ArgumentParser) -> None:
    wishes = parser.add_argument_group("what is wanted")
    wishes.add_argument(
        "--effect", type=_positive, default=0.05, metavar="D", help="difference to find (.05)"
    )
    wishes.add_argument("--power", type=parse_share, default=0.8, metavar="P", help="default .8")
    wishes.add_argument("--alpha", type=parse_share, default=0.05, metavar="A", help="default .05")
    wishes.add_argument(
        "--systems",
        type=parse_count(2),
        metavar="M",
        help="how many are compared (default: those of the pilot, else 2)",
    )
    wishes.add_argument(
        "--width",
        type=_positive,
        metavar="W",
        help="of the confidence interval of a difference (default: twice the effect)",
    )
    wishes.add_argument(
        "--method",
        nargs="+",
        action="extend",
        choices=METHODS,
        metavar="METHOD",
        help=f"{', '.join(METHODS)} (default all); see below",
    )
    wishes.add_argument(
        "--topics", type=parse_count(2), metavar="N", help="also what so many topics tell"
    )
    given = parser.add_argument_group("given in place of a pilot's scores")
    given.add_argument(
        "--variance", type=_positive, metavar="V", help="of a system's scores over topics"
    )
    given.add_argument(
        "--difference-variance",
        type=_positive,
        metavar="V",
        help="of the differences of two systems over topics (default: twice --variance, which is "
        "too much on the same topics)",
    )


def _add_agreement(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("items judged twice (with --labels, or given)")
    group.add_argument(
        "--coefficient",
        default=LINEAR,
        metavar="K",
        help="kappa, kappa(linear), kappa(quadratic) or kappa(binary>=L) (default kappa(linear))",
    )
    group.add_argument("--kappa", type=parse_share, metavar="K", help="assumed, without labels")
    group.add_argument(
        "--shares",
        type=_parse_shares,
        metavar="A,B,…",
        help="with --kappa: how often each level is given (default 1,1,1,1)",
    )
    group.add_argument(
        "--p-top",
        metavar="LEVEL",
        help="p(top | LEVEL) in place of kappa; with --p without labels",
    )
    group.add_argument("--p", type=parse_share, metavar="P", help="p(top | level), assumed")
    group.add_argument(
        "--alike",
        type=_number,
        default=ALIKE,
        metavar="R",
        help=f"assumed intraclass correlation of items of a topic (default {ALIKE:g})",
    )
    group.add_argument(
        "--agreement-width",
        type=_positive,
        default=WIDTH,
        metavar="W",
        help=f"of the 95 %% interval over topics (default {WIDTH:g})",
    )
    group.add_argument(
        "--per-topic",
        type=parse_count(1),
        nargs="+",
        metavar="N",
        help="items of a topic (default 5 10 20 50 100)",
    )


def _add_opinions(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("opinions (with --labels) and votes")
    group.add_argument(
        "--votes",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="preferences between systems, as 'dissent preferences' takes them: how near few votes "
        "on a pair come to all, and on which pairs to ask next",
    )
    group.add_argument(
        "--later",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="with --votes: those of a second batch, whose pairs followed the table of the next "
        "votes; win shares are reweighted so that they stay unbiased",
    )
    group.add_argument(
        "--items",
        type=parse_count(1),
        metavar="K",
        help="items of a topic that a system's score is the mean of (default 10, or fewer)",
    )
    group.add_argument(
        "--budget",
        type=parse_count(1),
        metavar="N",
        help="labels, or votes, to compare designs at (default: labels so far, or two votes to "
        "every three pairs on a topic)",
    )
    group.add_argument(
        "--draws", type=parse_count(2), metavar="N", help="of learning curves (default 200, 500)"
    )
    group.add_argument("--seed", type=parse_count(0), metavar="S", help="of draws (default 1)")


def _add_cost(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("cost (with --run, or --overlap)")
    group.add_argument(
        "--depth", type=parse_count(1), nargs="+", metavar="K", help="default 1 5 10 20 50 100"
    )
    group.add_argument(
        "--overlap",
        type=_number,
        metavar="S",
        help="what part of a further run's documents is in the pool already, where there are no "
        "runs; 0 to 1",
    )
    group.add_argument("--judges", type=parse_count(1), default=1, help="a document (default 1)")
    group.add_argument(
        "--seconds", type=_positive, default=15.0, metavar="S", help="a judgement (default 15)"
    )
    group.add_argument(
        "--overhead", type=_number, default=0.0, metavar="M", help="minutes a topic besides"
    )
    group.add_argument("--wage", type=_number, default=0.0, metavar="W", help="money an hour")
    group.add_argument(
        "--hours", type=_positive, metavar="H", help="what there is, to compare depths by"
    )


def _number(text: str) -> float:
    number = parse_number(text)
    if not number >= 0:
        raise ArgumentTypeError(f"'{text}' is not a number from 0")
    return number


def _positive(text: str) -> float:
    number = parse_number(text)
    if not number > 0:
        raise ArgumentTypeError(f"'{text}' is not a number above 0")
    return number


def _parse_shares(text: str) -> list[float]:
    return [_number(word) for word in parse_list(text)]


def add_pilot_files(parser: ArgumentParser) -> None:
    """Add ``--scores``, or runs with qrels, and ``--labels``: what serves as a pilot."""
    group = parser.add_argument_group("the pilot's scores")
    group.add_argument(
        "--scores",
        metavar="FILE",
        help="a table with system, topic and value (perhaps measure), or the JSON of 'dissent "
        "evaluate --per-topic'; may be .gz; - for stdin",
    )
    group.add_argument("--qrels", metavar="Q", help="instead: TREC qrels, with --run and --measure")
    add_run_files(group, required=False)
    people = parser.add_argument_group("the pilot's labels")
    people.add_argument(
        "--labels",
        nargs="+",
        action="extend",
        metavar="LABELS",
        help="for items judged twice: TSV, CSV or JSONL with assessor, topic, document, level",
    )
    people.add_argument("--facet", choices=FACETS, help="only the labels of snippets or of pages")
    add_label_options(parser)
