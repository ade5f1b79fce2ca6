"""``dissent assessors``: how each assessor judges, beside the others and beside gold."""

from argparse import Namespace

import pandas as pd

from core.command.files.label_files import LabelFile, read_label_files
from core.command.files.reading import open_source, read_files
from core.command.files.score_files import read_score_weights
from core.command.files.topic_files import read_topic_ids
from core.command.printing.output import print_json, print_notes
from core.command.printing.reports import list_rows, print_csv, print_tables
from core.measures.catalogue import parse_measure
from core.reports.assessors import AssessorQuality, read_assessors
from core.reports.groups import read_rule
from core.reports.left_out_rankings import RankingQuestion
from core.wording import drop_marks

SHOWN = 20
"""Rows of a table for people; JSON has them all."""


def run(arguments: Namespace) -> int:
    """Print how each assessor in a label file judges."""
    labels = read_label_files(arguments)
    facets = [arguments.facet] if arguments.facet else labels.facets
    sources = [open_source(path) for path in arguments.runs or ()]
    runs = read_files("runs", sources).frames["runs"] if sources else None
    named = [({"facet": facet}, _ask(labels, facet, runs, arguments)) for facet in facets]
    for _, one in named:
        print_notes(one.notes)
    if arguments.format == "json":
        answers = [about | _tell(one) for about, one in named]
        tables = {
            name: [about | row for about, one in named for row in list_rows(one, name, _CALLED)]
            for name in ASKED
        }
        print_json({"answers": answers, **tables})
    elif arguments.format == "csv":
        print_csv((about, one, ASKED) for about, one in named)
    else:
        shown = [name for name in ASKED if sources or name != "leaving_out_ranking"]
        for about, one in named:
            print(f"{about['facet']}: {' '.join(filter(None, _tell(one).values()))}")
            print_tables(one, shown, most=SHOWN)
            print()
    return 0


def _ask(
    labels: LabelFile, facet: str, runs: pd.DataFrame | None, arguments: Namespace
) -> AssessorQuality:
    measure, rule = str(parse_measure(arguments.measure)), read_rule(arguments.version, facet)
    topics = read_topic_ids(arguments.topics) if arguments.topics else ()
    ranking = RankingQuestion(runs, measure, rule, read_score_weights(arguments), topics)
    return read_assessors(labels.frame, facet, labels.levels(facet), ranking=ranking)


ASKED = (
    *("assessors", "chance", "leaving_out", "leaving_out_ranking", "level_shares"),
    *("active_time", "drift"),
)
"""What a file of labels tells: not which of them were judged here, nor how."""

_CALLED = {"assessor_id": "assessor"}
"""What columns are called in JSON."""


def _tell(report: AssessorQuality) -> dict[str, str]:
    answers = {
        "answer": report.answer,
        "leniency": report.leniency_answer,
        "chance": report.chance_answer,
        "ranking": report.ranking_answer,
    }
    return {name: drop_marks(one) for name, one in answers.items()}
