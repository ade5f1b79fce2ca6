"""What users' clicks say, beside position and beside people's levels."""

from collections.abc import Mapping, Sequence

import pandas as pd

from core.analysis.clicks.logs import log_of_import
from core.api.calls.arguments import as_list
from core.api.calls.files import Paths, find_files, warn_of
from core.clicks.click_log import ClickLog
from core.collection.formats import read_import
from core.reports.clicks import USUAL, ClickAnalysis, ClickQuestion, analyse_clicks


def read_clicks(paths: Paths, *, lenient: bool = False) -> ClickLog:
    """Read a click log in Yandex' format, TSV or JSONL; may be .gz.

    Parameters
    ----------
    paths : path or sequence of paths
        The files, read as one log.
    lenient : bool, default False
        Leave malformed sessions out; otherwise the first of them refuses the log.

    Returns
    -------
    ClickLog

    Raises
    ------
    NotFound, BadInput
        As `read_qrels`.
    """
    imported = read_import("clicks", find_files(paths), lenient=lenient)
    warn_of(imported.notes, 3)
    return log_of_import(imported)


def clicks(
    log: ClickLog,
    judgements: pd.DataFrame | None = None,
    models: str | Sequence[str] = USUAL.models,
    *,
    weights: Mapping[int, float] | None = None,
    preferences: pd.DataFrame | None = None,
    cut: float | None = None,
    folds: int = USUAL.folds,
    seed: int = USUAL.seed,
) -> ClickAnalysis:
    """Set clicks against position, and against what people said.

    Parameters
    ----------
    log : ClickLog
        As `read_clicks` gives it.
    judgements : DataFrame, optional
        ``topic_id, document_id, level``, as `read_qrels` gives them; topics are called as the log
        calls its queries.
    models : str or sequence of str, default ('PBM', 'UBM')
        Click models, compared in held-out sessions with the click-through rate by rank.
    weights : mapping of level to float, optional
        Of levels, as `weights` gives them: another opinion that clicks are set against.
    preferences : DataFrame, optional
        Between documents, as `read_preferences` gives them: one more.
    cut : float, optional
        Results of at least this level count as high; without it, those above the middle.
    folds, seed : int
        Of what is held out and drawn.

    Returns
    -------
    ClickAnalysis
        ``answer``, ``notes``, and the tables ``by_rank, by_level, by_level_and_rank, models,
        perplexity, cannot_tell, attractiveness, lift, contradicting, predicted``, computed when
        first asked for, of which ``offered`` are those that can be had; ``held_out, fits, unknown,
        contradictions`` are what they are made of. 95 % limits are over sessions.

    Raises
    ------
    BadInput
        A model is unknown, or goes by levels and there are none; or weights are given without
        levels.
    TooLittleData
        Nothing that is judged is in the log; later, what a table needs is not there.
    """
    question = ClickQuestion(tuple(as_list(models)), cut, folds, seed)
    return analyse_clicks(log, question, judgements, weights=weights, preferences=preferences)
