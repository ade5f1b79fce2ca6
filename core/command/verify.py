"""``dissent verify``: whether the model's weights hold where many judged the same item."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from core.collection.records import PAGE
from core.command.files.label_files import read_label_files
from core.command.files.opening import open_source
from core.command.files.reading import read_files
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.tables import format_cell, format_table
from core.command.printing.verify_tables import print_parts
from core.disagreement.consistency import SELF
from core.errors import TooLittleData
from core.reports.verification import ModelVerification

REDRAWING = "standard deviation over repeated draws of the same labels; no sampling error"


def run(arguments: Namespace) -> int:
    """Print the model's predictions beside what is observed in a label file."""
    if arguments.strata and not (arguments.results or arguments.topics):
        arguments.parser.error("--strata needs --results or --topics")
    labels = read_label_files(arguments)
    facet = arguments.facet or (labels.facets[0] if len(labels.facets) == 1 else PAGE)
    top = labels.level(arguments.top, facet)
    found = ModelVerification(
        labels.frame,
        facet,
        top,
        labels.levels(facet),
        arguments.group_by,
        arguments.min_labels,
        arguments.repeats,
        arguments.seed,
    )
    more = {name: make() for name, make in _choose_parts(found, arguments).items()}
    is_drawn = _can_draw(found, bool(more))
    if arguments.format == "json":
        print_json({**_make_content(found, arguments, is_drawn), **more})
    else:
        if is_drawn:
            _print_tables(found, arguments)
        print_parts(more)
    return 0


def _can_draw(found: ModelVerification, may_fail: bool) -> bool:
    """Tell whether items have enough labels; refuse if that is all that was asked for."""
    try:
        return found.draws.items > 0
    except TooLittleData as error:
        if not may_fail:
            raise
        print_notes([str(error)])
        return False


def _choose_parts(
    found: ModelVerification, arguments: Namespace
) -> dict[str, Callable[[], dict[str, Any]]]:
    """Return how to make each further part that was asked for, by its name in the result."""
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "mutual": partial(_refusable, "measures", lambda: {"measures": _rows(found.mutual)}),
        "consistency": partial(_refusable, "p", lambda: _describe_consistency(found)),
        "strata": partial(_refusable, "parts", lambda: _describe_strata(found, arguments)),
    }
    return {name: make for name, make in parts.items() if getattr(arguments, name)}


def _refusable(name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return a part of the result; where labels do not do, an empty one with the reason."""
    try:
        return make()
    except TooLittleData as error:
        return {name: [], "reason": str(error)}


def _describe_consistency(found: ModelVerification) -> dict[str, Any]:
    consistency = found.consistency
    return {
        "items": consistency.items,
        "repeated": consistency.repeated,
        "samples": len(consistency.samples[SELF]),
        "apart": consistency.share_apart(found.top),
        "sd_is": REDRAWING,
        "p": _make_entries(consistency.summary()),
    }


def _describe_strata(found: ModelVerification, arguments: Namespace) -> dict[str, Any]:
    results = topics = None
    if arguments.results:
        sources = [open_source(path) for path in arguments.results]
        results = read_files("results", sources).frames["results"]
    if arguments.topics:
        topics = read_files("topics", [open_source(arguments.topics)]).frames["topics"]
    table = found.strata(results, topics)
    table = table.rename(columns={"topics": "units"}).assign(interval="jackknife", unit="topic")
    return {"parts": _rows(table)}


def _make_content(found: ModelVerification, arguments: Namespace, is_drawn: bool) -> dict[str, Any]:
    chosen = ("min_labels", "repeats", "group_by", "seed")
    fit = found.fit if is_drawn else None
    return {
        "top": found.top,
        "items": found.draws.items if is_drawn else 0,
        "fit": None if fit is None else asdict(fit),
        **{name: getattr(arguments, name) for name in chosen},
        "sd_is": REDRAWING,
        "p": _rows(found.chances) if is_drawn else [],
        "weights": _rows(found.weights) if is_drawn else [],
    }


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as entries, with what their limits rest on."""
    entries = _make_entries(table.drop(columns=["interval", "unit", "units"]))
    limits = table[["interval", "unit", "units"]].itertuples(index=False, name=None)
    return [
        {**entry, "interval": {"method": method, "unit": unit, "n": n}}
        for entry, (method, unit, n) in zip(entries, limits, strict=True)
    ]


def _make_entries(table: pd.DataFrame) -> list[dict[str, Any]]:
    rows = table.drop(columns="reason").to_dict("records")
    return [
        with_reason({str(name): value for name, value in row.items()}, reason)
        for row, reason in zip(rows, table["reason"], strict=True)
    ]


def _print_tables(found: ModelVerification, arguments: Namespace) -> None:
    draws, chosen = found.draws, found.chances
    number = int(chosen["units"].max())
    print(
        f"top {found.top}; {draws.items:,} items with {arguments.min_labels} or more labels; "
        f"mean ± sd of {arguments.repeats} repeats: of redrawing, no sampling error\n"
        f"95 % limits over {draws.unit}s ({number:,}), by the jackknife\n"
    )
    chances = [
        [
            str(row["level"]),
            row["n"],
            _spread(row["mean"], row["sd"]),
            _limits(row),
            row["reason"],
        ]
        for row in chosen.to_dict("records")
    ]
    header = ["level", "others", "p(top | level)", "95 %", ""]
    print(format_table(header, chances, title="p(top | level) by number of others") + "\n")
    if fit := found.fit:
        print(f"model holds: {fit.verdict}; mean error {fit.difference:.3f}\n")
    weights = [
        [
            str(row["level"]),
            f"{row['at_least']} of {row['users']}",
            _spread(row["observed"], row["sd"]),
            _limits(row),
            row["predicted"],
            row["reason"],
        ]
        for row in found.weights.to_dict("records")
        if row["predicted"] not in (0, 1)
    ]
    header = ["level", "at least", "observed", "95 %", "predicted", ""]
    print(format_table(header, weights, title="Weights, observed and predicted"))


def _limits(row: Mapping[Any, Any]) -> str:
    return "" if np.isnan(row["low"]) else f"[{row['low']:.3f}, {row['high']:.3f}]"


def _spread(mean: float, sd: float) -> str:
    return format_cell(mean) if np.isnan(sd) else f"{mean:.3f} ± {sd:.3f}"
