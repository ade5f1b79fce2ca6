"""``dissent export``: qrels, labels, runs, questions, guidelines or passages as files."""

import io
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

import pandas as pd

from core.analysis.base.rounds import round_names
from core.analysis.base.study import Study, labels_of_all
from core.analysis.results.qrels_choices import (
    QrelsChoice,
    after_discussion,
    find_choice,
    version_of,
    whole_levels,
)
from core.collection.label_export import write_labels_csv
from core.collection.passages_export import write_passages_csv
from core.collection.records import FACETS
from core.collection.trec import write_qrels, write_run
from core.collection.words_export import write_guidelines_csv, write_questions_csv
from core.command.arguments import add_collection, parse_count, parse_list
from core.command.files.weight_files import WEIGHTS_HELP, read_pair_weights, read_weights
from core.command.printing.output import print_notes, write_output
from core.command.stores import open_collection
from core.errors import BadInput, NotFound
from core.store.content.aspects import find_aspect
from core.store.content.guidelines import read_versions
from core.store.events.afterwards import count_marked
from core.store.events.aspect_labels import list_said, read_aspect_labels
from core.store.events.frames import read_runs
from core.store.events.passages import read_passages
from core.store.events.questions import read_words
from core.store.people.pseudonyms import hide_assessors
from core.store.people.roster import count_left_out, keep_persons
from core.store.rounds.label_rounds import read_labels_by_round
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
        "Write the qrels, labels, aspects or runs of a collection, the questions of its assessors "
        "with what the organiser said, the versions of its guidelines, or the passages that "
        "assessors marked. Qrels are made from the "
        "labels by a rule: the highest level of all assessors of the page, unless the options say "
        "otherwise."
    )
    parser.add_argument("kind", choices=_EXPORTS, metavar="KIND", help=", ".join(_EXPORTS))
    add_collection(parser)
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="default: standard output; may be .gz"
    )
    parser.add_argument(
        "--format",
        choices=("csv", "parquet"),
        help="format of labels (default: from the end of the file's name, or csv)",
    )
    parser.add_argument(
        "--names",
        action="store_true",
        help="with labels, aspects, questions, guidelines and passages: ids and names of people, "
        "not codes",
    )
    parser.add_argument(
        "--everybody",
        action="store_true",
        help="with labels and aspects: also those of machines and gold, which no page counts",
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
        help="with labels and qrels: as they stand after assessors have seen what others said; "
        "without it they are as given",
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
    if arguments.kind != "labels" and arguments.format:
        arguments.parser.error("--format is for labels")
    if arguments.kind not in _WITH_PEOPLE and arguments.names:
        arguments.parser.error(f"--names is for {', '.join(_WITH_PEOPLE)}")
    if arguments.kind not in ("labels", "aspects") and arguments.everybody:
        arguments.parser.error("--everybody is for labels and aspects")
    if arguments.kind not in ("qrels", "aspects") and arguments.aspect:
        arguments.parser.error("--aspect is for qrels and aspects")
    if arguments.kind not in _FROM_LABELS and arguments.after_discussion:
        arguments.parser.error(f"--after-discussion is for {', '.join(_FROM_LABELS)}")
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


def _export_labels(store: Store, collection_id: str, arguments: Namespace) -> Exported:
    discussed = arguments.after_discussion
    labels = read_labels_by_round(store, collection_id, discussed=discussed)
    labels = labels.rename(columns={"assessor": "name"})
    _note_marked(store, collection_id, discussed)
    if not arguments.everybody:
        labels = _leave_out(store, collection_id, labels)
    if not arguments.names:
        labels = hide_assessors(store, collection_id, labels).drop(columns="name")
    name = arguments.output.removesuffix(".gz")
    is_parquet = (arguments.format or name.rpartition(".")[2]) == "parquet"
    if not is_parquet:
        return write_labels_csv(labels), len(labels), "labels"
    if arguments.output == "-" and sys.stdout.isatty():
        raise BadInput("Parquet cannot be written to a terminal; give a file with -o")
    parquet = io.BytesIO()
    labels.to_parquet(parquet, index=False)
    return parquet.getvalue(), len(labels), "labels"


def _leave_out(store: Store, collection_id: str, labels: pd.DataFrame) -> pd.DataFrame:
    """Return the labels that count, and say on stderr how many assessors are left out."""
    if left_out := count_left_out(store, collection_id, labels):
        print_notes([f"machine members and gold, left out without --everybody: {left_out:,}"])
    return keep_persons(store, collection_id, labels)


def _export_qrels(store: Store, collection_id: str, arguments: Namespace) -> Exported:
    study = Study(store, collection_id, is_masked=False)
    if arguments.aspect:
        study = study.of_aspect(find_aspect(store, collection_id, arguments.aspect).name)
    if arguments.version:
        choice = find_choice(study, arguments.version, arguments.facet or "")
    else:
        choice = QrelsChoice("command line", _make_rule(study, arguments))
    if arguments.after_discussion:
        choice = after_discussion(choice)
    version = version_of(study, choice)
    _note_left_out(version)
    if choice.rule is not None:
        _note_marked(store, collection_id, choice.rule.discussed)
    qrels = whole_levels(choice, version)
    return write_qrels(qrels), len(qrels), "judgements"


def _note_marked(store: Store, collection_id: str, discussed: bool) -> None:
    """Say on stderr how many judgements made after seeing others count, or do not."""
    if marked := count_marked(store, collection_id):
        how = "which count" if discussed else "left out without --after-discussion"
        print_notes([f"judgements made after seeing others' labels, {how}: {marked:,}"])


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


def _export_questions(store: Store, collection_id: str, arguments: Namespace) -> Exported:
    words = read_words(store, collection_id)
    if not arguments.names:
        words = hide_assessors(store, collection_id, words).drop(columns="name")
    return write_questions_csv(words), len(words), "questions, answers and announcements"


def _export_guidelines(store: Store, collection_id: str, arguments: Namespace) -> Exported:
    versions = read_versions(store, collection_id)
    if not arguments.names:
        versions = hide_assessors(store, collection_id, versions)
    return write_guidelines_csv(versions), len(versions), "versions of the guidelines"


def _export_passages(store: Store, collection_id: str, arguments: Namespace) -> Exported:
    passages = read_passages(store, collection_id)
    if not arguments.names:
        passages = hide_assessors(store, collection_id, passages).drop(columns="name")
    return write_passages_csv(passages), len(passages), "passages"


def _export_aspects(store: Store, collection_id: str, arguments: Namespace) -> Exported:
    labels = read_labels_by_round(store, collection_id).rename(columns={"assessor": "name"})
    if not arguments.everybody:
        labels = _leave_out(store, collection_id, labels)
    rows = list_said(labels, read_aspect_labels(store, collection_id))
    if arguments.aspect:
        rows = rows[rows["aspect"] == find_aspect(store, collection_id, arguments.aspect).name]
    if not arguments.names:
        rows = hide_assessors(store, collection_id, rows).drop(columns="name")
    return write_labels_csv(rows), len(rows), "levels of aspects"


_EXPORTS = {
    "qrels": _export_qrels,
    "labels": _export_labels,
    "aspects": _export_aspects,
    "runs": _export_runs,
    "questions": _export_questions,
    "guidelines": _export_guidelines,
    "passages": _export_passages,
}
_FROM_LABELS = ("labels", "qrels")
_WITH_PEOPLE = ("labels", "aspects", "questions", "guidelines", "passages")
