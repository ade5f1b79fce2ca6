"""``dissent curves``: precision by recall, and gain by rank."""

from argparse import Namespace

from core.command.files.score_files import read_judgements, read_runs, read_score_weights
from core.command.printing.output import print_json, print_notes
from core.command.printing.reports import list_rows, print_csv, print_tables
from core.reports.curves import CurvesQuestion, RankingCurves
from core.reports.scores import judge_runs
from core.wording import drop_marks


def run(arguments: Namespace) -> int:
    """Print the curves of runs."""
    given = judge_runs(
        read_runs(arguments),
        read_judgements(arguments.qrels, arguments),
        weights=read_score_weights(arguments),
    )
    asked = arguments.measure, arguments.level, arguments.depth, arguments.average
    report = RankingCurves(given, CurvesQuestion(*asked))
    print_notes(report.notes)
    names = [
        name
        for name, table in report.tables.items()
        if arguments.per_topic or "topic_id" not in table.columns
    ]
    if arguments.format == "json":
        content = {"answer": drop_marks(report.answer), "qrels": arguments.qrels}
        print_json(content | {name: list_rows(report, name, _CALLED) for name in names})
    elif arguments.format == "csv":
        print_csv([({}, report, names)])
    else:
        print(drop_marks(report.answer))
        print_tables(report, names)
    return 0


_CALLED = {"topic_id": "topic"}
"""What columns are called in JSON."""
