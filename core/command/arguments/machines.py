"""Arguments of commands that have machines judge, and compare their labels with people's."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from core.collection.records import FACETS
from core.command.arguments.label_files import add_label_options
from core.command.arguments.score_files import add_qrels_scale, add_run_files
from core.command.arguments.shared import (
    add_alpha,
    add_collection,
    add_format,
    add_seed,
    add_table_format,
    parse_count,
    parse_list,
    parse_named,
)
from core.machines.choices import EPSILON, FEWEST_PEOPLE, SAMPLING, SCORINGS
from core.prompting.choices import (
    INCLUDED,
    LEVELS,
    LONGEST_TEXT,
    PARAMETERS,
    PARTS,
    PATIENCE,
    TRIES,
    UNJUDGED,
)
from core.prompting.endpoint import KEY_VARIABLE
from core.prompting.pace import Pacing
from core.versions.rules import WHOLE

COMBINED = (
    *("maximum", "minimum", "median", "mean", "majority", "majority-highest", "first"),
    *(f"{one}, {WHOLE}" for one in ("median", "mean")),
)
"""How people's labels can be combined without being told more."""


def describe_machines(parser: ArgumentParser) -> None:
    """Describe ``dissent machines``."""
    parser.description = (
        "Agreement of machines with people, and of people with each other on the items that the "
        "machine judged: coefficients of every two, level shift (above 0: the machine is more "
        "lenient), levels of the machine by those of people, and the alternative annotator test "
        "(Calderon, Reichart and Dror 2025). 95 % intervals are by the jackknife over topics. "
        "Figures hold for the judged items only."
    )
    add_judge_files(parser)
    parser.add_argument(
        "--epsilon",
        type=float,
        default=EPSILON,
        metavar="E",
        help="what people may be better by in the alternative annotator test: 0.2 for experts "
        "(default), 0.15 for skilled people, 0.1 for a crowd",
    )
    parser.add_argument(
        "--scoring",
        choices=SCORINGS,
        default=SCORINGS[0],
        help="how close a label is to those of others in that test: the share with the same level "
        "(default), or the root mean squared difference",
    )
    parser.add_argument(
        "--fewest-items",
        type=parse_count(1),
        default=1,
        metavar="N",
        help="people with fewer items take no part in that test (default 1)",
    )
    parser.add_argument(
        "--fewest-people",
        type=parse_count(2),
        default=FEWEST_PEOPLE,
        metavar="N",
        help="items with labels of fewer people take no part in it (default 2, as in its authors' "
        "program; 3 compares each person with two others or more)",
    )
    parser.add_argument(
        "--items",
        choices=tuple(SAMPLING),
        default="unknown",
        help="how the judged items were chosen: at random, or selected, as pools are (default: "
        "unknown)",
    )
    add_conclusion_files(parser)
    add_table_format(parser)


def add_judge_files(parser: ArgumentParser) -> None:
    """Add ``--people`` and ``--machine``, and how labels are read."""
    parser.add_argument(
        "--people",
        dest="labels",
        nargs="+",
        action="extend",
        required=True,
        metavar="LABELS",
        help="what people said: TSV, CSV or JSONL with assessor, topic, document, level; or TREC "
        "qrels, a file a person, who is called like it; may be .gz",
    )
    parser.add_argument(
        "--machine",
        dest="machines",
        nargs="+",
        action="extend",
        required=True,
        type=parse_named("NAME=QRELS"),
        metavar="NAME=QRELS",
        help="what a machine is called, and its labels as TREC qrels; levels that are not on the "
        "scale are named and left out",
    )
    parser.add_argument("--facet", choices=FACETS, help="only the labels of snippets or of pages")
    add_label_options(parser)


def add_conclusion_files(parser: ArgumentParser) -> None:
    """Add ``--run``, ``--measure`` and what else conclusions depend on."""
    group = parser.add_argument_group(
        "conclusions",
        "With runs and a measure: whether systems come in the same order under people's "
        "judgements, each machine's, and people's filled up with the machine's; which differences "
        "are significant; what systems gain; and which runs agree with a machine beyond what "
        "people and the other runs explain.",
    )
    add_run_files(group, required=False)
    group.add_argument(
        "--combine",
        choices=COMBINED,
        default=COMBINED[0],
        help="how the labels of several people become one (default maximum)",
    )
    group.add_argument(
        "--topics", metavar="FILE", help="score systems on these topics only, one topic id a line"
    )
    group.add_argument(
        "--lineage",
        action="append",
        default=[],
        type=parse_lineage,
        metavar="MACHINE=A,B,…",
        help="the systems that use a machine's model, or one of its kind; may be repeated",
    )
    group.add_argument(
        "--same-documents",
        action="store_true",
        help="score by the documents only that people and all machines have judged",
    )
    add_alpha(group)


def parse_lineage(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the machine and the systems of ``MACHINE=A,B,…``.

    Raises
    ------
    ArgumentTypeError
        The text is not written so.
    """
    machine, systems = parse_named("MACHINE=A,B,…")(text)
    named = tuple(parse_list(systems))
    if not named:
        raise ArgumentTypeError(f"'{text}' names no system")
    return machine, named


def describe_judge(parser: ArgumentParser) -> None:
    """Describe ``dissent judge``."""
    parser.description = (
        "Have a language model judge a part of a collection, by any server that speaks the "
        "OpenAI-compatible chat protocol. Its labels are those of a machine assessor, which count "
        "neither for agreement nor for qrels versions unless a rule names it. What would be sent "
        "is printed first, and nothing is sent before it is confirmed. "
        f"The key for the server is read from the environment ({KEY_VARIABLE}). A job that ended "
        "early, also by a kill, goes on with --resume, and asks nothing twice but what was under "
        "way. Exit status 1 where items are left to be asked."
    )
    add_collection(parser)
    parser.add_argument("--list", action="store_true", help="list the jobs and ask nothing")
    parser.add_argument("--resume", metavar="JOB", help="go on with this job, as it was begun")
    _add_asked(parser)
    _add_part(parser)
    _add_limits(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="print the plan with an estimate, and stop"
    )
    parser.add_argument(
        "--example", action="store_true", help="print the first question, word for word, as well"
    )
    parser.add_argument(
        "--yes", action="store_true", help="confirm that what is printed is sent (for pipelines)"
    )
    add_format(parser)


def _add_asked(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("who is asked, and how")
    group.add_argument("--machine", metavar="NAME", help="the machine assessor's name")
    group.add_argument("--server", metavar="URL", help="as in https://api.example.org/v1")
    group.add_argument("--model", metavar="NAME", help="the model's name at the server")
    group.add_argument(
        "--prompt",
        default=LEVELS,
        metavar="FILE",
        help=f"the prompt: {' or '.join(INCLUDED)}, or a file of one's own (default {LEVELS})",
    )
    group.add_argument(
        "--parameter",
        action="append",
        default=[],
        type=_parse_parameter,
        metavar="NAME=VALUE",
        help="sent with each request, as JSON; NAME= sends none of this name (default: "
        + ", ".join(f"{name}={value}" for name, value in PARAMETERS.items())
        + ")",
    )
    group.add_argument(
        "--longest",
        type=parse_count(1),
        default=LONGEST_TEXT,
        metavar="N",
        help=f"characters of a text that are sent (default {LONGEST_TEXT:,})",
    )
    group.add_argument(
        "--key-variable",
        default=KEY_VARIABLE,
        metavar="NAME",
        help=f"the environment variable with the key (default {KEY_VARIABLE})",
    )


def _add_part(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what is judged")
    group.add_argument(
        "--part",
        choices=PARTS,
        default=UNJUDGED,
        help="of the pool what no person gave a level (default); whatever persons gave one, for "
        "an audit; or the whole pool",
    )
    group.add_argument("--facet", choices=FACETS, help="without it, that which the study declares")
    group.add_argument(
        "--depth", type=parse_count(1), default=10, metavar="K", help="of the pool (default 10)"
    )
    group.add_argument("--topics", nargs="+", default=[], metavar="ID", help="only these")
    group.add_argument(
        "--sample", type=parse_count(1), metavar="N", help="as many items, drawn at random"
    )
    add_seed(parser)


def _add_limits(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how fast, and for how much")
    group.add_argument(
        "--concurrency",
        type=parse_count(1),
        default=Pacing.concurrency,
        metavar="N",
        help=f"requests under way at once (default {Pacing.concurrency})",
    )
    group.add_argument("--per-minute", type=_parse_amount, metavar="N", help="requests, at most")
    group.add_argument(
        "--patience",
        type=_parse_amount,
        default=PATIENCE,
        metavar="SECONDS",
        help=f"for an answer (default {PATIENCE:g})",
    )
    group.add_argument(
        "--tries",
        type=parse_count(1),
        default=TRIES,
        metavar="N",
        help=f"before an item is given up (default {TRIES})",
    )
    group.add_argument(
        "--most-requests", type=parse_count(1), metavar="N", help="a budget: nothing is sent beyond"
    )
    group.add_argument(
        "--most-money", type=_parse_amount, metavar="M", help="a budget, by the prices given"
    )
    group.add_argument(
        "--input-price", type=_parse_amount, metavar="P", help="of a million tokens that are sent"
    )
    group.add_argument(
        "--output-price", type=_parse_amount, metavar="P", help="of a million that are answered"
    )


def _parse_parameter(text: str) -> tuple[str, Any]:
    name, mark, value = text.partition("=")
    if not name or not mark:
        raise ArgumentTypeError(f"'{text}' is not written name=value")
    try:
        return name, json.loads(value) if value else None
    except ValueError:
        return name, value


def _parse_amount(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = -1.0
    if not 0 < amount < float("inf"):
        raise ArgumentTypeError(f"'{text}' is not a number above 0")
    return amount


def describe_estimate(parser: ArgumentParser) -> None:
    """Describe ``dissent estimate``."""
    parser.description = (
        "Estimates each system's mean score, and the difference of every two, in three ways: from "
        "the topics that people judged; prediction-powered, from these and from many more that a "
        "machine judged; and from the machine's labels alone. A prediction-powered estimate "
        "corrects the machine's mean by what people and the machine gave on the same topics, and "
        "is unbiased whatever the machine does. The machine's labels alone are biased by an "
        "unknown amount, which their limits take no notice of."
    )
    parser.epilog = (
        "Topics that people judged are those of --human; --machine has to judge them, too. λ says "
        "how far the machine is trusted: 0 gives the classical interval. It is learnt from all "
        "systems together, and is 0 for fewer than four topics that people judged. 95 % limits "
        "take topics for a sample and hold for each mean and each difference alone. The table of "
        "widths says what more topics judged by people would bring."
    )
    for name, what in (("--human", "people's labels"), ("--machine", "the machine's labels")):
        parser.add_argument(name, required=True, metavar="QRELS", help=f"TREC qrels: {what}")
    add_run_files(parser)
    add_qrels_scale(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--finite",
        action="store_true",
        help="the topics are all there are: means over these very topics, with the "
        "finite-population factor",
    )
    form.add_argument(
        "--normal",
        action="store_true",
        help="normal limits and a λ for each system, as the package ppi-python has them; too "
        "narrow with few topics that people judged",
    )
    add_table_format(parser)
