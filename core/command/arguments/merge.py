"""Arguments of ``dissent merge``."""

from argparse import ArgumentParser
from pathlib import Path

from core.command.arguments.shared import add_format


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
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
