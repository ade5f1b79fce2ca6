"""``dissent weights``: weights of levels for users who want top results only."""

from argparse import Namespace
from typing import Any

import pandas as pd

from core.agreement.ratings import ratings_from_labels
from core.collection.records import FACETS, PAGE, SNIPPET
from core.command.arguments.shared import parse_list
from core.command.files.label_files import LabelFile, read_label_files
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.tables import format_cell, format_interval, format_table
from core.disagreement.combined import combined_ratings
from core.errors import BadInput
from core.reports.level_weights import weigh_levels, weigh_pairs
from core.reports.user_model import UserModel


def run(arguments: Namespace) -> int:
    """Print the weights of the levels in a label file."""
    if arguments.combined and arguments.facet:
        arguments.parser.error("--combined uses both facets; leave --facet out")
    labels = read_label_files(arguments)
    weigh = _weigh_pairs if arguments.combined else _weigh_levels
    top, table = weigh(labels, arguments)
    if arguments.format == "json":
        print_json(_make_content(top, table, arguments))
    else:
        _print_table(top, table, arguments)
    return 0


def _model(arguments: Namespace, top: int) -> UserModel:
    weighting = "pairs" if arguments.pairs else "item"
    users, at_least = arguments.users, arguments.at_least
    return UserModel(top, users, at_least, weighting, arguments.keep_lowest)


def _weigh_levels(labels: LabelFile, arguments: Namespace) -> tuple[Any, pd.DataFrame]:
    """Return the top level and a row for each level."""
    facet = arguments.facet or (labels.facets[0] if len(labels.facets) == 1 else PAGE)
    top = labels.level(arguments.top, facet)
    ratings = ratings_from_labels(labels.frame, facet, labels.levels(facet))
    return top, weigh_levels(ratings, _model(arguments, top))


def _weigh_pairs(labels: LabelFile, arguments: Namespace) -> tuple[Any, pd.DataFrame]:
    """Return the top pair and a row for each pair of levels, by falling weight."""
    texts = parse_list(arguments.top)
    if len(texts) not in (1, len(FACETS)):
        raise BadInput("the top is one level or SNIPPET,PAGE", field="top")
    snippet, page = labels.level(texts[0], SNIPPET), labels.level(texts[-1], PAGE)
    combined = combined_ratings(labels.frame, labels.levels(SNIPPET), labels.levels(PAGE))
    model = _model(arguments, page)
    table = weigh_pairs(combined, (snippet, page), model)
    if combined.unpaired:
        print_notes(
            [f"snippet labels without a page label by their assessor: {combined.unpaired:,}"]
        )
    table["level"] = pd.Series(zip(table["snippet"], table["page"], strict=True), dtype="object")
    return (snippet, page), table


def _make_content(top: Any, table: pd.DataFrame, arguments: Namespace) -> dict[str, Any]:
    names = ["level", "cases", "top_cases", "pairs", "p", "low", "high"]
    names += [name for name in ("weight", "weight_low", "weight_high", "few") if name in table]
    levels = [
        with_reason(
            {name: row[name] for name in names}
            | {"interval": {"method": "jackknife", "unit": "topic", "n": row["topics"]}},
            row["reason"],
        )
        for row in table.to_dict("records")
    ]
    settings = {name: getattr(arguments, name) for name in ("users", "at_least", "keep_lowest")}
    return {"top": top, **settings, "levels": levels}


def _print_table(top: Any, table: pd.DataFrame, arguments: Namespace) -> None:
    rows = [
        [
            _name(row["level"]),
            format_cell(row["cases"], 1),
            format_cell(row["top_cases"], 1),
            _estimate(row),
            row["weight"],
            row["reason"],
        ]
        for row in table.to_dict("records")
    ]
    print(
        f"top {_name(top)}; weight: at least {arguments.at_least} of {arguments.users} "
        f"users find it top\n"
    )
    header = ["level", "cases", "top cases", "p(top | level) [95 %]", "UDM weight", ""]
    print(format_table(header, rows, title="Weights of levels"))
    print("95 % limits over topics, by the jackknife; in brackets under 50 cases or 5 topics")


def _estimate(row: dict[Any, Any]) -> str:
    shown = format_interval(row["p"], row["low"], row["high"])
    return f"({shown})" if row["few"] and row["cases"] else shown


def _name(level: Any) -> str:
    return ", ".join(map(str, level)) if isinstance(level, tuple) else str(level)
