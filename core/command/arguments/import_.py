"""Arguments of ``dissent import``, with those by which machines' labels are read."""

from argparse import ArgumentParser

from core.collection.records import FACETS
from core.command.arguments.label_files import add_label_options
from core.command.arguments.shared import (
    add_collection,
    add_format,
    add_qrels_reading,
    add_run_reading,
    parse_pairs,
)
from core.registered import list_formats


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Read files into a collection. Of what kind they are is told from how they begin, unless "
        "one is named before them. Everything is checked first: if one line is faulty, nothing is "
        "stored. Rows that are already stored are left as they are; rows that "
        "differ from stored ones are refused."
    )
    parser.usage = (
        "dissent import [KIND] FILE [FILE ...] [options]\n"
        "       dissent import labels --machine NAME FILE [FILE ...] [options]"
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="[KIND] FILE",
        help="files in any of the known formats, also .gz; - for stdin. KIND: "
        f"{', '.join(list_formats())}. With the kind, irds:ID is a data set of the package "
        "ir_datasets",
    )
    add_collection(parser)
    parser.add_argument(
        "--create",
        action="store_true",
        help="create the store and the collection if they do not exist",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="check and count everything, store nothing"
    )
    parser.add_argument(
        "--file-format",
        default="",
        metavar="NAME",
        help=f"the format, if it cannot be recognised from the content; {_list_formats()}",
    )
    parser.add_argument(
        "--name", default="", metavar="NAME", help="what to call these qrels, or this click log"
    )
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="with clicks: leave malformed sessions out and count them, with their first lines; "
        "without it the first refuses the file",
    )
    add_run_reading(parser)
    add_qrels_reading(parser)
    add_label_options(parser)
    parser.add_argument(
        "--facet", choices=FACETS, help="the facet of the labels, where the file does not say"
    )
    parser.add_argument(
        "--aspect",
        default="",
        metavar="NAME",
        help="with aspects: only the rows of this aspect, or what all of a file without such a "
        "column are of",
    )
    parser.add_argument(
        "--texts", action="store_true", help="also take topics and documents from a ratings table"
    )
    add_machine_options(parser)
    add_format(parser)


def _list_formats() -> str:
    """Return the formats of the kinds that have several."""
    known = list_formats().items()
    return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in known if len(names) > 1)


def add_machine_options(parser: ArgumentParser) -> None:
    """Add the options that say which machine gave labels, and how its levels are read."""
    group = parser.add_argument_group(
        "labels of a machine",
        "Files are qrels of TREC, or tables and JSONL of labels, perhaps with the columns answer "
        "(word for word), reason, state (level, cannot judge, invalid answer), cost, input_tokens "
        "and output_tokens, and with model, version, prompt, parameters and date, which are the "
        "same in all rows. Labels of machines count only where a rule names them.",
    )
    group.add_argument("--machine", default="", metavar="NAME", help="whose labels these are")
    group.add_argument("--model", default="", help="which model it is")
    group.add_argument(
        "--model-version", default="", metavar="VERSION", help="which version of the model"
    )
    group.add_argument(
        "--prompt", default="", metavar="FILE", help="the text that it was asked with"
    )
    group.add_argument(
        "--parameters",
        default="",
        metavar="NAME=VALUE,…",
        help="how it was asked besides, as in temperature=0,seed=7; or a JSON object",
    )
    group.add_argument("--date", default="", help="when it judged")
    group.add_argument(
        "--map",
        type=parse_pairs,
        action="append",
        default=[],
        metavar="VALUE=LEVEL,…",
        help="what values mean that are on no scale, as in 5=3,10=invalid: a level, invalid (no "
        "level can be read) or cannot (cannot judge); without it they are refused. The rule is "
        "recorded",
    )
