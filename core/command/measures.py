"""``dissent measures``: what there is to score by, its parameters, and its other names."""

import inspect
from argparse import Namespace
from typing import Any

from core.command.printing.output import print_json
from core.command.printing.tables import Cell, format_table
from core.measures.base import MEASURES, Measure
from core.measures.catalogue import find_kind, parse_measure
from core.measures.names import list_other_names


def run(arguments: Namespace) -> int:
    """Print the measures, or one of them."""
    kinds = list(MEASURES) if arguments.name is None else [find_kind(arguments.name)]
    if arguments.format == "json":
        print_json({"measures": [_describe(kind) for kind in kinds]})
        return 0
    rows: list[list[Cell]] = [
        [
            kind.name,
            kind.description,
            (kind.suggested or kind.examples)[0],
            ", ".join(list_other_names(kind.name)),
        ]
        for kind in kinds
    ]
    header = ["measure", "what", "written, say", "also called"]
    print(format_table(header, rows, title="Measures"))
    if arguments.name is not None:
        _explain(kinds[0], arguments.name)
    return 0


def _describe(kind: type[Measure]) -> dict[str, Any]:
    return {
        "name": kind.name,
        "description": kind.description,
        "reference": kind.reference,
        "examples": list(kind.examples),
        "other_names": list(list_other_names(kind.name)),
        "explanation": inspect.getdoc(kind) or "",
    }


def _explain(kind: type[Measure], asked: str) -> None:
    """Print what a measure's own text says of it."""
    print(f"\n{inspect.getdoc(kind)}\n\nSource: {kind.reference}\nExamples: ", end="")
    print(*kind.examples, sep=", ")
    if asked != kind.name:
        print(f"'{asked}' is {_read(asked, kind)} here")


def _read(asked: str, kind: type[Measure]) -> str:
    return str(parse_measure(asked)) if asked not in list_other_names(kind.name) else kind.name
