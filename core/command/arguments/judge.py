"""Arguments of ``dissent judge``."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from core.collection.records import FACETS, PAGE
from core.command.arguments.shared import add_collection, add_format, add_seed, parse_count
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


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
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
    group.add_argument("--facet", choices=FACETS, default=PAGE, help="page (default) or snippet")
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
