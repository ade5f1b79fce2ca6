"""``dissent bundle``: a study as one archive that others can compute anew."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from core.analysis.base.study import Study
from core.analysis.results.declared import declared_test
from core.bundle.choices import HASHES, Choices
from core.bundle.making import Bundle, make_bundle
from core.command.printing.output import print_json, print_notes
from core.command.stores import open_collection
from core.errors import BadInput


def run(arguments: Namespace) -> int:
    """Write the archive."""
    target: Path = arguments.file
    if target.exists():
        raise BadInput(f"{target} exists; a bundle never overwrites another file")
    if arguments.imported_labels and not arguments.labels:
        arguments.parser.error("--imported-labels goes with --labels")
    choices = Choices(
        versions=arguments.version,
        labels=arguments.labels,
        imported_labels=arguments.imported_labels,
        runs=arguments.runs,
        measures=arguments.measure,
        licence=arguments.licence,
    )
    with open_collection(arguments) as (store, collection_id):
        study = Study(store, collection_id, is_masked=True)
        test = replace(declared_test(study), samples=arguments.permutations, seed=arguments.seed)
        made = make_bundle(study, replace(choices, test=test))
    with target.open("xb") as file:
        file.write(made.content)
    _report(made, target, arguments)
    return 0


def _report(made: Bundle, target: Path, arguments: Namespace) -> None:
    about = made.about
    if arguments.format == "json":
        counts = {
            "versions": len(about.versions),
            "runs": len(about.runs),
            "assessors": about.labels.assessors,
            "left_out": about.labels.left_out,
            "tables": sum(one.startswith("tables/") for one in made.entries),
        }
        print_json({"file": str(target), "entries": list(made.entries), "written": counts})
        return
    print(f"{target}: {len(made.entries):,} entries, {len(made.content):,} bytes")
    notes = []
    if arguments.labels and about.labels.left_out:
        notes.append(
            f"assessors whose labels are left out, as no consent is known: "
            f"{about.labels.left_out:,}"
        )
    if arguments.runs == HASHES and about.runs:
        notes.append("runs are in it by their hashes; 'dissent reproduce' needs them by --run")
    print_notes(notes)
