"""``dissent informativeness``: which measure tells most about the rankings."""

from argparse import Namespace
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pandas as pd

from core.command.files.reading import open_source, read_files
from core.command.files.score_files import read_judgements, read_runs
from core.command.printing.output import print_json, print_notes, show_progress, with_reason
from core.command.printing.recording import print_data
from core.command.printing.reports import format_report_table
from core.command.printing.tables import Cell, format_table
from core.errors import BadInput
from core.informativeness.inference import Inferred
from core.informativeness.problem import choose_systems, choose_topics
from core.informativeness.study import InformativenessStudy, measure_informativeness
from core.informativeness.targets import read_target, suggest_measures
from core.measures.ranking import Rankings
from core.numerals import ABSENT
from core.reports.informativeness import Informativeness
from core.reports.report import stack_tables
from core.reports.scores import judge_runs
from core.wording import drop_marks

Facts = Mapping[str, Any]


def run(arguments: Namespace) -> int:
    """Print what the measures tell about the rankings."""
    judged, runs = read_judgements(arguments.qrels, arguments), read_runs(arguments)
    given = judge_runs(runs, judged, arguments.qrels)
    print_notes(given.notes)
    study = _measure(arguments, given.rankings)
    found = Informativeness(study, tuple(given.notes), arguments.alpha)
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
        "alpha": arguments.alpha,
        "probabilities": arguments.intents,
        "topics": len(labels.topics),
        "systems": len(labels.systems),
    }


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
