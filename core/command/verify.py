"""``dissent verify``: whether the model's weights hold where many judged the same item."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import pandas as pd

from core.collection.records import PAGE
from core.command.files.label_files import read_label_files
from core.command.files.reading import open_source, read_files
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.recording import print_data
from core.command.printing.reports import format_report_table
from core.disagreement.consistency import SELF
from core.errors import TooLittleData
from core.reports.report import stack_tables
from core.reports.verification import (
    ModelVerification,
    VerificationQuestion,
    read_verification,
    with_parts,
)
from core.wording import drop_marks

REDRAWING = "standard deviation over repeated draws of the same labels; no sampling error"

DRAWN = ("chances", "weights")
_FURTHER = {
    "mutual": ("mutual", "measures"),
    "consistency": ("repeats", "p"),
    "strata": ("parts", "parts"),
}
"""Which table is printed by which option, and what its rows are called in the JSON."""


def run(arguments: Namespace) -> int:
    """Print the model's predictions beside what is observed in a label file."""
    if arguments.strata and not (arguments.results or arguments.topics):
        arguments.parser.error("--strata needs --results or --topics")
    found = _ask(arguments)
    asked = [_FURTHER[name][0] for name in _FURTHER if getattr(arguments, name)]
    refused = _list_refused(found, [DRAWN[0], *asked])
    if DRAWN[0] in refused and not asked:
        raise refused[DRAWN[0]]
    print_notes([*found.notes, *map(str, refused.values())])
    tables = [name for name in (*DRAWN, *asked) if name not in refused]
    if DRAWN[0] in refused:
        tables.remove(DRAWN[1])
    if arguments.format == "json":
        _print_json(found, arguments, tables, refused)
    elif arguments.format == "csv":
        print_data(stack_tables({name: found.table(name) for name in tables}))
    else:
        _print_tables(found, tables, refused)
    return 0


def _ask(arguments: Namespace) -> ModelVerification:
    labels = read_label_files(arguments)
    facet = arguments.facet or (labels.facets[0] if len(labels.facets) == 1 else PAGE)
    question = VerificationQuestion(
        labels.level(arguments.top, facet),
        arguments.group_by,
        arguments.min_labels,
        arguments.repeats,
        arguments.seed,
    )
    found = read_verification(
        labels.frame, facet, question, labels.levels(facet), labels.names(facet)
    )
    results = topics = None
    if arguments.results:
        sources = [open_source(path) for path in arguments.results]
        results = read_files("results", sources).frames["results"]
    if arguments.topics:
        topics = read_files("topics", [open_source(arguments.topics)]).frames["topics"]
    return replace(found, labels=with_parts(found.labels, results, topics))


def _list_refused(found: ModelVerification, names: Sequence[str]) -> dict[str, TooLittleData]:
    """Return why labels do not do for tables, by name."""
    refused = {}
    for name in names:
        try:
            found.table(name)
        except TooLittleData as error:
            refused[name] = error
    return refused


def _print_json(
    found: ModelVerification,
    arguments: Namespace,
    tables: Sequence[str],
    refused: Mapping[str, TooLittleData],
) -> None:
    is_drawn = DRAWN[0] in tables
    fit = found.fit if is_drawn else None
    content: dict[str, Any] = {
        "answer": drop_marks(found.answer) if is_drawn else None,
        "top": found.top,
        "items": found.draws.items if is_drawn else 0,
        "fit": None if fit is None else asdict(fit),
        "min_labels": found.min_labels,
        **{name: getattr(arguments, name) for name in ("repeats", "group_by", "seed")},
        "sd_is": REDRAWING,
        "p": _list_rows(found, "chances") if is_drawn else [],
        "weights": _list_rows(found, "weights") if is_drawn else [],
    }
    for option, (table, rows) in _FURTHER.items():
        if table in tables:
            about = _ABOUT[option](found) if option in _ABOUT else {}
            content[option] = {**about, rows: _list_rows(found, table)}
        elif table in refused:
            content[option] = {rows: [], "reason": str(refused[table])}
    print_json(content)


def _describe_repeats(found: ModelVerification) -> dict[str, Any]:
    consistency = found.consistency
    return {
        "answer": drop_marks(found.consistency_answer),
        "items": consistency.items,
        "repeated": consistency.repeated,
        "samples": len(consistency.samples[SELF]),
        "apart": consistency.share_apart(found.top),
        "sd_is": REDRAWING,
    }


_ABOUT: dict[str, Callable[[ModelVerification], dict[str, Any]]] = {
    "mutual": lambda found: {"answer": drop_marks(found.mutual_answer)},
    "consistency": _describe_repeats,
}
_SENTENCES: dict[str, Callable[[ModelVerification], str]] = {
    "mutual": lambda found: found.mutual_answer,
    "repeats": lambda found: found.consistency_answer,
}
"""The sentence on a table that was asked for besides."""


def _list_rows(found: ModelVerification, name: str) -> list[dict[str, Any]]:
    """Return the rows as entries, with what their limits rest on."""
    table, entries = found.table(name), []
    for row in table.to_dict("records"):
        about = {"interval": found.describe_interval(name, row)} if "unit" in row else {}
        kept = {str(one): row[one] for one in row if one not in ("unit", "units", "reason")}
        entries.append(with_reason({**kept, **about}, row["reason"]))
    return entries


def _print_tables(
    found: ModelVerification, tables: Sequence[str], refused: Mapping[str, TooLittleData]
) -> None:
    if DRAWN[0] in tables:
        print(drop_marks(found.answer))
        print(
            f"{found.draws.items:,} items with {found.min_labels} or more labels; means of "
            f"{found.question.repeats} repeats, and their sd: of redrawing, no sampling error\n"
        )
    for name in tables:
        if name in _SENTENCES and (sentence := _SENTENCES[name](found)):
            print(drop_marks(sentence) + "\n")
        print(format_report_table(found, name, _select(found, name)) + "\n")
    for name, error in refused.items():
        if name != DRAWN[0]:
            print(f"{found.tables[name].title}: {error}")


def _select(found: ModelVerification, name: str) -> pd.DataFrame:
    """Return the rows for people: of weights those that the model does not know beforehand."""
    table = found.table(name)
    return table[~table["predicted"].isin([0, 1])] if name == "weights" else table
