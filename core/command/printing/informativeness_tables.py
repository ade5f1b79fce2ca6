"""What ``dissent informativeness`` prints: JSON for programs, tables for people."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pandas as pd

from core.command.printing.output import print_json, with_reason
from core.command.printing.reports import format_report_table
from core.command.printing.tables import Cell, format_table
from core.informativeness.inference import Inferred
from core.numerals import ABSENT
from core.reports.informativeness import Informativeness
from core.wording import drop_marks

Facts = Mapping[str, Any]

NO_CURVE = "every ranking is without a relevant document or without a solution"
NOTED = 10

INFERENCE = {"tau": "Kendall's τ-b", "rmsr": "RMSR", "mare": "MARE"}


def print_informativeness_json(found: Informativeness, facts: Facts) -> None:
    """Print everything, unrounded."""
    print_json(
        {
            **facts,
            "answer": drop_marks(found.answer),
            "verdict": found.verdict,
            "statuses": found.statuses.to_dict("records"),
            "problems": _list_problems(found),
            "curve_errors": [
                with_reason(row, NO_CURVE if row["rms"] != row["rms"] else "")
                for row in _records(found.curve_errors)
            ],
            "inference": [_explain(row) for row in _records(found.inference)],
        }
    )


def print_informativeness_tables(found: Informativeness, facts: Facts) -> None:
    """Print the verdict and the tables of Ashkan & Clarke (2011)."""
    print(
        f"topics: {facts['topics']}, systems: {facts['systems']}, depth {facts['depth']}, relevant "
        f"from {facts['level']:g}, recursion {facts['recursion']}; qrels {facts['qrels']} (content "
        f"{str(facts['content_hash'])[:12]})\n"
    )
    for sentence in found.verdict:
        print(f"- {sentence}")
    errors = _name(found, found.curve_errors)
    print("\nerror of the inferred precision at the ranks of relevant documents")
    print(format_report_table(found, "curve_errors", errors))
    if len(found.inference):
        print("\nother measures (across) inferred from one measure's value (down)")
        print(_write_inference(found))
    print("\ninference problems by outcome\n" + _write_statuses(found))


def _name(found: Informativeness, rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with the short names of measures."""
    return rows.assign(measure=rows["measure"].map(found.names))


def _list_problems(found: Informativeness) -> list[dict[str, Any]]:
    intents = [names for each in found.study.inferred for names in _list_intents(each)]
    renamed = found.problems.rename(columns={"topic_id": "topic"})
    return [
        _explain({**row, "intents": names})
        for row, names in zip(_records(renamed), intents, strict=True)
    ]


def _list_intents(inferred: Inferred) -> list[list[str]]:
    """Return the names of the intents whose probabilities each problem lists."""
    labels = inferred.labels
    names = [labels.intents[at] for at in labels.intent.tolist()]
    ends = [*labels.starts.tolist(), len(names)]
    return [names[start:end] for start, end in pairwise(ends)]


def _explain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its reason only where there is one."""
    kept = dict(row)
    return with_reason(kept, kept.pop("reason"))


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def _write_inference(report: Informativeness) -> str:
    names, found = report.names, report.inference.set_index(["target", "measure"])
    parts = []
    for column, title in INFERENCE.items():
        known: dict[Any, float] = found[column].to_dict()
        rows: list[list[Cell]] = [
            [name, *(known.get((target, measure)) for measure in names)]
            for target, name in names.items()
        ]
        caption = f"Other measures (across) inferred from one (down), {title}"
        parts.append(format_table([title, *names.values()], rows, title=caption))
    reasons = [f"{ABSENT} {reason}" for reason in found["reason"].unique() if reason]
    return "\n\n".join([*parts, *(["\n".join(reasons)] if reasons else [])])


def _write_statuses(found: Informativeness) -> str:
    lost = [row for row in _records(found.problems) if row["reason"]]
    notes = [
        f"{found.names[row['measure']]}, {row['system']}, topic {row['topic_id']}: {row['reason']}"
        for row in lost[:NOTED]
    ]
    if len(lost) > NOTED:
        notes.append(f"and {len(lost) - NOTED:,} more, all in --format json")
    table = format_report_table(found, "statuses", _name(found, found.statuses))
    return "\n".join([table, *notes])
