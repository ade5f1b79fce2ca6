"""``dissent informativeness``: which measure tells most about the rankings."""

from argparse import Namespace

import pandas as pd

from core.command.files.opening import open_source
from core.command.files.reading import read_files
from core.command.files.score_files import read_judgements, read_runs
from core.command.printing.informativeness_tables import (
    Facts,
    print_informativeness_json,
    print_informativeness_tables,
)
from core.command.printing.output import print_notes, show_progress
from core.command.printing.recording import print_data
from core.errors import BadInput
from core.informativeness.problem import choose_systems, choose_topics
from core.informativeness.study import InformativenessStudy, measure_informativeness
from core.informativeness.targets import read_target, suggest_measures
from core.measures.ranking import Rankings
from core.reports.informativeness import Informativeness
from core.reports.report import stack_tables
from core.reports.scores import judge_runs


def run(arguments: Namespace) -> int:
    """Print what the measures tell about the rankings."""
    judged, runs = read_judgements(arguments.qrels, arguments), read_runs(arguments)
    given = judge_runs(runs, judged, arguments.qrels)
    print_notes(given.notes)
    found = Informativeness(_measure(arguments, given.rankings), tuple(given.notes))
    facts = _gather_facts(arguments, found.study, judged.content_hash)
    if arguments.format == "json":
        print_informativeness_json(found, facts)
    elif arguments.format == "csv":
        asked = ("curve_errors", "inference", "statuses")
        print_data(stack_tables({name: found.table(name) for name in asked}))
    else:
        print_informativeness_tables(found, facts)
    return 0


def _measure(arguments: Namespace, rankings: Rankings) -> InformativenessStudy:
    level, depth = arguments.level, arguments.depth
    given = arguments.measures or suggest_measures(len(rankings.intents.names), depth)
    chosen = [
        read_target(text, depth, level=level, recursion=arguments.recursion) for text in given
    ]
    by_intent = [str(one) for one in chosen if one.by_intent]
    if by_intent and len(rankings.intents.names) == 1:
        print_notes([f"these qrels have no intents: a single one for {', '.join(by_intent)}"])
    topics, systems = arguments.most_topics, arguments.most_systems
    return measure_informativeness(
        rankings,
        dict.fromkeys(one.measure for one in chosen),
        depth=depth,
        level=level,
        recursion=arguments.recursion,
        probabilities=_read_probabilities(arguments.intents),
        topics=choose_topics(rankings, topics, level) if topics else None,
        systems=choose_systems(rankings, systems, level) if systems else None,
        progress=lambda share: show_progress(share, "inferring rankings"),
    )


def _read_probabilities(path: str | None) -> pd.DataFrame | None:
    """Return the probabilities of intents that a file of topics gives."""
    if path is None:
        return None
    subtopics = read_files("topics", [open_source(path)]).frames["subtopics"]
    if subtopics["probability"].isna().all():
        raise BadInput("no subtopic has a probability; leave out --intents", file=path)
    return subtopics[["topic_id", "subtopic_id", "probability"]]


def _gather_facts(arguments: Namespace, study: InformativenessStudy, content: str) -> Facts:
    """Return what the results are based on."""
    labels = study.inferred[0].labels
    return {
        "qrels": arguments.qrels,
        "content_hash": content,
        "depth": arguments.depth,
        "level": arguments.level,
        "recursion": arguments.recursion,
        "probabilities": arguments.intents,
        "topics": len(labels.topics),
        "systems": len(labels.systems),
    }
