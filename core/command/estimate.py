"""``dissent estimate``: mean scores from few topics that people judged and many a machine did."""

from argparse import Namespace
from typing import Any

from core.command.files.score_files import (
    read_measures,
    read_runs,
    read_score_weights,
    read_several_judgements,
)
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.recording import print_data
from core.command.printing.reports import format_report_table
from core.reports.estimate import (
    ESTIMATES,
    POWERED,
    EstimateQuestion,
    Estimation,
    estimate_scores,
)
from core.reports.report import stack_tables
from core.wording import drop_marks

SHOWN = 20
"""Rows of differences in a table; JSON has them all."""


def run(arguments: Namespace) -> int:
    """Print the estimates."""
    paths = arguments.human, arguments.machine
    judged = read_several_judgements(paths, arguments)
    found = estimate_scores(
        read_runs(arguments),
        judged[arguments.human],
        judged[arguments.machine].frame,
        read_measures(arguments),
        EstimateQuestion(arguments.finite, arguments.normal, arguments.empty_topics),
        read_score_weights(arguments),
    )
    print_notes(found.notes)
    if arguments.format == "json":
        _print_json(found, arguments)
    elif arguments.format == "csv":
        print_data(stack_tables({name: found.table(name) for name in found.tables}))
    else:
        _print_tables(found)
    return 0


def _print_json(found: Estimation, arguments: Namespace) -> None:
    print_json(
        {
            "answer": drop_marks(found.answer),
            "form": "normal" if arguments.normal else "t",
            "finite": arguments.finite,
            "estimates": ESTIMATES,
            "systems": _list(found, "systems", ["system"]),
            "differences": _list(found, "differences", ["first", "second"]),
            "curve": found.widths.rename(columns={"powered": POWERED}).to_dict("records"),
        }
    )


def _list(found: Estimation, table: str, names: list[str]) -> list[dict[str, Any]]:
    """Return an entry for each of the names, with every way to estimate it."""
    entries = []
    for _, own in found.table(table).groupby(["measure", *names], sort=False):
        first = own.iloc[0]
        entry = {name: first[name] for name in ("measure", *names, "n_human", "n_machine")}
        for row in own.to_dict("records"):
            value = {name: row[name] for name in ("value", "low", "high")}
            value |= {"lambda": row["power"]} if row["estimate"] == POWERED else {}
            value["interval"] = found.describe_interval(table, row)
            entry[row["estimate"]] = with_reason(value, row["reason"])
        entries.append(entry)
    return entries


def _print_tables(found: Estimation) -> None:
    """Print what is told, systems, differences and widths, by measure."""
    for measure in found.systems["measure"].unique():
        print(drop_marks(found.tell(measure)) + "\n")
        for name, most in (("systems", None), ("differences", SHOWN), ("widths", None)):
            rows = found.table(name)
            own, title = rows[rows["measure"] == measure], found.tables[name].title
            options = {} if most is None else {"most": most}
            table = format_report_table(found, name, own, title=f"{title}, {measure}", **options)
            if table:
                print(f"{table}\n")
