"""Arguments of ``dissent assessors``."""

from argparse import ArgumentParser

from core.command.arguments.label_files import add_label_files
from core.command.arguments.shared import add_table_format


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "How each assessor judges: leniency, the mean distance from the others on the same items "
        "in steps of the scale, with 95 % intervals in which topics are what is sampled; linear "
        "weighted kappa with the others from 10 common items on, as mean, lowest and highest; with "
        "--gold, or labels of an assessor 'gold', agreement with gold; how often each level was "
        "given, the active time it took where that is known, and leniency over tenths of the "
        "labels. Nothing is corrected by it. Without --facet each facet in the file is analysed."
    )
    add_label_files(parser)
    add_table_format(parser)
