"""Arguments of commands that read click logs."""

from argparse import ArgumentParser


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
