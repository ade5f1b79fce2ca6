"""``dissent machines``: how far machines agree with people, and what follows for systems."""

from argparse import Namespace
from typing import Any

import pandas as pd
from pandas import DataFrame, concat

from core.collection.detection import detect_kind
from core.collection.labels.label_options import JUDGED
from core.collection.qrels_and_runs.machine_qrels import read_machine_labels
from core.collection.records import PAGE
from core.command.files.label_files import LabelFile, count_levels, read_label_files
from core.command.files.reading import open_source, read_files
from core.command.files.score_files import (
    read_measures,
    read_runs,
    read_score_weights,
    shorten_paths,
)
from core.command.files.topic_files import read_topic_ids
from core.command.printing.machine_tables import list_conclusions, print_audit, print_conclusions
from core.command.printing.output import print_json, print_notes, show_progress, with_reason
from core.command.printing.recording import print_data
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput
from core.machines.alternative_test import AlternativeTest
from core.reports.conclusions import Conclusions, draw_conclusions
from core.reports.groups import read_rule
from core.reports.machines import MachineAudit
from core.reports.report import stack_tables
from core.versions.versions import qrels_from_labels
from core.wording import drop_marks

_LIMITS = ("value", "low", "high")


def run(arguments: Namespace) -> int:
    """Print how far the machines agree with the people."""
    people = read_people(arguments)
    facet = arguments.facet or _find_facet(people)
    found = MachineAudit(
        people.frame,
        read_machines(arguments, people, facet),
        facet,
        people.levels(facet),
        epsilon=arguments.epsilon,
        scoring=arguments.scoring,
        fewest_items=arguments.fewest_items,
        fewest_people=arguments.fewest_people,
        chosen=arguments.items,
    )
    found.check()
    conclusions = read_conclusions(arguments, found)
    print_notes(found.notes)
    if arguments.format == "json":
        print_json(
            {**_make_content(found), **(list_conclusions(conclusions) if conclusions else {})}
        )
        return 0
    if arguments.format == "csv":
        tables = {name: found.table(name) for name in found.tables}
        if conclusions:
            tables |= {_name_apart(name): conclusions.table(name) for name in conclusions.tables}
        print_data(stack_tables(tables))
        return 0
    print_audit(found)
    if conclusions:
        print()
        print_conclusions(conclusions)
    return 0


def _find_facet(people: LabelFile) -> str:
    """Return the only facet that people judged."""
    if len(people.facets) != 1:
        named = " and ".join(people.facets) or "no facet"
        raise BadInput(f"people judged {named}; say which one with --facet", field="facet")
    return people.facets[0]


def _name_apart(name: str) -> str:
    """Return what a table of conclusions is called beside those of agreement."""
    return "changes" if name == "differences" else name


def _make_content(found: MachineAudit) -> dict[str, Any]:
    """Return the audit as it is printed for programs."""
    return {
        "answer": drop_marks(found.answer),
        "facet": found.facet,
        "levels": found.scale,
        "items": {"chosen": found.chosen, "note": found.sampling},
        "machines": found.coverage.to_dict("records"),
        "pairs": _list_pairs(found),
        "people": _group_coefficients(found, "people", ["machine", "first", "second"]),
        "differences": _list_differences(found),
        "verdicts": found.verdicts,
        "topics": [
            _entry(found, "topics", row, ("machine", "person", "topic_id", "n", "counted"))
            for row in found.topics.to_dict("records")
        ],
        "distributions": [
            _entry(found, "distributions", row, ("machine", "level", "machine_level", "n", "cases"))
            for row in found.distributions.to_dict("records")
        ],
        "near": [
            _entry(found, "near", row, ("machine", "level", "n", "cases"))
            for row in found.near.to_dict("records")
        ],
        "alternative_test": [_describe_test(one) for one in found.alternative_tests.values()],
        "invalid": [
            _rename(row) for row in found.invalid.drop(columns="people").to_dict("records")
        ],
    }


def _rename(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a row under the names that JSON has."""
    names = {"topic_id": "topic", "document_id": "document", "coefficient": "name"}
    return {names.get(name, name): value for name, value in row.items()}


def _entry(
    found: MachineAudit, table: str, row: dict[Any, Any], kept: tuple[str, ...]
) -> dict[str, Any]:
    """Return a value with its limits and what these rest on."""
    entry = _rename({name: row[name] for name in (*kept, *_LIMITS)})
    return with_reason({**entry, "interval": found.describe_interval(table, row)}, row["reason"])


def _group_coefficients(found: MachineAudit, table: str, keys: list[str]) -> list[dict[str, Any]]:
    """Return an entry for each pair, with its coefficients."""
    return [
        {
            **dict(zip(keys, names, strict=True)),
            "n": own["n"].iloc[0],
            "coefficients": [
                _entry(found, table, row, ("coefficient",)) for row in own.to_dict("records")
            ],
        }
        for names, own in found.table(table).groupby(keys, sort=False)
    ]


def _list_pairs(found: MachineAudit) -> list[dict[str, Any]]:
    """Return each machine with each person: coefficients, matrix, shift and invalid labels."""
    shifts = {(row["machine"], row["person"]): row for row in found.shifts.to_dict("records")}
    entries = _group_coefficients(found, "pairs", ["machine", "person"])
    for entry in entries:
        joined = found.joined[entry["machine"]]
        entry["matrix"] = joined.matrix_of(entry["person"])
        entry["shift"] = _entry(found, "shifts", shifts[entry["machine"], entry["person"]], ())
        entry["invalid"] = int(joined.missed.get(entry["person"], 0))
    return entries


def _list_differences(found: MachineAudit) -> list[dict[str, Any]]:
    """Return how machines with people compare with people themselves."""
    return [
        _drop_reason(
            {**_rename(row), "interval": found.describe_interval("differences", row)},
            "unit",
            "units",
        )
        for row in found.differences.to_dict("records")
    ]


def _drop_reason(entry: dict[str, Any], *others: str) -> dict[str, Any]:
    """Return an entry without some of its keys, and without a reason that is empty."""
    reason = entry["reason"]
    kept = {name: entry[name] for name in entry if name not in ("reason", *others)}
    return with_reason(kept, reason)


def _describe_test(test: AlternativeTest) -> dict[str, Any]:
    """Return the alternative annotator test of a machine; null where it is not defined."""
    annotators = [_drop_reason(_rename(row)) for row in test.annotators.to_dict("records")]
    names = ("machine", "defined", "epsilon", "omega", "rho", "passed")
    content = {name: getattr(test, name) for name in (*names, "topic_omega", "topic_passed")}
    return with_reason({**content, "annotators": annotators}, test.reason)


STANDARD_INPUT = "-"


def read_people(arguments: Namespace) -> LabelFile:
    """Read what people said, from label files or from qrels; notes go to stderr.

    Raises
    ------
    BadInput
        A file cannot be used, or some of the files are qrels and others are not.
    """
    paths = list(dict.fromkeys(arguments.labels))
    are_qrels = {path: _holds_qrels(path) for path in paths}
    if not any(are_qrels.values()):
        return read_label_files(arguments)
    for path, is_qrels in are_qrels.items():
        if not is_qrels:
            raise BadInput("holds no qrels, as other files of people do", file=path)
    names, facet = shorten_paths(paths), arguments.facet or PAGE
    labels = concat([_read_person(path, names[path], facet) for path in paths], ignore_index=True)
    scales = dict(arguments.scale)
    return LabelFile(count_levels(labels, scales), scales)


def _holds_qrels(path: str) -> bool:
    return path != STANDARD_INPUT and detect_kind(open_source(path)).kind == "qrels"


def _read_person(path: str, name: str, facet: str) -> DataFrame:
    """Return qrels as the labels of one person."""
    found = read_files("qrels", [open_source(path)])
    qrels = found.frames["qrels"]
    if qrels.duplicated(["topic_id", "document_id"]).any():
        raise BadInput("judges documents by subtopic; give one level a document", file=path)
    fixed: dict[str, Any] = {
        "assessor_id": name,
        "facet": facet,
        "engine": "",
        "occasion": 0,
        "state": JUDGED,
    }
    return qrels[["topic_id", "document_id", "level"]].assign(**fixed)


def read_machines(arguments: Namespace, people: LabelFile, facet: str) -> dict[str, DataFrame]:
    """Return the labels of each machine by its name, levels as the facet's scale counts them.

    Raises
    ------
    BadInput
        A file cannot be used, or two machines have one name.
    """
    found: dict[str, DataFrame] = {}
    for name, path in arguments.machines:
        if name in found:
            raise BadInput(f"two machines are called '{name}'; name each one differently")
        given = read_machine_labels(open_source(path)).assign(facet=facet)
        found[name] = count_levels(given, people.scales).astype({"level": "int64"})
    return found


def read_conclusions(arguments: Namespace, found: MachineAudit) -> Conclusions | None:
    """Return what follows for the systems; None where no run is given.

    Raises
    ------
    BadInput
        There are runs without a measure, a measure without runs, several measures, or none of the
        topics that are named is judged and answered; or `draw_conclusions` refuses.
    """
    if not (arguments.runs or arguments.measures):
        return None
    if not (arguments.runs and arguments.measures):
        raise BadInput("conclusions need runs and a measure; give both --run and --measure")
    measure, *others = read_measures(arguments)
    if others:
        raise BadInput("conclusions are compared by one measure at a time", field="measure")
    rule = read_rule(f"all, {arguments.combine}", found.facet)
    topics = read_topic_ids(arguments.topics) if arguments.topics else ()
    people = qrels_from_labels(found.labels, rule, top_level=max(found.scale)).on_topics(topics)
    machines = {name: _as_qrels(one, found.scale) for name, one in found.machines.items()}
    runs = read_runs(arguments)
    if topics:
        runs = runs[runs["topic_id"].isin(topics)]
        if people.frame.empty or runs.empty:
            raise BadInput(
                "none of these topics is judged by people and answered by runs",
                file=arguments.topics,
            )
        machines = {name: one[one["topic_id"].isin(topics)] for name, one in machines.items()}
    return draw_conclusions(
        runs,
        people,
        machines,
        measure,
        lineages=dict(arguments.lineage),
        significance=SignificanceTest(alpha=arguments.alpha),
        weights=read_score_weights(arguments),
        same_documents=arguments.same_documents,
        progress=show_progress,
    )


def _as_qrels(labels: pd.DataFrame, scale: tuple[int, ...]) -> pd.DataFrame:
    """Return a machine's labels that are on the scale as judgements."""
    kept = labels.loc[labels["level"].isin(scale), ["topic_id", "document_id", "level"]]
    return kept.assign(iteration="0")
