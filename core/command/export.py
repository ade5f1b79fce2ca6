"""``dissent export``: qrels, runs, and what people said and wrote, as files."""

import sys
from argparse import ArgumentParser, Namespace
from typing import Any

import pandas as pd

from core.analysis.base.labels import names_of
from core.analysis.base.rounds import round_names
from core.analysis.base.study import Study, labels_of_all, left_out_of
from core.analysis.collection.exported_files import EXPORTED, Wanted, export_file
from core.analysis.collection.qrels_files import (
    QRELS_FORMATS,
    SAMPLED_FORMATS,
    write_qrels_as,
    write_sample_as,
)
from core.analysis.results.qrels_choices import (
    QrelsChoice,
    after_discussion,
    find_choice,
    mark_choice,
    version_of,
    whole_levels,
)
from core.analysis.results.sampled_qrels import describe_left_out, whole_sampled_qrels
from core.collection.annotation_tools.writers import LABEL_WRITERS
from core.collection.qrels_and_runs.trec import write_run
from core.collection.records import FACETS, MACHINE
from core.command.arguments import add_collection, parse_count, parse_list
from core.command.files.weight_files import WEIGHTS_HELP, read_pair_weights, read_weights
from core.command.printing.output import print_notes, write_output
from core.command.stores import open_collection
from core.errors import BadInput, NotFound
from core.store.content.aspects import find_aspect
from core.store.events.afterwards import count_marked
from core.store.events.frames import read_runs
from core.store.store import Store
from core.versions.combine import COMBINATIONS, PAIR
from core.versions.rules import ROUNDINGS, QrelsRule
from core.versions.versions import QrelsVersion
from core.versions.wording import describe_ties

_LISTS = ("assessors", "groups", "topics", "slots", "rounds")
_WEIGHTS = (
    f"for --combine udm, {WEIGHTS_HELP}; for --combine combined, that of 'dissent weights "
    "--combined'"
)
_RULE = ("combine", "facet", *_LISTS, "judges", "weights", "factor", "rounding")


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Write the qrels, labels, aspects, preferences or runs of a collection, the reasons of "
        "preferences, the questions of its assessors with what the organiser said, the versions "
        "of its guidelines, the passages that assessors marked, the raw answers of machines "
        "with what they cost, or a click log. Qrels are made from the labels by a rule: the "
        "highest level of all assessors of the page, unless the options say otherwise."
    )
    parser.add_argument("kind", choices=_EXPORTS, metavar="KIND", help=", ".join(_EXPORTS))
    add_collection(parser)
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="default: standard output; may be .gz"
    )
    parser.add_argument(
        "--format",
        choices=("csv", "parquet", *LABEL_WRITERS, *QRELS_FORMATS, *SAMPLED_FORMATS),
        help="format of labels (default: from the end of the file's name, or csv): also as a tool "
        "reads them; preferences can be written for label-studio, and qrels as trec (default), "
        "ntcir, or beir: a ZIP of Parquet with topics and documents; where a sample of the pool "
        "was judged, also as strata (for NIST's sample_eval), prels (with probabilities), or "
        "sample: TSV with both",
    )
    parser.add_argument(
        "--names",
        action="store_true",
        help="with what people said and wrote: their ids, and names where the file has them, in "
        "place of codes",
    )
    parser.add_argument(
        "--everybody",
        action="store_true",
        help="with labels, aspects, preferences, reasons and passages: also those of machines and "
        "gold, which no page counts",
    )
    parser.add_argument(
        "--aspect",
        default="",
        metavar="NAME",
        help="with qrels: of the levels of this aspect; with aspects: only this one",
    )
    parser.add_argument(
        "--after-discussion",
        action="store_true",
        help="with qrels, labels, aspects, preferences and reasons: as they stand after assessors "
        "have seen what others said; without it they are as given",
    )
    parser.add_argument(
        "--log", default="", metavar="NAME", help="with clicks: which click log, where several are"
    )
    _add_rule(parser)


def _add_rule(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("the version of the qrels")
    group.add_argument(
        "--version",
        metavar="RULE",
        help="by name, as on the page 'Qrels versions': 'all, maximum', 'slot 1', 'only' an "
        "assessor, a group, a saved rule, qrels as imported; 'UDM' is of at least 1 of 3 users, "
        "'UDM, 2 of 5' of others",
    )
    group.add_argument(
        "--combine",
        choices=(*COMBINATIONS, PAIR),
        help="how labels become one level (default maximum); of several equally frequent levels "
        "'majority' takes the lowest, 'majority-highest' the highest, and 'majority-untied' leaves "
        "the item out; 'combined' takes snippet and page together, and a document has the level "
        "of its best engine",
    )
    group.add_argument("--facet", choices=FACETS, help="which labels (default page)")
    for name in _LISTS:
        group.add_argument(
            f"--{name}", type=parse_list, metavar="A,B,…", help=f"only these {name} (default all)"
        )
    count = parse_count(1)
    group.add_argument("--judges", type=count, metavar="K", help="the first K labels of an item")
    group.add_argument("--weights", metavar="FILE", help=_WEIGHTS)
    group.add_argument(
        "--factor", type=count, metavar="F", help="multiply levels before they are rounded"
    )
    group.add_argument(
        "--rounding",
        choices=ROUNDINGS,
        help="how levels are rounded to whole numbers (default nearest)",
    )


def run(arguments: Namespace) -> int:
    """Write what is asked for and say on stderr how much it is."""
    chosen = [name for name in _RULE if getattr(arguments, name) is not None]
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
            said = option.replace("_", "-")
            arguments.parser.error(f"--{said} is for {', '.join(kinds)}")
    with open_collection(arguments) as (store, collection_id):
        content, lines, what = _EXPORTS[arguments.kind](store, collection_id, arguments)
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
        arguments.format if arguments.format in LABEL_WRITERS else "",
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
    if arguments.version:
        choice = find_choice(study, arguments.version, arguments.facet or "")
    else:
        choice = mark_choice(study, QrelsChoice("command line", _make_rule(study, arguments)))
    if arguments.after_discussion:
        choice = after_discussion(choice)
    version = version_of(study, choice)
    _note_left_out(version)
    _note_machines(study, version)
    if choice.rule is not None:
        _note_marked(store, collection_id, choice.rule.discussed)
    form = arguments.format or "trec"
    if form in SAMPLED_FORMATS:
        return _export_sample(study, choice, form)
    qrels = whole_levels(choice, version)
    content = write_qrels_as(store, collection_id, form, qrels, choice.name)
    return content, len(qrels), "judgements"


def _export_sample(study: Study, choice: QrelsChoice, form: str) -> Exported:
    content = write_sample_as(study, choice, form)
    qrels = whole_sampled_qrels(study, choice)
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


def _make_rule(study: Study, arguments: Namespace) -> QrelsRule:
    stated: dict[str, Any] = {
        name: getattr(arguments, name) for name in _RULE if getattr(arguments, name) is not None
    }
    for name in _LISTS:
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
    return QrelsRule("command line", aspect=study.aspect, **stated)


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


_EXPORTS = {
    "qrels": _export_qrels,
    "runs": _export_runs,
    **dict.fromkeys(EXPORTED, _export_people),
}


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
