"""Arguments of commands about users' clicks, on logs and on interleaved lists."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from typing import TYPE_CHECKING

from core.clicks.choices import USUAL
from core.collection.records import FACETS
from core.command.arguments.score_files import add_qrels_scale, parse_measure_text
from core.command.arguments.shared import (
    WEIGHTS_HELP,
    add_alpha,
    add_seed,
    add_store,
    add_table_format,
    parse_count,
    parse_share,
)
from core.errors import BadInput
from core.interleaving.choices import IMPRESSIONS, LENGTH
from core.registered import list_values

if TYPE_CHECKING:
    from core.clicks.click_model import ClickModel
    from core.interleaving.base import Method
    from core.interleaving.users import User


EVERY = "all"


def describe_clicks(parser: ArgumentParser) -> None:
    """Describe ``dissent clicks``."""
    parser.description = (
        "Click-through rates by rank and, with judgements, by level; click models, compared in "
        "sessions that they were not fitted to with the click-through rate by rank; preferences "
        "read from clicks beside those of people, as lift over the share that position alone "
        "gives; how attractive results of each level are once they are examined; which results "
        "people and clicks contradict each other about most; and what clicks are worth for "
        "predicting levels. 95 % limits are over sessions, unless they say otherwise."
    )
    known = ", ".join(entry.name for entry in list_values("click model"))
    parser.epilog = (
        f"Models: {known}. Those that go down lists (DCM, SDBN, DBN) "
        "take their time with long logs. A lift of 1: clicks tell nothing beyond position."
    )
    add_click_files(parser)
    parser.add_argument(
        "--judgements",
        metavar="Q",
        help="TREC qrels, or a table with a header: topic (or query), document, level (or grade); "
        "topics and documents named as in the log",
    )
    parser.add_argument(
        "--model",
        dest="models",
        nargs="+",
        action="extend",
        metavar="NAME",
        help=f"click models, or {EVERY} (default: {' '.join(USUAL)}); the first "
        "with attractiveness tells that of levels",
    )
    parser.add_argument(
        "--weights", metavar="FILE", help=f"also the lift against weights: {WEIGHTS_HELP}"
    )
    parser.add_argument(
        "--preferences",
        metavar="FILE",
        help="also the lift against side-by-side preferences between documents",
    )
    parser.add_argument(
        "--cut",
        type=float,
        metavar="L",
        help="results of at least this level count as high where people and clicks contradict each "
        "other (default: above the middle of the levels)",
    )
    parser.add_argument(
        "--folds",
        type=parse_count(2),
        default=5,
        metavar="N",
        help="parts into which sessions are dealt to be held out (default 5)",
    )
    add_seed(parser)
    add_table_format(parser)


def add_click_files(parser: ArgumentParser) -> None:
    """Add the files of a log, and how they are read."""
    parser.add_argument(
        "logs",
        nargs="+",
        metavar="LOG",
        help="a click log in Yandex' format, TSV or JSONL, in one file or several; may be .gz; - "
        "for stdin",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="refuse the log for one malformed session; otherwise these are left out and counted",
    )


TEAM_DRAFT = "team-draft"


def describe_interleave(parser: ArgumentParser) -> None:
    """Describe ``dissent interleave``."""
    parser.description = (
        "Which of two runs users prefer, by what they click on lists made of both. Clicks come "
        "from a log of such lists, or from simulated users who click by relevance. Δ is the share "
        "of lists that the first run wins, ties counting half, less one half: above 0 users "
        "prefer the first. Its 95 % limits draw sessions again; p is of a sign test over sessions."
    )
    parser.epilog = (
        "A log is TSV or CSV with the columns session, topic, rank, document, clicked and team "
        "(first or second), a list beginning at rank 1; or JSONL, a list a line, with session, "
        "topic, shown, clicks (ids or ranks) and teams. Balanced and probabilistic interleaving "
        "need no teams. Simulated users say what such users would prefer if the judgements were "
        "right; they are no evidence of what people want. Whatever clicks say holds for the topics "
        "asked for: more lists do not make it hold for others."
    )
    methods, users = (
        ", ".join(one.name for one in list_values(kind))
        for kind in ("interleaving method", "simulated user")
    )
    for name, what in (("--first", "the run"), ("--second", "the run that it is compared with")):
        parser.add_argument(
            name,
            required=True,
            metavar="RUN",
            help=f"{what}, of one system, in TREC format; with --collection the system's name",
        )
    add_store(parser)
    parser.add_argument(
        "--collection",
        metavar="NAME",
        help="the collection, by name or id, whose runs these are; without it, files",
    )
    parser.add_argument(
        "--method",
        type=_parse_method,
        default=TEAM_DRAFT,
        metavar="METHOD",
        help=f"how lists are made and clicks credited: {methods} (default {TEAM_DRAFT})",
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--log", metavar="LOG", help="what users clicked on interleaved lists")
    source.add_argument(
        "--simulate",
        type=_parse_user,
        metavar="MODEL",
        help=f"simulated users: {users}; or a click model, PBM say, that is "
        "fitted to --clicks; files need --qrels",
    )
    parser.add_argument(
        "--clicks",
        metavar="LOG",
        help="a click log, in a format that 'dissent import clicks' reads: what a click model is "
        "fitted to; its queries are topics of --qrels; with --collection the log's name there",
    )
    parser.add_argument("--qrels", metavar="Q", help="TREC qrels: what simulated users find useful")
    parser.add_argument(
        "--version",
        metavar="NAME",
        help="with --collection, in place of --qrels: a qrels version as the pages name them "
        "(default: that which the study declares)",
    )
    parser.add_argument("--facet", choices=FACETS, help="whose labels that version is made of")
    add_qrels_scale(parser)
    parser.add_argument(
        "--impressions",
        type=parse_count(1),
        default=IMPRESSIONS,
        metavar="N",
        help=f"how many lists simulated users are shown (default {IMPRESSIONS:,})",
    )
    parser.add_argument(
        "--length",
        type=parse_count(1),
        default=LENGTH,
        metavar="K",
        help=f"how many documents simulated users are shown (default {LENGTH})",
    )
    parser.add_argument(
        "--power",
        action="store_true",
        help="simulate how many lists it takes until a difference shows, up to --impressions, "
        "beside an A/B test",
    )
    parser.add_argument(
        "--beside",
        nargs="+",
        metavar="RUN",
        help="more runs: simulate pairs of all of them and put Δ beside the difference of their "
        "means by --measure",
    )
    parser.add_argument(
        "--measure",
        type=parse_measure_text,
        metavar="M",
        help="what Δ stands beside (default: that which the study declares, of files nDCG@10)",
    )
    add_alpha(parser, declared=True)
    add_seed(parser)
    add_table_format(parser)


def _parse_method(text: str) -> Method:
    from core.interleaving.base import parse_method

    try:
        return parse_method(text)
    except BadInput as error:
        raise ArgumentTypeError(str(error)) from error


def _parse_user(text: str) -> User | ClickModel:
    from core.clicks.click_model import parse_click_model
    from core.interleaving.users import parse_user

    try:
        return parse_user(text)
    except BadInput as error:
        try:
            return parse_click_model(text)
        except BadInput as other:
            raise ArgumentTypeError(f"{error}; nor is it a click model: {other}") from other


def describe_ab(parser: ArgumentParser) -> None:
    """Describe ``dissent ab``."""
    parser.description = (
        "Whether users fare otherwise in one arm of an A/B test than in the other, by its log: the "
        "difference in the outcome of a visit with 95 % limits and p, by Welch's t; users are what "
        "is sampled, as they were dealt to the arms and may have visited often; adjusted by the "
        "outcomes before the test where these are known; whether users are split as planned; and "
        "how many users find which difference in four of five tests. Users in both arms are left "
        "out."
    )
    parser.add_argument(
        "log",
        metavar="LOG",
        help="TSV, CSV or JSONL with a row for each visit: user, arm, outcome (a number such as "
        "clicks, or yes and no) and perhaps before, the user's outcome before the test; may be "
        ".gz; - for stdin",
    )
    parser.add_argument(
        "--first",
        default="",
        metavar="ARM",
        help="the arm that the other is compared with (default: the first by name)",
    )
    parser.add_argument(
        "--share",
        type=parse_share,
        default=0.5,
        metavar="S",
        help="which share of the users was to go to the other arm (default 0.5)",
    )
    add_alpha(parser)
    add_table_format(parser)
