"""``dissent agreement``: how far assessors agree, two by two, by group, and all together."""

from argparse import Namespace
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from core.agreement.base import suggest_coefficients
from core.agreement.choices import ANALYTIC
from core.agreement.coefficients import Kappa
from core.agreement.confusion import ConfusionMatrices, PairMatrices
from core.agreement.groups import read_groups
from core.agreement.overlap import overlap_ceiling
from core.agreement.ranked_items import rank_items
from core.agreement.ratings import ratings_from_labels
from core.agreement.topics import TopicSets, split_topics
from core.collection.labels.label_options import GOLD, ROUND
from core.collection.labels.level_use import describe_gap
from core.command.files.label_files import LabelFile, read_label_files
from core.command.files.opening import open_source
from core.command.files.reading import read_files
from core.command.printing.agreement_tables import print_tables
from core.command.printing.output import (
    describe_interval,
    print_json,
    print_notes,
    with_reason,
)
from core.errors import BadInput, TooLittleData
from core.reports.agreement import LabelAgreement
from core.reports.agreement_by_round import agreement_by_round

LINEAR = Kappa("linear")


def run(arguments: Namespace) -> int:
    """Print the agreement of the assessors in a label file."""
    labels, runs = (
        _choose_rounds(read_label_files(arguments), arguments),
        _read_runs(arguments.runs),
    )
    facets = [arguments.facet] if arguments.facet else labels.facets
    unscaled = [facet for facet in facets if labels.levels(facet) is None]
    print_notes(filter(None, (describe_gap(labels.frame, facet) for facet in unscaled)))
    results, refused = {}, {}
    for facet in facets:
        try:
            results[facet] = _analyse(labels, facet, arguments, runs)
        except TooLittleData as error:
            refused[facet] = error
    if refused and not results:
        raise next(iter(refused.values()))
    print_notes(f"{facet}: {error}" for facet, error in refused.items())
    topics = [result["topics"] for result in results.values()]
    sets = split_topics(pd.concat(topics, ignore_index=True))
    (_print_json if arguments.format == "json" else print_tables)(results, sets)
    return 0


def _choose_rounds(labels: LabelFile, arguments: Namespace) -> LabelFile:
    """Return the labels of the rounds that are asked for."""
    if not arguments.rounds:
        return labels
    if ROUND not in labels.frame:
        raise BadInput("these labels do not say in which round they were given", field="round")
    known = set(labels.frame[ROUND]) - {""}
    if missing := [name for name in arguments.rounds if name not in known]:
        listed = ", ".join(sorted(known))
        raise BadInput(f"no label was given in round '{missing[0]}'; there are {listed}")
    return replace(labels, frame=labels.frame[labels.frame[ROUND].isin(arguments.rounds)])


def _read_runs(paths: list[str] | None) -> pd.DataFrame | None:
    """Return the runs as one frame, if there are any."""
    if not paths:
        return None
    sources = [open_source(path) for path in paths]
    return read_files("runs", sources).frames["runs"]


def _analyse(
    labels: LabelFile, facet: str, arguments: Namespace, runs: pd.DataFrame | None
) -> dict[str, Any]:
    """Return the matrices and tables of one facet."""
    ratings = ratings_from_labels(labels.frame, facet, labels.levels(facet))
    ratings = ratings if runs is None else rank_items(ratings, runs)
    found = LabelAgreement(ratings, _read_groups(labels.frame, facet), arguments.seed)
    differences = found.differences([LINEAR]) if arguments.differences else pd.DataFrame()
    cut = arguments.binary_at
    two, panel = suggest_coefficients(
        ratings.levels,
        None if cut is None else labels.level(cut, facet),
        ranked=runs is not None,
    )
    every = [*two, *panel]
    return {
        "matrices": found.matrices.by_pair(),
        "apart": _count_apart(found.matrices),
        "pairs": found.by_pair(two, arguments.interval),
        "overall": found.overall(every),
        "topics": found.by_topic(
            interval=arguments.interval if arguments.interval in ANALYTIC else "jackknife"
        ),
        "groups": found.by_group(two),
        "engines": found.by_part(ratings.items["engine"], every),
        "rounds": agreement_by_round(labels.frame, facet, every, ratings.levels, runs),
        "differences": differences,
    }


def _read_groups(labels: pd.DataFrame, facet: str) -> dict[str, str]:
    """Return the assessors' groups; gold is in none."""
    return read_groups(labels[(labels["facet"] == facet) & (labels["assessor_id"] != GOLD)])


def _count_apart(matrices: ConfusionMatrices) -> int:
    """Return how many pairs of assessors have no item in common."""
    people = len(matrices.assessors)
    return people * (people - 1) // 2 - len(matrices.pair_starts())


def _print_json(results: dict[str, dict[str, Any]], sets: TopicSets) -> None:
    kept = {
        "overall": ("pairs", "n"),
        "groups": ("first_group", "second_group", "pairs", "n"),
        "engines": ("part", "pairs", "n"),
        "rounds": ("part", "pairs", "n"),
        "topics": ("topic_id", "first", "second", "n", "counted"),
    }
    content: dict[str, Any] = {name: [] for name in ("pairs", *kept, "differences")}
    for facet, result in results.items():
        content["pairs"] += _pair_entries(facet, result["matrices"], result["pairs"])
        for name, columns in kept.items():
            rows = result[name].to_dict("records")
            content[name] += [_entry(row, facet, columns, _PARTS.get(name, "")) for row in rows]
        for row in result["differences"].to_dict("records"):
            reason, about = row.pop("reason"), {"facet": facet, "name": row.pop("coefficient")}
            interval = {"interval": describe_interval(row)}
            kept = {name: row[name] for name in row if name not in ("unit", "units")}
            content["differences"].append(with_reason(about | kept | interval, reason))
    print_json({**content, "high_agreement": sets.high, "low_agreement": sets.low})


def _pair_entries(facet: str, matrices: PairMatrices, rows: pd.DataFrame) -> list[dict[str, Any]]:
    names = np.asarray(matrices.assessors)
    by_pair = rows.groupby(["first", "second"], sort=False)
    entries = []
    for first, second, counts in zip(
        names[matrices.first], names[matrices.second], matrices.counts, strict=True
    ):
        own = by_pair.get_group((first, second)).to_dict("records")
        entries.append(
            {
                "first": first,
                "second": second,
                "facet": facet,
                "n": own[0]["n"],
                "levels": matrices.levels,
                "matrix": counts.astype(np.int64),
                "coefficients": [_entry(row) for row in own],
                "ceilings": [
                    {"level": level, **overlap_ceiling(counts, level, matrices.levels)._asdict()}
                    for level in matrices.levels[1:]
                ],
            }
        )
    return entries


_PARTS = {"engines": "engine", "rounds": "round"}
"""What a part of the labels is called in the lists of parts."""


def _entry(
    row: dict[Any, Any], facet: str = "", kept: tuple[str, ...] = (), part: str = ""
) -> dict[str, Any]:
    about: dict[str, Any] = {"facet": facet} if facet else {}
    names = {"topic_id": "topic", "part": part}
    about |= {names.get(name, name): row[name] for name in kept if not pd.isna(row[name])}
    result = {name: row[name] for name in ("value", "low", "high")}
    result["interval"] = describe_interval(row)
    return with_reason({**about, "name": row["coefficient"], **result}, row["reason"])
