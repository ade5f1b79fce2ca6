"""Arguments of ``dissent paper``."""

from argparse import ArgumentParser
from pathlib import Path

from core.command.arguments.score_files import add_test, parse_measure_text
from core.command.arguments.shared import add_collection, add_format
from core.paper.choices import MEASURES


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Write what a paper takes into a folder: every table as LaTeX (booktabs, longtable) "
        "and Markdown, its data as CSV, every figure as SVG and PDF, a paragraph on methods with "
        "its numbers filled in, BibTeX of what it rests on, and paper.tex, which shows all of it. "
        "Assessors appear by codes. Figures need Matplotlib: pip install 'dissent-ir[paper]'."
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
        help="qrels versions as the pages name them, such as 'all, median' (default: that "
        "which the study declares)",
    )
    parser.add_argument(
        "--measure",
        nargs="+",
        action="extend",
        dest="measures",
        metavar="M",
        type=parse_measure_text,
        help="differences are tested by the first (default: the declared one, and "
        f"{' and '.join(MEASURES)})",
    )
    add_test(parser)
    add_format(parser)
