"""``dissent verify``: whether the model's weights hold where many judged the same item."""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.base.sampling import new_rng
from core.collection.records import PAGE
from core.command.arguments import add_format, add_seed, parse_count
from core.command.files.label_files import add_label_files, read_label_files
from core.command.printing.output import print_json, with_reason
from core.command.printing.tables import format_cell, format_table
from core.disagreement.model_fit import assess_fit
from core.disagreement.repeated_labels import GROUPINGS, code_repeated_labels
from core.disagreement.verification import Draws, draw_labels, verify_probability, verify_weights

_OTHERS = 5


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "The User Disagreement Model against labels of many users: for each item with enough "
        "labels, one label is drawn at random, then up to five others, repeatedly. Shown are p(top "
        "| level) from 1 to 5 of the others, and how often at least M of N labels, the first "
        "included, are top, beside the weight the model predicts; mean and standard deviation over "
        "the repeats. All labels of an item count, an assessor's repeated ones, too. The facet is "
        "that of the file, or page where it has both."
    )
    add_label_files(parser)
    parser.add_argument(
        "--top",
        required=True,
        metavar="LEVEL",
        help="the top level, by number or, with --scale, by name",
    )
    parser.add_argument(
        "--min-labels",
        type=parse_count(2),
        default=6,
        metavar="N",
        help="leave out items with fewer labels (default 6)",
    )
    parser.add_argument(
        "--repeats",
        type=parse_count(1),
        default=50,
        metavar="R",
        help="how often to draw (default 50)",
    )
    parser.add_argument(
        "--group-by",
        choices=tuple(GROUPINGS),
        default="topic",
        help="an item is a document of one topic (default), or of all topics together; then the "
        "gold label of a document is that of its first topic",
    )
    add_seed(parser)
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print the model's predictions beside what is observed in a label file."""
    labels = read_label_files(arguments)
    facet = arguments.facet or (labels.facets[0] if len(labels.facets) == 1 else PAGE)
    top = labels.level(arguments.top, facet)
    coded = code_repeated_labels(
        labels.frame, facet, labels.levels(facet), group_by=arguments.group_by
    )
    draws = draw_labels(
        coded,
        top,
        min_labels=arguments.min_labels,
        others=_OTHERS,
        repeats=arguments.repeats,
        rng=new_rng(arguments.seed),
    )
    if arguments.format == "json":
        print_json(_make_content(top, draws, arguments))
    else:
        _print_tables(top, draws, arguments)
    return 0


def _make_content(top: int, draws: Draws, arguments: Namespace) -> dict[str, Any]:
    chosen = ("min_labels", "repeats", "group_by", "seed")
    fit = assess_fit(verify_weights(draws), top, draws.items)
    return {
        "top": top,
        "items": draws.items,
        "fit": None if fit is None else asdict(fit),
        **{name: getattr(arguments, name) for name in chosen},
        "p": _make_entries(verify_probability(draws)),
        "weights": _make_entries(verify_weights(draws)),
    }


def _make_entries(table: pd.DataFrame) -> list[dict[str, Any]]:
    rows = table.drop(columns="reason").to_dict("records")
    return [
        with_reason({str(name): value for name, value in row.items()}, reason)
        for row, reason in zip(rows, table["reason"], strict=True)
    ]


def _print_tables(top: int, draws: Draws, arguments: Namespace) -> None:
    print(
        f"top {top}; {draws.items:,} items with {arguments.min_labels} or more labels; "
        f"mean ± sd of {arguments.repeats} repeats\n"
    )
    chances = [
        [str(row["level"]), row["n"], _spread(row["mean"], row["sd"]), row["reason"]]
        for row in verify_probability(draws).to_dict("records")
    ]
    print(format_table(["level", "others", "p(top|level)", ""], chances) + "\n")
    if fit := assess_fit(verify_weights(draws), top, draws.items):
        print(f"model holds: {fit.verdict}; mean difference {fit.difference:.3f}\n")
    weights = [
        [
            str(row["level"]),
            f"{row['at_least']} of {row['users']}",
            _spread(row["observed"], row["sd"]),
            row["predicted"],
            row["reason"],
        ]
        for row in verify_weights(draws).to_dict("records")
        if row["predicted"] not in (0, 1)
    ]
    print(format_table(["level", "at least", "observed", "predicted", ""], weights))


def _spread(mean: float, sd: float) -> str:
    return format_cell(mean) if np.isnan(sd) else f"{mean:.3f} ± {sd:.3f}"
