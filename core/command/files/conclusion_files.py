"""What ``dissent machines`` needs to compare conclusions: runs, and people's labels as qrels."""

from argparse import Namespace

import pandas as pd

from core.command.files.score_files import read_measures, read_runs, read_score_weights
from core.command.printing.output import show_progress
from core.errors import BadInput
from core.reports.conclusions import Conclusions, draw_conclusions
from core.reports.machines import MachineAudit
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels


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
        qrels_from_labels(found.labels, rule, top_level=max(found.scale)),
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
