"""``dissent groups``: whether groups of assessors rank systems differently."""

from argparse import Namespace

import pandas as pd

from core.collection.files.columns import FileColumn
from core.collection.files.tables import read_table
from core.command.files.label_files import LabelFile, read_label_files
from core.command.files.reading import open_source, read_files
from core.command.files.score_files import read_score_weights
from core.command.files.topic_files import read_topic_ids
from core.command.printing.output import print_json, print_notes, show_progress
from core.command.printing.reports import list_answers, list_rows, print_csv, print_tables
from core.measures.catalogue import parse_measure
from core.reports.groups import GroupRankings, GroupsQuestion, read_group_labels, read_rule
from core.wording import drop_marks


def run(arguments: Namespace) -> int:
    """Print whether groups of the assessors in a label file judge differently."""
    labels = read_label_files(arguments)
    facets = [arguments.facet] if arguments.facet else labels.facets
    named = [({"facet": facet}, _ask(labels, facet, arguments)) for facet in facets]
    asked = list(GroupRankings.tables)
    for _, one in named:
        print_notes(one.notes)
    if arguments.format == "json":
        rows = {
            name: [about | row for about, one in named for row in list_rows(one, name)]
            for name in asked
        }
        print_json({"answers": list_answers(named), **rows})
    elif arguments.format == "csv":
        print_csv((about, one, asked) for about, one in named)
    else:
        for about, one in named:
            print(f"{about['facet']}: {drop_marks(one.answer)}")
            print_tables(one, asked)
            print()
    return 0


def _ask(labels: LabelFile, facet: str, arguments: Namespace) -> GroupRankings:
    people = _read_people(arguments.people, arguments.by) if arguments.people else None
    given = read_group_labels(
        labels.frame, facet, labels.levels(facet), people, arguments.by, labels.names(facet)
    )
    question = GroupsQuestion(
        arguments.by,
        arguments.personal,
        str(parse_measure(arguments.measure)),
        read_rule(arguments.version, facet),
        arguments.users,
        arguments.at_least,
        arguments.alpha,
        arguments.permutations,
        arguments.seed,
    )
    sources = [open_source(path) for path in arguments.runs or ()]
    runs = read_files("runs", sources).frames["runs"] if sources else None
    topics = read_topic_ids(arguments.topics) if arguments.topics else ()
    return GroupRankings(
        given,
        runs,
        question,
        read_score_weights(arguments),
        topics,
        progress=lambda share: show_progress(share, facet),
    )


def _read_people(path: str, by: str) -> pd.DataFrame:
    """Return who is in which group, by a file with a row for each assessor."""
    columns = (
        FileColumn("assessor_id", ("assessor", "person", "name"), required=True),
        FileColumn(by.strip().lower(), (), required=True, blank=True),
    )
    table = read_table(open_source(path), columns)
    return table.frame.rename(columns={by.strip().lower(): by})
