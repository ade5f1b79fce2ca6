"""``dissent bundle``: a study as one archive that others can compute anew."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from core.analysis.base.study import Study
from core.bundle.making import HASHES, RUNS, Bundle, Choices, make_bundle
from core.command.arguments import add_collection, add_format, add_seed, parse_count
from core.command.printing.output import print_json, print_notes
from core.command.stores import open_collection
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Write a study bundle: qrels, the rules they were made by, runs, tables, figures and "
        "methods as one ZIP archive, an RO-Crate 1.1. 'dissent reproduce' computes its tables "
        "anew. Nobody's name is in it; labels are only if you ask for them."
    )
    parser.add_argument("file", type=Path, metavar="OUT.zip", help="must not exist yet")
    add_collection(parser)
    parser.add_argument(
        "--version",
        nargs="+",
        default=[],
        metavar="NAME",
        help="qrels versions by name, as on the page 'Qrels versions' (default: 'all, maximum', "
        "'all, median', 'all, minimum' and imported qrels)",
    )
    parser.add_argument(
        "--labels",
        action="store_true",
        help="with the labels of those who consented, under codes",
    )
    parser.add_argument(
        "--imported-labels",
        action="store_true",
        help="with --labels: also those of assessors known by imported files only, whom nobody "
        "can ask here; you vouch for their consent",
    )
    parser.add_argument(
        "--runs", choices=RUNS, default=RUNS[0], help="whole runs (default) or only their hashes"
    )
    parser.add_argument(
        "--measure", nargs="+", default=list(Choices.measures), metavar="M", help="for the scores"
    )
    parser.add_argument(
        "--permutations",
        type=parse_count(1),
        default=SignificanceTest.samples,
        metavar="B",
        help="random exchanges of the test (default 10,000)",
    )
    parser.add_argument(
        "--licence", default="", metavar="TEXT", help="what others may do: an address or a text"
    )
    add_seed(parser)
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Write the archive."""
    target: Path = arguments.file
    if target.exists():
        raise BadInput(f"{target} exists; a bundle never overwrites another file")
    if arguments.imported_labels and not arguments.labels:
        arguments.parser.error("--imported-labels goes with --labels")
    test = SignificanceTest(samples=arguments.permutations, seed=arguments.seed)
    choices = Choices(
        versions=arguments.version,
        labels=arguments.labels,
        imported_labels=arguments.imported_labels,
        runs=arguments.runs,
        measures=arguments.measure,
        test=test,
        licence=arguments.licence,
    )
    with open_collection(arguments) as (store, collection_id):
        made = make_bundle(Study(store, collection_id, is_masked=True), choices)
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
