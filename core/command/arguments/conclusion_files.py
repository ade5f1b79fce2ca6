"""Arguments with which ``dissent machines`` compares conclusions."""

from argparse import ArgumentParser, ArgumentTypeError

from core.command.arguments.score_files import add_run_files
from core.command.arguments.shared import parse_list

COMBINED = ("maximum", "minimum", "median", "mean", "majority", "majority-highest", "first")
"""How people's labels can be combined without being told more."""


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
    machine, mark, systems = text.partition("=")
    named = tuple(parse_list(systems))
    if not (machine and mark and named):
        raise ArgumentTypeError(f"'{text}' is not written MACHINE=A,B,…")
    return machine, named
