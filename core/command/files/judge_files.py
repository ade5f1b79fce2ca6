"""Labels of people and of machines on the command line: label files, and qrels in their place."""

from argparse import Namespace
from typing import Any

from pandas import DataFrame, concat

from core.collection.detection import detect_kind
from core.collection.labels.label_options import JUDGED
from core.collection.qrels_and_runs.machine_qrels import read_machine_labels
from core.collection.records import PAGE
from core.command.files.label_files import LabelFile, count_levels, read_label_files
from core.command.files.opening import open_source
from core.command.files.reading import read_files
from core.command.files.score_files import shorten_paths
from core.errors import BadInput

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
