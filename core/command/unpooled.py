"""``dissent unpooled``: what a run would have lost that had not contributed to the pool."""

from argparse import Namespace

from core.collection.qrels_and_runs.teams import read_teams
from core.command.files.reading import open_source
from core.command.files.score_files import (
    read_judgements,
    read_measures,
    read_runs,
    read_score_weights,
)
from core.command.printing.output import print_json, print_notes, show_progress
from core.command.printing.recording import print_data
from core.command.printing.reports import format_report_table
from core.comparison.choices import LEFT_OUT_TEST
from core.comparison.left_out_runs import teams_by_prefix
from core.reports.report import stack_tables
from core.reports.unpooled import Unpooled, UnpooledQuestion
from core.wording import drop_marks


def run(arguments: Namespace) -> int:
    """Print what each run would have lost."""
    runs = read_runs(arguments)
    teams: dict[str, str] = {}
    if arguments.team_letters:
        teams = teams_by_prefix(list(map(str, runs["system"].unique())), arguments.team_letters)
    elif arguments.teams:
        teams = read_teams(open_source(arguments.teams))
    measures = tuple(map(str, read_measures(arguments)))
    found = Unpooled(
        runs,
        read_judgements(arguments.qrels, arguments),
        UnpooledQuestion(measures, arguments.depth, tuple(teams.items()), arguments.alpha),
        read_score_weights(arguments),
        lambda share: show_progress(share, "scoring without each team"),
    )
    _ = found.found
    show_progress(1.0, "")
    print_notes(found.notes)
    if arguments.format == "json":
        _print_json(found)
    elif arguments.format == "csv":
        print_data(stack_tables({name: found.table(name) for name in found.tables}))
    else:
        _print_tables(found)
    return 0


def _print_json(found: Unpooled) -> None:
    print_json(
        {
            "answer": drop_marks(found.answer),
            "depth": found.depth,
            "test": LEFT_OUT_TEST,
            "summary": found.summary.to_dict("records"),
            "runs": found.falls.to_dict("records"),
            "teams": found.shares.to_dict("records"),
        }
    )


def _print_tables(found: Unpooled) -> None:
    print(f"Pool: the first {found.depth:,} of each run")
    for measure, own in found.falls.groupby("measure", sort=False):
        title = f"{found.tables['falls'].title}, {measure}"
        print("\n" + drop_marks(found.answer_by(str(measure))))
        print("\n" + format_report_table(found, "falls", own, title=title))
    print("\n" + format_report_table(found, "shares"))
