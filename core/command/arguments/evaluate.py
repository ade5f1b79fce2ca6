"""Arguments of ``dissent evaluate``."""

from argparse import ArgumentParser

from core.command.arguments.score_files import add_score_files
from core.command.arguments.shared import add_table_format
from core.registered import list_values


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Scores of runs against qrels, with the judged share of what each score looks at. The "
        "order of a run is trec_eval's: score, then document id, both descending. A topic that a "
        "run does not answer scores 0; a topic with nothing to find is left out of the mean."
    )
    known = ", ".join(f"{entry.name} ({entry.description})" for entry in list_values("measure"))
    parser.epilog = (
        f"Measures: {known}. Options are given in brackets and a cut-off after @, as in "
        "nDCG(gain='exp')@10. With --format trec_eval each run begins with a line 'runid all "
        "SYSTEM' and measures keep their names here. The residual of RBP and INST is how much "
        "higher the score would be if all that is not judged had the highest gain."
    )
    add_score_files(parser)
    parser.add_argument("--per-topic", action="store_true", help="each topic's scores as well")
    add_table_format(parser, "trec_eval")
