"""Arguments of ``dissent move``."""

from argparse import ArgumentParser

from core.command.arguments.shared import add_format
from core.place import read_place


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
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
