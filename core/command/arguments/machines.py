"""Arguments of ``dissent machines``, which reads people's and machines' labels.

With them are those with which it compares conclusions.
"""

from argparse import ArgumentParser, ArgumentTypeError

from core.collection.records import FACETS
from core.command.arguments.label_files import add_label_options
from core.command.arguments.score_files import add_run_files
from core.command.arguments.shared import add_table_format, parse_count, parse_list, parse_named
from core.machines.choices import EPSILON, FEWEST_PEOPLE, SAMPLING, SCORINGS

COMBINED = ("maximum", "minimum", "median", "mean", "majority", "majority-highest", "first")
"""How people's labels can be combined without being told more."""


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
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
