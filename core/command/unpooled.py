"""``dissent unpooled``: what a run would have lost that had not contributed to the pool."""

from argparse import Namespace

import pandas as pd

from core.analysis.results.unpooled import describe_unpooled, examine_unpooled
from core.collection.qrels_and_runs.teams import read_teams
from core.command.files.opening import open_source
from core.command.files.score_files import (
    read_judgements,
    read_measures,
    read_runs,
    read_score_weights,
)
from core.command.printing.output import print_json, show_progress
from core.command.printing.tables import Cell, format_table
from core.comparison.choices import LEFT_OUT_TEST
from core.comparison.left_out_runs import LeftOutRuns, teams_by_prefix


def run(arguments: Namespace) -> int:
    """Print what each run would have lost."""
    runs = read_runs(arguments)
    teams: dict[str, str] = {}
    if arguments.team_letters:
        teams = teams_by_prefix(list(map(str, runs["system"].unique())), arguments.team_letters)
    elif arguments.teams:
        teams = read_teams(open_source(arguments.teams))
    found = examine_unpooled(
        runs,
        read_judgements(arguments.qrels, arguments),
        read_measures(arguments),
        read_score_weights(arguments),
        depth=arguments.depth,
        teams=teams,
        progress=lambda share: show_progress(share, "scoring without each team"),
    )
    show_progress(1.0, "")
    if arguments.format == "json":
        _print_json(found)
    else:
        _print_tables(found)
    return 0


def _print_json(found: LeftOutRuns) -> None:
    print_json(
        {
            "depth": found.depth,
            "test": LEFT_OUT_TEST,
            "summary": found.summarise().to_dict("records"),
            "runs": found.falls.to_dict("records"),
            "teams": found.shares.to_dict("records"),
        }
    )


def _print_tables(found: LeftOutRuns) -> None:
    print(f"Pool: the first {found.depth:,} of each run")
    for measure, own in found.falls.groupby("measure", sort=False):
        print("\n" + describe_unpooled(found, str(measure)))
        print("\n" + _table_falls(own, str(measure)))
    print("\n" + _table_shares(found.shares))


def _table_falls(rows: pd.DataFrame, measure: str) -> str:
    rows = rows.sort_values(["rank_fall", "fall"], ascending=False, kind="stable")
    header = ["system", "team", measure, "without", "fall", "rank", "without", "ranks lost"]
    cells: list[list[Cell]] = [
        [
            *(row[name] for name in ("system", "team", "value", "without", "fall")),
            *(int(row[name]) for name in ("rank", "rank_without", "rank_fall")),
            f"{row['lost']:,} of {row['significant']:,}",
        ]
        for row in rows.to_dict("records")
    ]
    title = f"Scores with and without what only the run's team brought, {measure}"
    return format_table([*header, "significant differences lost"], cells, title=title)


def _table_shares(shares: pd.DataFrame) -> str:
    shares = shares.sort_values("share", ascending=False, kind="stable")
    cells: list[list[Cell]] = [
        [
            *(row["team"], int(row["systems"]), int(row["judged"]), int(row["alone"])),
            *(float(row["share"]), int(row["relevant"]), int(row["relevant_alone"])),
        ]
        for row in shares.to_dict("records")
    ]
    header = ["team", "runs", "judged", "brought alone", "share", "relevant", "brought alone"]
    return format_table(header, cells, title="Judged documents in the pool of each team")
