"""What ``dissent machines`` needs to compare conclusions: runs, and people's labels as qrels."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

import pandas as pd

from core.analysis.frames.conclusions import Conclusions, draw_conclusions
from core.analysis.frames.machines import MachineAudit
from core.command.arguments import parse_list
from core.command.files.score_files import (
    add_run_files,
    read_measures,
    read_runs,
    read_score_weights,
)
from core.command.printing.output import show_progress
from core.errors import BadInput
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels

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


def read_conclusions(arguments: Namespace, found: MachineAudit) -> Conclusions | None:
    """Return what follows for the systems; None where no run is given.

    Raises
    ------
    BadInput
        There are runs without a measure, a measure without runs, or several measures; or
        `draw_conclusions` refuses.
    """
    if not (arguments.runs or arguments.measures):
        return None
    if not (arguments.runs and arguments.measures):
        raise BadInput("conclusions need runs and a measure; give both --run and --measure")
    measure, *others = read_measures(arguments)
    if others:
        raise BadInput("conclusions are compared by one measure at a time", field="measure")
    rule = QrelsRule("people", found.facet, arguments.combine)
    return draw_conclusions(
        read_runs(arguments),
        qrels_from_labels(found.labels, rule, top_level=max(found.scale)).frame,
        {name: _as_qrels(one, found.scale) for name, one in found.machines.items()},
        measure,
        lineages=dict(arguments.lineage),
        weights=read_score_weights(arguments),
        same_documents=arguments.same_documents,
        progress=show_progress,
    )


def _as_qrels(labels: pd.DataFrame, scale: tuple[int, ...]) -> pd.DataFrame:
    """Return a machine's labels that are on the scale as judgements."""
    kept = labels.loc[labels["level"].isin(scale), ["topic_id", "document_id", "level"]]
    return kept.assign(iteration="0")
