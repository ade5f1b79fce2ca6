"""``dissent evaluate``: the scores of runs against one or several qrels."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.command.files.score_files import (
    read_measures,
    read_runs,
    read_score_weights,
    read_several_judgements,
    shorten_paths,
)
from core.command.printing.output import print_json, print_notes
from core.command.printing.recording import print_data
from core.command.printing.reports import format_report_table
from core.reports.report import stack_tables
from core.reports.scores import Scores, ScoresQuestion, describe_means, judge_runs
from core.wording import drop_marks


def run(arguments: Namespace) -> int:
    """Print the scores of runs."""
    if arguments.format == "trec_eval" and len(arguments.qrels) > 1:
        arguments.parser.error("the trec_eval format cannot show several qrels")
    weights, runs = read_score_weights(arguments), read_runs(arguments)
    question = ScoresQuestion(tuple(map(str, read_measures(arguments))), arguments.empty_topics)
    paths = dict.fromkeys(arguments.qrels)
    judged = read_several_judgements(paths, arguments, sampled=True)
    reports = {
        path: Scores(judge_runs(runs, judged[path], path, weights), question) for path in paths
    }
    for report in reports.values():
        print_notes(report.notes)
    asked = ["means", "by_topic"] if arguments.per_topic else ["means"]
    _PRINT.get(arguments.format, _print_tables)(reports, asked)
    return 0


def _print_json(reports: dict[str, Scores], asked: Sequence[str]) -> None:
    entries: list[dict[str, Any]] = []
    for path, report in reports.items():
        for name in reversed(asked):
            rows = report.table(name).to_dict("records")
            entries += [{"qrels": path, **describe_means(report, row)} for row in rows]
    answers = [
        {"qrels": path, "answer": drop_marks(report.answer)} for path, report in reports.items()
    ]
    print_json({"answers": answers, "scores": entries})


def _print_csv(reports: dict[str, Scores], asked: Sequence[str]) -> None:
    """Print one long table of all: a row says in ``qrels`` and ``table`` what it is of."""
    tables = []
    for path, report in reports.items():
        table = stack_tables({name: report.table(name) for name in asked})
        table.insert(0, "qrels", path)
        tables.append(table)
    print_data(pd.concat(tables, ignore_index=True))


def _print_trec_eval(reports: dict[str, Scores], asked: Sequence[str]) -> None:
    """Print lines as trec_eval does, four decimals and the topics before their mean."""
    (report,) = reports.values()
    means = report.means.assign(topic_id="all")
    parts = [report.by_topic, means] if "by_topic" in asked else [means]
    scores = pd.concat([one[["system", "topic_id", "measure", "value"]] for one in parts])
    for system, own in scores[scores["value"].notna()].groupby("system", sort=False):
        print(f"runid\tall\t{system}")
        for row in own.itertuples():
            print(f"{row.measure}\t{row.topic_id}\t{row.value:.4f}")


def _print_tables(reports: dict[str, Scores], asked: Sequence[str]) -> None:
    names = shorten_paths([*reports])
    for path, report in reports.items():
        if len(reports) > 1:
            print(f"\n{names[path]}")
        print(drop_marks(report.answer))
        for name in asked:
            rows = report.sort(report.table(name))
            title = f"{report.tables[name].title}, {names[path]}"
            print("\n" + format_report_table(report, name, rows, title=title))


_PRINT = {"json": _print_json, "trec_eval": _print_trec_eval, "csv": _print_csv}
