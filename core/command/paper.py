"""``dissent paper``: tables, figures, methods and BibTeX of a collection, as files."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import find_choice
from core.command.arguments import add_collection, add_format
from core.command.files.score_files import parse_measure_text
from core.command.printing.output import print_json, print_notes
from core.command.stores import open_collection
from core.comparison.difference_tests import CORRECTIONS, DEFAULT, TESTS
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput
from core.paper.pack import MEASURES, make_pack


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Write what a paper takes into a folder: every table as CSV, LaTeX (booktabs) and "
        "Markdown, every figure as SVG and PDF, a paragraph on methods with its numbers filled "
        "in, BibTeX of what it rests on, and paper.tex, which shows all of it. Assessors appear "
        "by codes. Figures need Matplotlib: pip install 'dissent[paper]'."
    )
    parser.add_argument("folder", type=Path, metavar="OUT_FOLDER", help="a new or empty folder")
    add_collection(parser)
    parser.add_argument(
        "--version",
        nargs="+",
        action="extend",
        default=[],
        dest="versions",
        metavar="NAME",
        help="qrels versions as the pages name them, such as 'all, median' (default: the first)",
    )
    parser.add_argument(
        "--measure",
        nargs="+",
        action="extend",
        dest="measures",
        metavar="M",
        type=parse_measure_text,
        help=f"differences are tested by the first (default: {' '.join(MEASURES)})",
    )
    parser.add_argument(
        "--test", choices=tuple(TESTS), default=DEFAULT, help=f"of differences (default {DEFAULT})"
    )
    parser.add_argument(
        "--correction",
        choices=CORRECTIONS,
        default="holm",
        help="of p in tests that need one (default holm)",
    )
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Write the pack."""
    folder: Path = arguments.folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput("is there already and not an empty folder", file=str(folder))
    with open_collection(arguments) as (store, collection_id):
        study = Study(store, collection_id, is_masked=True)
        versions = [find_choice(study, name) for name in dict.fromkeys(arguments.versions)]
        pack = make_pack(
            study,
            versions,
            arguments.measures or MEASURES,
            SignificanceTest(arguments.test, arguments.correction),
        )
    for path, content in pack.files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    print_notes(pack.notes)
    if arguments.format == "json":
        print_json({"folder": str(folder), "files": list(pack.files), "notes": pack.notes})
    else:
        print(f"{folder}: {len(pack.files):,} files; begin with paper.tex")
    return 0
