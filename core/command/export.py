"""``dissent export``: qrels, runs, and what people said and wrote, as files."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from core.analysis.base.labels import names_of, round_names
from core.analysis.base.study import Study, labels_of_all, left_out_of
from core.analysis.collection.exported_files import Wanted, export_file
from core.analysis.collection.qrels_files import write_qrels_as, write_sample_as
from core.analysis.results.declared import asked_choice
from core.analysis.results.qrels_choices import (
    QrelsChoice,
    after_discussion,
    in_whole_levels,
    mark_choice,
    refuse_unfiled,
    version_of,
)
from core.analysis.results.sampled_qrels import describe_left_out, sampled_qrels_of
from core.collection.export.exported_kinds import (
    EXPORTED,
    LABEL_TOOLS,
    QRELS_FORMATS,
    SAMPLED_FORMATS,
)
from core.collection.qrels_and_runs.trec import write_run
from core.collection.records import MACHINE
from core.command.arguments.collections import LISTS, RULE
from core.command.files.weight_files import read_pair_weights, read_weights
from core.command.printing.output import print_notes, write_output
from core.command.stores import open_collection
from core.errors import BadInput, NotFound
from core.store.content.aspects import find_aspect
from core.store.events.afterwards import count_marked
from core.store.events.frames import read_runs
from core.store.store import Store
from core.versions.combine import PAIR
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion
from core.versions.wording import describe_ties

_UNNAMED = "command line"
_WRITTEN = ("factor", "rounding")
"""Options that say how levels are written, not how they are made."""


def run(arguments: Namespace) -> int:
    """Write what is asked for and say on stderr how much it is."""
    chosen = [*_stated(arguments, RULE)]
    if chosen and arguments.kind != "qrels":
        arguments.parser.error(f"--{chosen[0]} is for qrels")
    if arguments.version and chosen not in ([], ["facet"]):
        arguments.parser.error(
            "--version is a complete rule; leave out the options that make a rule"
        )
    if arguments.kind != "qrels" and arguments.version:
        arguments.parser.error("--version is for qrels")
    for option, kinds in _TAKEN_BY.items():
        if getattr(arguments, option) and arguments.kind not in kinds:
            flag = option.replace("_", "-")
            arguments.parser.error(f"--{flag} is for {', '.join(kinds)}")
    with open_collection(arguments) as (store, collection_id):
        export = {"qrels": _export_qrels, "runs": _export_runs}.get(arguments.kind, _export_people)
        content, lines, what = export(store, collection_id, arguments)
    write_output(content, arguments.output)
    where = "standard output" if arguments.output == "-" else arguments.output
    print(f"{lines:,} {what} written to {where}", file=sys.stderr)
    return 0


Exported = tuple[bytes, int, str]


def _export_runs(store: Store, collection_id: str, arguments: Namespace) -> Exported:
    runs = read_runs(store, collection_id)
    return write_run(runs), len(runs), f"lines of {runs['system'].nunique():,} runs"


def _export_people(store: Store, collection_id: str, arguments: Namespace) -> Exported:
    """Write what people said, of a kind that pages offer as well."""
    kind = arguments.kind
    name = arguments.output.removesuffix(".gz")
    ending = name.rpartition(".")[2] if kind == "labels" else ""
    if arguments.format in (*QRELS_FORMATS, *SAMPLED_FORMATS):
        raise BadInput(f"{kind} are not written as {arguments.format}", field="format")
    parquet = (arguments.format or ending) == "parquet"
    if parquet and arguments.output == "-" and sys.stdout.isatty():
        raise BadInput("Parquet cannot be written to a terminal; give a file with -o")
    wanted = Wanted(
        arguments.names,
        arguments.everybody,
        arguments.after_discussion,
        arguments.aspect,
        parquet,
        arguments.format if arguments.format in LABEL_TOOLS else "",
        arguments.log,
    )
    if "discussed" in EXPORTED[kind].options:
        _note_marked(store, collection_id, wanted.discussed)
    file = export_file(store, collection_id, kind, wanted)
    if file.left_out:
        print_notes([f"machine members and gold, left out without --everybody: {file.left_out:,}"])
    return file.content, file.rows, EXPORTED[kind].noun


def _export_qrels(store: Store, collection_id: str, arguments: Namespace) -> Exported:
    study = Study(store, collection_id, is_masked=False)
    if arguments.aspect:
        study = study.of_aspect(find_aspect(store, collection_id, arguments.aspect).name)
    if _makes_rule(arguments):
        choice = mark_choice(study, QrelsChoice(_UNNAMED, _make_rule(study, arguments)))
    else:
        choice = asked_choice(study, arguments.version or "", arguments.facet or "")
        stated = _stated(arguments, _WRITTEN)
        if stated and choice.rule is not None:
            choice = QrelsChoice(_UNNAMED, replace(choice.rule, name=_UNNAMED, **stated))
    if arguments.after_discussion:
        choice = after_discussion(choice)
    if arguments.factor or arguments.rounding:
        choice = in_whole_levels(choice)
    version = version_of(study, choice)
    _note_left_out(version)
    _note_machines(study, version)
    if choice.rule is not None:
        _note_marked(store, collection_id, choice.rule.discussed)
    form = arguments.format or "trec"
    if form in SAMPLED_FORMATS:
        return _export_sample(study, choice, form)
    remedy = "" if arguments.version else "say how to round: --rounding nearest, down or up"
    refuse_unfiled(choice, version, remedy)
    qrels = version.frame
    content = write_qrels_as(store, collection_id, form, qrels, choice.name)
    return content, len(qrels), "judgements"


def _export_sample(study: Study, choice: QrelsChoice, form: str) -> Exported:
    content = write_sample_as(study, choice, form)
    qrels = sampled_qrels_of(study, choice)
    print_notes(f"left out, {one}" for one in describe_left_out(qrels))
    drawn = int((qrels.sampled["level"] >= 0).sum())
    return content, drawn, "judgements of a sample"


def _note_marked(store: Store, collection_id: str, discussed: bool) -> None:
    """Say on stderr how many judgements made after seeing others count, or do not."""
    if marked := count_marked(store, collection_id):
        how = "which count" if discussed else "left out without --after-discussion"
        print_notes([f"judgements made after seeing others' labels, {how}: {marked:,}"])


def _note_machines(study: Study, version: QrelsVersion) -> None:
    """Say on stderr of which machines a version has labels."""
    kinds, names = left_out_of(study), names_of(study)
    machines = [names[one] for one in version.assessors if kinds.get(one) == MACHINE]
    if machines:
        print_notes([f"this version has labels of a machine: {', '.join(machines)}"])


def _note_left_out(version: QrelsVersion) -> None:
    """Say on stderr which items and labels a version does without."""
    left_out = {
        "snippet labels without a page label by their assessor": version.unpaired,
        "snippet labels whose two levels have no weight": version.unweighed,
    }
    notes = [f"{what}: {number:,}" for what, number in left_out.items() if number]
    print_notes([*describe_ties(version), *notes])


def _makes_rule(arguments: Namespace) -> bool:
    """Tell whether options say how levels are made, rather than how a version is written."""
    return not {*_stated(arguments, RULE)} <= {"facet", *_WRITTEN}


def _stated(arguments: Namespace, names: Sequence[str]) -> dict[str, Any]:
    """Return the options among these that were given."""
    given = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in given.items() if value is not None}


def _make_rule(study: Study, arguments: Namespace) -> QrelsRule:
    stated = _stated(arguments, RULE)
    for name in LISTS:
        if name in stated:
            stated[name] = tuple(stated[name])
    if "slots" in stated:
        stated["slots"] = tuple(_parse_slot(text) for text in stated["slots"])
    if "assessors" in stated:
        labels = labels_of_all(study)
        stated["assessors"] = tuple(_find_assessor(labels, name) for name in stated["assessors"])
    if "rounds" in stated:
        stated["rounds"] = tuple(_find_round(study, name) for name in stated["rounds"])
    if "weights" in stated and stated.get("combine") == PAIR:
        stated["pair_weights"] = read_pair_weights(stated.pop("weights"))
    elif "weights" in stated:
        stated["weights"] = read_weights(stated["weights"])
    return QrelsRule(_UNNAMED, aspect=study.aspect, **stated)


def _parse_slot(text: str) -> int:
    if not text.isdecimal():
        raise BadInput(f"'{text}' is not a slot; the first assessor of a topic is 1", field="slots")
    return int(text)


def _find_assessor(labels: pd.DataFrame, name: str) -> str:
    """Return the id of the assessor with this id or name."""
    known = dict(zip(labels["assessor"], labels["assessor_id"], strict=True))
    if name in known.values():
        return name
    if name not in known:
        raise NotFound(f"No label is by an assessor '{name}'.")
    return str(known[name])


def _find_round(study: Study, name: str) -> str:
    """Return the id of the round with this id or name."""
    names = round_names(study)
    found = [one for one, called in names.items() if name in (one, called)]
    if not found:
        raise NotFound(f"There is no round '{name}'; there are {'; '.join(names.values())}.")
    return found[0]


def _kinds_with(option: str, *others: str) -> tuple[str, ...]:
    """Return the kinds that take an option."""
    return *others, *(kind for kind, one in EXPORTED.items() if option in one.options)


_TAKEN_BY = {
    "names": _kinds_with("names"),
    "everybody": _kinds_with("everybody"),
    "aspect": _kinds_with("aspect", "qrels"),
    "after_discussion": _kinds_with("discussed", "qrels"),
    "format": (*_kinds_with("tool"), "qrels"),
    "log": _kinds_with("log"),
}
"""Which kinds take an option."""
