"""Arguments of commands that read people's and machines' labels."""

from argparse import ArgumentParser, ArgumentTypeError

from core.collection.records import FACETS
from core.command.arguments.label_files import add_label_options


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
        type=parse_machine,
        metavar="NAME=QRELS",
        help="what a machine is called, and its labels as TREC qrels; levels that are not on the "
        "scale are named and left out",
    )
    parser.add_argument("--facet", choices=FACETS, help="only the labels of snippets or of pages")
    add_label_options(parser)


def parse_machine(text: str) -> tuple[str, str]:
    """Return the name and the file of ``NAME=QRELS``.

    Raises
    ------
    ArgumentTypeError
        The text is not written so.
    """
    name, mark, path = text.partition("=")
    if not (name and mark and path):
        raise ArgumentTypeError(f"'{text}' is not written NAME=QRELS")
    return name, path
