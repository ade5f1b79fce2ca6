"""``dissent clicks``: what users' clicks say, beside position and beside people's levels."""

from argparse import Namespace

import pandas as pd

from core.clicks.choices import USUAL
from core.clicks.click_model import CLICK_MODELS, ClickModel, parse_click_model
from core.command.arguments.clicks import EVERY
from core.command.files.click_files import read_click_log, read_judgements
from core.command.files.opening import open_source
from core.command.files.reading import read_files
from core.command.files.weight_files import read_weights
from core.command.printing.click_tables import print_click_json, print_click_tables
from core.errors import BadInput
from core.reports.clicks import analyse_clicks


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
    return read_files("preferences", sources).frames["preferences"]
