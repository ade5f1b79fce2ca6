"""Simulated users who click as a click model says that was fitted to a log."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.clicks.click_log import ClickLog, Floats
from core.clicks.click_model import ClickModel
from core.clicks.fitting import Fit, fit
from core.clicks.prediction import set_parameters, simulate
from core.errors import BadInput, TooLittleData
from core.interleaving.users import LevelUser, average_by_level


def learn_user(model: ClickModel, log: ClickLog, qrels: pd.DataFrame) -> LevelUser:
    """Fit a click model and return users who take documents of one level for alike.

    What the model says of a document, its attractiveness say, is averaged over the documents of
    each level; what it says of ranks stays as it is. Documents of the log that are not judged
    play no part beyond the fit.

    Parameters
    ----------
    model : ClickModel
        Any but those that need levels themselves.
    log : ClickLog
        What it is fitted to; its queries are the topics of the judgements.
    qrels : DataFrame
        ``topic_id, document_id, level``; levels below 0 count as 0.

    Raises
    ------
    BadInput
        The model needs levels itself.
    TooLittleData
        No document of the log is judged, or no level is above 0.
    """
    if model.needs_levels:
        raise BadInput(f"{model} goes by levels, not by documents; choose PBM or UBM, say")
    return users_of_fit(fit(model, log), log, log.queries, qrels)


def users_of_fit(
    fitted: Fit, log: ClickLog, topics: Sequence[str], qrels: pd.DataFrame
) -> LevelUser:
    """Return users who click as a fitted model says; see `learn_user`.

    Parameters
    ----------
    fitted : Fit
        A model that goes by documents, fitted to the log.
    log : ClickLog
        What it was fitted to.
    topics : sequence of str
        The topic of each query of the log; empty where it is none.
    qrels : DataFrame
        As for `learn_user`.

    Raises
    ------
    TooLittleData
        As `learn_user`.
    """
    relevance = _find_relevance(log, topics, qrels)
    levels, _ = average_by_level(relevance, relevance)
    parameters = {
        name: average_by_level(one, relevance)[1] if name in fitted.likelihood.of_items else one
        for name, one in fitted.parameters.items()
    }
    of_levels = set_parameters(fitted.model, len(levels), log.depth, parameters)
    return LevelUser(levels, lambda kind, rng: simulate(of_levels, kind, rng))


def _find_relevance(log: ClickLog, topics: Sequence[str], qrels: pd.DataFrame) -> Floats:
    """Return the level of each item of a log as a share of the highest; NaN without one."""
    columns = [qrels["topic_id"].astype("str"), qrels["document_id"].astype("str")]
    levels = qrels["level"].groupby(columns).max().clip(lower=0)
    highest = float(levels.max()) if len(levels) else 0.0
    queries = np.array(topics, dtype=object)[log.query_of]
    keys = pd.MultiIndex.from_arrays([queries, np.array(log.items, dtype=object)])
    found: Floats = levels.reindex(keys).to_numpy(dtype=np.float64)
    if not highest > 0 or np.isnan(found).all():
        raise TooLittleData(
            "no document of the click log is judged, or none relevant: users click by relevance, "
            "so the log's queries have to be topics of the judgements"
        )
    return found / highest
