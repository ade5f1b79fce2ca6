"""A pilot's scores and labels on the command line: what a plan is made from."""

import json
from argparse import Namespace
from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.collection.files.checks import LINE
from core.collection.files.columns import FileColumn
from core.collection.files.numbers import parse_numbers
from core.collection.files.source import Source
from core.collection.files.tables import is_json, read_table
from core.collection.records import SYSTEMS
from core.command.files.label_files import LabelFile, read_label_files
from core.command.files.reading import open_source, read_files
from core.command.files.score_files import (
    read_judgements,
    read_measures,
    read_runs,
    read_score_weights,
)
from core.errors import BadInput
from core.reports.scores import judge_runs

_COLUMNS = (
    FileColumn("system", ("run", "tag"), required=True),
    FileColumn("topic", ("topic_id", "query", "qid"), required=True),
    FileColumn("value", ("score",), required=True),
    FileColumn("measure", ("metric",)),
)
MEANS = ("all", "")
"""What stands for the mean in place of a topic."""


def read_pilot_scores(arguments: Namespace) -> pd.DataFrame | None:
    """Return ``system, topic_id, measure, value`` of the pilot; None where none was given.

    Raises
    ------
    BadInput
        A file cannot be used, or the scores are by several measures.
    """
    if arguments.scores:
        scores = read_scores(open_source(arguments.scores))
        wanted = [str(one) for one in read_measures(arguments)] if arguments.measures else []
        return _choose_measure(scores, wanted, arguments.scores)
    if not arguments.qrels:
        return None
    measures = read_measures(arguments)
    if len(measures) != 1:
        raise BadInput("a plan is made for one measure; choose one", field="measure")
    judged = judge_runs(
        read_runs(arguments),
        read_judgements(arguments.qrels, arguments),
        weights=read_score_weights(arguments),
    )
    return judged.score(measures, empty_topics=arguments.empty_topics)


def read_scores(source: Source) -> pd.DataFrame:
    """Return ``system, topic_id, measure, value`` of a file, topics alone; ``measure`` may be ''.

    Raises
    ------
    BadInput
        It is neither a table with these columns nor the JSON of ``dissent evaluate``; a value is
        not a number; or there are means only.
    """
    whole = _read_evaluated(source) if is_json(source) else None
    rows = _read_columns(source) if whole is None else whole
    rows = rows[~rows["topic_id"].isin(MEANS)].reset_index(drop=True)
    if rows.empty:
        raise BadInput("has no score of a topic; write them with --per-topic", file=source.name)
    return rows


def _read_evaluated(source: Source) -> pd.DataFrame | None:
    """Return the scores of the JSON of ``dissent evaluate``; None for JSON of another form."""
    try:
        entries = json.loads(source.text)["scores"]
        rows = [
            (one["system"], one["topic"] or "", one["measure"], one["value"]) for one in entries
        ]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    table = pd.DataFrame(rows, columns=["system", "topic_id", "measure", "value"])
    # What had nothing to find has no value, and does not count.
    return table[table["value"].notna()].astype({"value": "float64"})


def _read_columns(source: Source) -> pd.DataFrame:
    frame = read_table(source, _COLUMNS).frame.rename(columns={"topic": "topic_id"})
    values = parse_numbers(frame["value"])
    if np.isnan(values).any():
        at = int(np.flatnonzero(np.isnan(values))[0])
        reason = f"'{frame['value'].iloc[at]}' is not a number"
        raise BadInput(reason, file=source.name, line=int(frame[LINE].iloc[at]), field="value")
    return frame[["system", "topic_id"]].assign(measure=frame.get("measure", ""), value=values)


def _choose_measure(scores: pd.DataFrame, wanted: list[str], file: str) -> pd.DataFrame:
    known = scores["measure"].unique().tolist()
    if len(wanted) == 1 and known != [""]:
        scores = scores[scores["measure"] == wanted[0]]
        if scores.empty:
            reason = f"has no scores by {wanted[0]}, only by {', '.join(known)}"
            raise BadInput(reason, file=file)
    if scores["measure"].nunique() > 1 or len(wanted) > 1:
        reason = f"has scores by {', '.join(known)}; choose one with --measure"
        raise BadInput(reason, file=file)
    return scores.reset_index(drop=True)


def read_pilot_labels(arguments: Namespace) -> tuple[LabelFile, str] | None:
    """Return the pilot's labels and their facet; None where none were given.

    Raises
    ------
    BadInput
        They are of both facets, and none was chosen.
    """
    if not arguments.labels:
        return None
    found = read_label_files(arguments)
    facets = [arguments.facet] if arguments.facet else found.facets
    if len(facets) != 1:
        named = " and ".join(facets) or "nothing"
        raise BadInput(f"the labels are of {named}; choose with --facet", field="facet")
    return found, str(facets[0])


def read_votes(paths: Sequence[str]) -> pd.DataFrame:
    """Return preferences from files, between systems unless they say otherwise."""
    sources = [open_source(path) for path in paths]
    return read_files("preferences", sources, compared=SYSTEMS).frames["preferences"]
