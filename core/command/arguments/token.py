"""Arguments of ``dissent token``."""

from argparse import ArgumentParser

from core.command.arguments.shared import add_format, add_store, parse_count
from core.store.people.token_scopes import LONGEST_DAYS, SCOPES

_ALL = sorted({scope for scopes in SCOPES.values() for scope in scopes})


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Make a token with which a program asks a server in somebody's name, list those that "
        "hold, or end one. While a server has the store open, use its page Account. A token is "
        "shown once."
    )
    parser.usage = "dissent token {make,list,end} [options]"
    parser.add_argument("action", choices=("make", "list", "end"), help="what to do")
    add_store(parser)
    parser.add_argument("--person", default="", metavar="NAME", help="whose: a name or an id")
    parser.add_argument("--name", default="", metavar="TEXT", help="make: what the token is for")
    parser.add_argument(
        "--scope",
        nargs="+",
        choices=_ALL,
        default=None,
        help="make: what it may do (default: all that the person's role allows)",
    )
    parser.add_argument(
        "--collection", default="", metavar="NAME", help="make: only for this collection"
    )
    parser.add_argument(
        "--days",
        type=parse_count(1),
        default=90,
        help=f"make: for how long (default 90, at most {LONGEST_DAYS})",
    )
    parser.add_argument("--token", default="", metavar="ID", help="end: which, as listed")
    add_format(parser)
