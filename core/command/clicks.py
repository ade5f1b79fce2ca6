"""``dissent clicks``: what users' clicks say, beside position and beside people's levels."""

import csv
import io
from argparse import Namespace
from collections.abc import Callable
from typing import Any

import pandas as pd

from core.analysis.clicks.logs import log_of_import
from core.clicks.click_log import ClickLog
from core.clicks.click_model import CLICK_MODELS, parse_click_model
from core.clicks.likelihood import EXAMINATION
from core.collection.files.numbers import parse_number
from core.collection.files.source import Source
from core.command.arguments.clicks import EVERY
from core.command.files.reading import open_source, read_files
from core.command.files.weight_files import read_weights
from core.command.printing.output import print_json, print_notes
from core.command.printing.reports import format_report_table, list_rows, print_csv
from core.errors import BadInput, TooLittleData
from core.reports.clicks import (
    BASELINE,
    USUAL,
    ClickAnalysis,
    ClickQuestion,
    analyse_clicks,
    name_level,
)
from core.wording import count, drop_marks

SHOWN = 20
"""Rows of a table for people; JSON has them all."""


def run(arguments: Namespace) -> int:
    """Print what the clicks say."""
    question = ClickQuestion(
        _choose_models(arguments), arguments.cut, arguments.folds, arguments.seed
    )
    report = analyse_clicks(
        read_click_log(arguments),
        question,
        read_judgements(arguments.judgements) if arguments.judgements else None,
        weights=read_weights(arguments.weights) if arguments.weights else None,
        preferences=_read_preferences(arguments.preferences) if arguments.preferences else None,
    )
    print_notes(report.notes)
    if arguments.format == "json":
        print_json(_make_content(report))
    elif arguments.format == "csv":
        print_csv([({}, report, report.offered)])
    else:
        _print_tables(report)
    return 0


def _choose_models(arguments: Namespace) -> tuple[str, ...]:
    """Return the models that are named; all that suit stand for all, the usual ones first."""
    models: list[str] = []
    for text in arguments.models or USUAL.models:
        names = sorted(CLICK_MODELS.suggested(), key=lambda one: one not in USUAL.models)
        suiting = [
            one for one in names if arguments.judgements or not parse_click_model(one).needs_levels
        ]
        models += suiting if text == EVERY else [text]
    return tuple(models)


def _read_preferences(path: str) -> pd.DataFrame:
    sources = [open_source(path)]
    return read_files("preferences", sources).frames["preferences"]


def _count(report: ClickAnalysis) -> dict[str, int]:
    log = report.log
    return {
        "sessions": len(pd.unique(log.session)),
        "pages": len(log),
        "clicks": int(log.clicked.sum()),
    }


def _print_tables(report: ClickAnalysis) -> None:
    """Print the answer, and then each table with what it comes to."""
    print(drop_marks(report.answer))
    print(
        ", ".join(count(number, what.removesuffix("s")) for what, number in _count(report).items())
    )
    for name in report.offered:
        table = format_report_table(report, name, most=SHOWN)
        if parts := [one for one in (table, drop_marks(report.tell(name))) if one]:
            print("\n".join(["", report.tables[name].title, *parts]))


def _make_content(report: ClickAnalysis) -> dict[str, Any]:
    """Return everything, unrounded."""
    content = {
        **_count(report),
        "ctr_by_rank": report.by_rank["value"].tolist(),
        "ctr_by_level": {},
        "rates_by_rank": list_rows(report, "by_rank"),
        "baseline": str(BASELINE),
        "answer": drop_marks(report.answer),
        **_try("models_answer", lambda: report.held_out.answer),
        **_try("models", lambda: _list_models(report)),
        "lift": list_rows(report, "lift") if "lift" in report.offered else [],
    }
    if report.levels is None:
        return content
    by_level = report.by_level.to_dict("records")
    content |= {
        "ctr_by_level": {name_level(row["level"]): row["value"] for row in by_level},
        "rates_by_level": list_rows(report, "by_level"),
        "rates_by_level_and_rank": list_rows(report, "by_level_and_rank"),
        "attractiveness_model": str(report.leading),
        "attractiveness_by_level": list_rows(report, "attractiveness"),
    }
    for name, make in (
        ("contradictions", lambda: _describe_contradictions(report)),
        ("predicting", lambda: list_rows(report, "predicted")),
    ):
        content |= _try(name, make)
    return content


def _try(name: str, make: Callable[[], Any]) -> dict[str, Any]:
    """Return a part of what is told; null, with the reason beside it, where data do not suffice."""
    try:
        return {name: make()}
    except TooLittleData as error:
        return {name: None, f"{name}_reason": str(error)}


def _describe_contradictions(report: ClickAnalysis) -> dict[str, Any]:
    found = report.contradictions
    numbers = ("cut", "compared", "high_mean", "low_mean")
    items = found.frame.to_dict("records")
    return {**{name: getattr(found, name) for name in numbers}, "items": items}


def _list_models(report: ClickAnalysis) -> list[dict[str, Any]]:
    ranks, entries = report.perplexity, []
    for entry in list_rows(report, "models"):
        name = entry["model"]
        own, fit = ranks[ranks["model"] == name].sort_values("rank"), report.fits[name]
        examination = fit.parameters.get(EXAMINATION)
        entries.append(
            {
                **entry,
                "perplexity_by_rank": own["perplexity"].tolist(),
                "conditional_by_rank": own["conditional"].tolist(),
                "examination": None if examination is None else examination.tolist(),
                "fitted_log_likelihood": fit.log_likelihood,
                "steps": fit.steps,
                "converged": fit.converged,
                "cannot_tell": [one.what for one in report.unknown[name]],
            }
        )
    return entries


_NAMES = {
    "topic_id": ("topic", "topic_id", "query", "query_id"),
    "document_id": ("document", "document_id", "doc"),
    "level": ("level", "grade", "relevance"),
}
"""How the columns of a table of judgements may be called."""


def read_click_log(arguments: Namespace) -> ClickLog:
    """Return the log; what was left out is told on stderr."""
    sources = [open_source(path) for path in arguments.logs]
    lenient = not arguments.strict
    imported = read_files("clicks", sources, lenient=lenient)
    return log_of_import(imported)


def read_judgements(path: str) -> pd.DataFrame:
    """Return ``topic_id, document_id, level`` of TREC qrels, or of a table with a header.

    Raises
    ------
    BadInput
        It is neither; names the file and the line.
    """
    source = open_source(path)
    header = source.text.split("\n", 1)[0].removesuffix("\r")
    mark = "\t" if "\t" in header else ","
    columns = _find_columns(next(csv.reader([header], delimiter=mark), []))
    if len(columns) == len(_NAMES):
        return _read_table(source, mark, columns)
    frame = read_files("qrels", [source]).frames["qrels"]
    return frame[list(_NAMES)]


def _find_columns(header: list[str]) -> dict[str, int]:
    """Return where each column of judgements stands in a header."""
    words = [word.strip().lower() for word in header]
    return {
        name: words.index(word) for name, known in _NAMES.items() for word in known if word in words
    }


def _read_table(source: Source, mark: str, columns: dict[str, int]) -> pd.DataFrame:
    reader = csv.reader(io.StringIO(source.text, newline=""), delimiter=mark)
    next(reader)
    rows = []
    for row in reader:
        if not row:
            continue
        if len(row) <= max(columns.values()):
            reason = "has too few cells; expected a topic, a document and a level"
            raise BadInput(reason, file=source.name, line=reader.line_num)
        topic, document, level = (row[columns[name]].strip() for name in _NAMES)
        value = parse_number(level)
        if value != value:
            reason = f"'{level}' is not a level: write a number"
            raise BadInput(reason, file=source.name, line=reader.line_num)
        rows.append((topic, document, value))
    frame = pd.DataFrame(rows, columns=list(_NAMES))
    return frame.astype({"topic_id": "str", "document_id": "str", "level": float})
