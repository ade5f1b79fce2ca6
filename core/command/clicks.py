"""``dissent clicks``: what users' clicks say, beside position and beside people's levels."""

from argparse import ArgumentParser, Namespace

import pandas as pd

from core.analysis.frames.clicks import USUAL, analyse_clicks
from core.clicks.click_model import CLICK_MODELS, ClickModel, parse_click_model
from core.collection.formats import read_import
from core.command.arguments import add_seed, add_table_format, open_source, parse_count
from core.command.files.click_files import add_click_files, read_click_log, read_judgements
from core.command.files.weight_files import WEIGHTS_HELP, read_weights
from core.command.printing.click_tables import print_click_json, print_click_tables
from core.command.printing.output import show_progress
from core.errors import BadInput

EVERY = "all"


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Click-through rates by rank and, with judgements, by level; click models, compared in "
        "sessions that they were not fitted to with the click-through rate by rank; preferences "
        "read from clicks beside those of people, as lift over the share that position alone "
        "gives; how attractive results of each level are once they are examined; which results "
        "people and clicks contradict each other about most; and what clicks are worth for "
        "predicting levels. 95 % limits are over sessions, unless they say otherwise."
    )
    parser.epilog = (
        f"Models: {', '.join(CLICK_MODELS.names())}. Those that go down lists (DCM, SDBN, DBN) "
        "take their time with long logs. A lift of 1: clicks tell nothing beyond position."
    )
    add_click_files(parser)
    parser.add_argument(
        "--judgements",
        metavar="Q",
        help="TREC qrels, or a table with a header: topic (or query), document, level (or grade); "
        "topics and documents named as in the log",
    )
    parser.add_argument(
        "--model",
        dest="models",
        nargs="+",
        action="extend",
        metavar="NAME",
        help=f"click models, or {EVERY} (default: {' '.join(USUAL)}); the first "
        "with attractiveness tells that of levels",
    )
    parser.add_argument(
        "--weights", metavar="FILE", help=f"also the lift against weights: {WEIGHTS_HELP}"
    )
    parser.add_argument(
        "--preferences",
        metavar="FILE",
        help="also the lift against side-by-side preferences between documents",
    )
    parser.add_argument(
        "--cut",
        type=float,
        metavar="L",
        help="results of at least this level count as high where people and clicks contradict each "
        "other (default: above the middle of the levels)",
    )
    parser.add_argument(
        "--folds",
        type=parse_count(2),
        default=5,
        metavar="N",
        help="parts into which sessions are dealt to be held out (default 5)",
    )
    add_seed(parser)
    add_table_format(parser)


def run(arguments: Namespace) -> int:
    """Print what the clicks say."""
    models = _choose_models(arguments)
    if not arguments.judgements and any(model.needs_levels for model in models):
        raise BadInput("a model by level needs judgements; name them with --judgements")
    if not arguments.judgements and arguments.weights:
        raise BadInput("weights are of levels; name these with --judgements")
    found = analyse_clicks(
        read_click_log(arguments),
        models,
        read_judgements(arguments.judgements) if arguments.judgements else None,
        weights=read_weights(arguments.weights) if arguments.weights else None,
        preferences=_read_preferences(arguments.preferences) if arguments.preferences else None,
        cut=arguments.cut,
        folds=arguments.folds,
        seed=arguments.seed,
    )
    if arguments.format == "json":
        print_click_json(found)
    else:
        print_click_tables(found)
    return 0


def _choose_models(arguments: Namespace) -> list[ClickModel]:
    """Return the models that are named; all that suit stand for all, the usual ones first."""
    models = []
    for text in arguments.models or USUAL:
        names = sorted(CLICK_MODELS.suggested(), key=lambda one: one not in USUAL)
        every = [parse_click_model(one) for one in names]
        suiting = [one for one in every if arguments.judgements or not one.needs_levels]
        models += suiting if text == EVERY else [parse_click_model(text)]
    return models


def _read_preferences(path: str) -> pd.DataFrame:
    sources = [open_source(path)]
    return read_import("preferences", sources, progress=show_progress).frames["preferences"]
