"""``dissent weights``: weights of levels for users who want top results only."""

from argparse import Namespace
from typing import Any

from core.collection.records import FACETS, PAGE, SNIPPET
from core.command.arguments.shared import parse_list
from core.command.files.label_files import LabelFile, read_label_files
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.recording import print_data
from core.command.printing.reports import format_report_table
from core.disagreement.combined import combined_ratings
from core.errors import BadInput
from core.reports.level_weights import (
    FEW,
    CombinedWeights,
    LevelWeights,
    PairLabels,
    WeightsQuestion,
    read_levels,
)
from core.reports.report import stack_tables
from core.reports.user_model import UserModel
from core.wording import drop_marks

Found = LevelWeights | CombinedWeights


def run(arguments: Namespace) -> int:
    """Print the weights of the levels in a label file."""
    if arguments.combined and arguments.facet:
        arguments.parser.error("--combined uses both facets; leave --facet out")
    labels = read_label_files(arguments)
    found = (_ask_pairs if arguments.combined else _ask_levels)(labels, arguments)
    print_notes(found.notes)
    name = next(iter(found.tables))
    if arguments.format == "json":
        _print_json(found, name, arguments)
    elif arguments.format == "csv":
        print_data(stack_tables({name: found.table(name)}))
    else:
        _print_table(found, name)
    return 0


def _model(arguments: Namespace, top: int) -> UserModel:
    weighting = "pairs" if arguments.pairs else "item"
    users, at_least = arguments.users, arguments.at_least
    return UserModel(top, users, at_least, weighting, arguments.keep_lowest)


def _ask_levels(labels: LabelFile, arguments: Namespace) -> LevelWeights:
    facet = arguments.facet or (labels.facets[0] if len(labels.facets) == 1 else PAGE)
    model = _model(arguments, labels.level(arguments.top, facet))
    own = read_levels(labels.frame, facet, labels.levels(facet), labels.names(facet))
    return LevelWeights(own, WeightsQuestion(model))


def _ask_pairs(labels: LabelFile, arguments: Namespace) -> CombinedWeights:
    texts = parse_list(arguments.top)
    if len(texts) not in (1, len(FACETS)):
        raise BadInput("the top is one level or SNIPPET,PAGE", field="top")
    snippet, page = labels.level(texts[0], SNIPPET), labels.level(texts[-1], PAGE)
    combined = combined_ratings(labels.frame, labels.levels(SNIPPET), labels.levels(PAGE))
    question = WeightsQuestion(_model(arguments, page), other_top=snippet)
    names = {facet: labels.names(facet) for facet in FACETS}
    return CombinedWeights(PairLabels(combined, names=names), question)


def _list_rows(found: Found, name: str) -> list[dict[Any, Any]]:
    """Return the rows, each with its ``level``, or two of them."""
    rows = found.table(name).to_dict("records")
    return [
        {**row, "level": row["level"] if "level" in row else [row["snippet"], row["page"]]}
        for row in rows
    ]


_LISTED = (
    "level", "name", "cases", "top_cases", "pairs", "p", "low", "high",
    "weight", "weight_low", "weight_high", "page_weight", "linear", "exp", "few",
)  # fmt: skip


def _print_json(found: Found, name: str, arguments: Namespace) -> None:
    levels = [
        with_reason(
            {one: row[one] for one in _LISTED if one in row}
            | {"interval": found.describe_interval(name, row)},
            row["reason"],
        )
        for row in _list_rows(found, name)
    ]
    settings = {one: getattr(arguments, one) for one in ("users", "at_least", "keep_lowest")}
    top = found.top if isinstance(found, CombinedWeights) else found.model.top
    print_json({"answer": drop_marks(found.answer), "top": top, **settings, "levels": levels})


def _print_table(found: Found, name: str) -> None:
    print(drop_marks(found.answer) + "\n")
    print(format_report_table(found, name))
    model = found.model
    print(f"weight: at least {model.at_least} of {model.users} users find it top; few: of {FEW}")
