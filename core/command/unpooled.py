"""``dissent unpooled``: what a run would have lost that had not contributed to the pool."""

from argparse import ArgumentParser, Namespace

import pandas as pd

from core.analysis.results.unpooled import describe_unpooled, examine_unpooled
from core.collection.qrels_and_runs.teams import read_teams
from core.command.arguments import add_table_format, open_source, parse_count
from core.command.files.score_files import (
    add_run_files,
    read_measures,
    read_qrels,
    read_runs,
    read_score_weights,
)
from core.command.printing.output import print_json, show_progress
from core.command.printing.tables import Cell, format_table
from core.comparison.left_out_runs import TEST, LeftOutRuns, teams_by_prefix


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Builds the pool anew without each run in turn, or each team's runs, takes away the "
        "judgements that only it brought, and scores all runs with what is left: by how much the "
        "run falls in score and in rank, and how many significant differences it loses. So it "
        "would fare had it not contributed. Judged documents in nobody's pool stay."
    )
    parser.epilog = (
        "A fall below 0 is a rise: condensed lists (judged_only=True) leave unjudged documents out "
        "and tend to flatter runs that did not contribute, as standard measures tend to wrong "
        f"them. Significant differences are by {TEST}. Nothing is sampled: the figures are of "
        "these runs, topics and judgements, and have no limits."
    )
    parser.add_argument("--qrels", required=True, metavar="Q", help="TREC qrels")
    add_run_files(parser)
    parser.add_argument(
        "--depth",
        type=parse_count(1),
        metavar="K",
        help="how far down the runs were pooled; by default the last rank up to which, at every "
        "rank, nine in ten of the documents shown are judged",
    )
    teams = parser.add_mutually_exclusive_group()
    teams.add_argument(
        "--teams", metavar="FILE", help="lines 'system team'; others are teams of their own"
    )
    teams.add_argument(
        "--team-letters",
        type=parse_count(1),
        metavar="N",
        help="systems whose names begin with the same N characters are one team",
    )
    add_table_format(parser)


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
        read_qrels(arguments.qrels),
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
            "test": TEST,
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
