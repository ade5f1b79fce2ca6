"""Arguments of ``dissent passages``."""

from argparse import ArgumentParser

from core.collection.records import FACETS
from core.command.arguments.shared import add_collection, add_table_format


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Agreement of the assessors of a collection on the passages they marked, over items with "
        "passages of two assessors: F1 of characters, the mean over pairs and then over items, and "
        "Krippendorff's alpha with each character as a unit; with 95 % intervals, in which topics "
        "are what is sampled. 'dissent export passages' writes the passages themselves."
    )
    add_collection(parser)
    parser.add_argument("--facet", choices=FACETS, help="only passages of snippets or of pages")
    add_table_format(parser)
