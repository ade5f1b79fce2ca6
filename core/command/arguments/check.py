"""Arguments of ``dissent check``."""

from argparse import ArgumentParser

from core.command.arguments.shared import add_format
from core.place import read_place


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
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
