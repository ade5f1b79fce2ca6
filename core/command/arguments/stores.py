"""Arguments of commands that serve, keep, move and check a store."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

from core.command.arguments.shared import add_format, add_store, parse_count
from core.place import read_place
from core.store.people.token_scopes import LONGEST_DAYS, SCOPES


def describe_serve(parser: ArgumentParser) -> None:
    """Describe ``dissent serve``."""
    parser.description = (
        "Start the app on this machine. A store without an organiser prints a one-time link to "
        "sign in with; the demo runs on a throw-away store of its own. Ctrl+C stops the server. "
        "Webhooks go to public machines, and to the networks that DISSENT_WEBHOOK_NETWORKS lists. "
        "Language models are asked at DISSENT_JUDGE_URL only."
    )
    which = parser.add_mutually_exclusive_group()
    add_store(which)
    which.add_argument("--demo", action="store_true", help="try it with the demo collection")
    parser.add_argument(
        "--port", type=_port, default=8501, metavar="N", help="default 8501; 0 for any free one"
    )
    parser.add_argument(
        "--address",
        default="127.0.0.1",
        metavar="A",
        help="where to listen (default 127.0.0.1: this machine only); elsewhere, put a proxy with "
        "TLS in front",
    )


def _port(text: str) -> int:
    number = parse_count(0)(text)
    if number > 65535:
        raise ArgumentTypeError(f"{number} is not a port; the highest is 65535")
    return number


def describe_backup(parser: ArgumentParser) -> None:
    """Describe ``dissent backup``."""
    parser.description = (
        "Copy every table of a store, as it is at one moment, into a new ZIP archive. While a "
        "server has the store open, make the backup on its export page instead."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the archive; must not exist yet")
    add_store(parser)
    add_format(parser)


def describe_restore(parser: ArgumentParser) -> None:
    """Describe ``dissent restore``."""
    parser.description = (
        "Make a new store from an archive of 'dissent backup' or of the app: a new file, or in an "
        "empty database."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the archive")
    add_store(parser)
    add_format(parser)


def describe_move(parser: ArgumentParser) -> None:
    """Describe ``dissent move``."""
    parser.description = (
        "Copy a whole store from a file to an empty PostgreSQL database, or back to a new file, "
        "and compare the hashes of all rows. No server may use it meanwhile. The store that it is "
        "copied from stays as it is: keep it until you have seen the other, then serve only one "
        "of the two. If it is cut off, run it again: it goes on where it ended."
    )
    for name, help_ in (
        ("from", "the store: a file, or postgresql://user@host/name"),
        ("to", "where it is to be: an empty database, or a new file"),
    ):
        parser.add_argument(
            f"--{name}",
            dest=f"{name}_place",
            type=read_place,
            required=True,
            metavar="PLACE",
            help=help_,
        )
    add_format(parser)


def describe_merge(parser: ArgumentParser) -> None:
    """Describe ``dissent merge``."""
    parser.description = (
        "Make one store of two in which the same collection was judged at two sites: both began "
        "as copies of one, or each imported the same files. Both are only read. Every label event "
        "is kept; where both have a setting, that of FIRST holds. Passwords and single sign-on "
        "come from FIRST only; sessions and invitations from neither. Try --dry-run first."
    )
    parser.add_argument("first", type=Path, metavar="FIRST", help="a store")
    parser.add_argument("second", type=Path, metavar="SECOND", help="the other store")
    parser.add_argument(
        "--into", type=Path, required=True, metavar="OUT", help="the new store; must not exist yet"
    )
    parser.add_argument(
        "--map",
        type=Path,
        metavar="FILE",
        help="who is who, where that is not clear: a TSV with the columns second and first, by id "
        "or name; first may be 'new'",
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="tell what would be done and write nothing; exit status 1 if it could not be done",
    )
    add_format(parser)


_ALL = sorted({scope for scopes in SCOPES.values() for scope in scopes})


def describe_token(parser: ArgumentParser) -> None:
    """Describe ``dissent token``."""
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


def describe_check(parser: ArgumentParser) -> None:
    """Describe ``dissent check``."""
    parser.description = (
        "Check that a store is intact: its log, blocks, schema and signing key; that everything "
        "acknowledged is there; the order of the label events and the current labels; that "
        "everything they name exists; that every batch has k slots; finished batches; saved rules. "
        "In a copy, in the folder for temporary files, it also checks that indexes can be used and "
        "that everyday work can be done. Nothing is changed. A backup is checked by restoring it "
        "in that folder. Exit status 1 means that faults were found."
    )
    parser.add_argument(
        "store",
        nargs="?",
        type=read_place,
        metavar="STORE",
        help="a store, in a file or at postgresql://…, or a backup (default: DISSENT_STORE, or "
        "dissent.duckdb in this folder)",
    )
    parser.add_argument(
        "--no-copy",
        action="store_true",
        help="skip the checks that need a copy, which takes as much room as the store",
    )
    add_format(parser)
