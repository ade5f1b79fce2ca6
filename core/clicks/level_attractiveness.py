"""How attractive results of each level are, by a click model: their rank is taken out."""

from dataclasses import replace

import numpy as np
import pandas as pd

from core.clicks.click_log import ClickLog, Floats
from core.clicks.click_model import ClickModel
from core.clicks.fitting import fit
from core.clicks.likelihood import ATTRACTIVENESS
from core.clicks.limits import DRAWS, parameter_limits
from core.errors import BadInput

UNJUDGED = "unjudged"


def attractiveness_by_level(
    model: ClickModel, log: ClickLog, levels: Floats, *, draws: int = DRAWS, seed: int = 1
) -> pd.DataFrame:
    """Return how likely a result of each level is clicked once it is examined.

    Parameters
    ----------
    model : ClickModel
        One with attractiveness; it is fitted as if all results of a level were one document.
    log : ClickLog
    levels : array of float, shape (n_items,)
        NaN where nobody judged: such results are a level of their own, the last.
    draws, seed : int
        As `parameter_limits`.

    Returns
    -------
    DataFrame
        ``level``; ``items``, how many there are; ``value`` in [0, 1] with 95 % limits ``low, high``
        over sessions; ``interval, unit, n, reason``.

    Raises
    ------
    BadInput
        The model has no attractiveness.
    TooLittleData
        The log has no page.

    Notes
    -----
    Parameters of single documents, few of which are clicked, would say of a level mostly what the
    prior says.
    """
    if ATTRACTIVENESS not in model.on(1, 1, np.zeros(1)).axes:
        raise BadInput(f"{model} has no attractiveness; take a model such as PBM", field="model")
    pooled, known = pool_levels(log, levels)
    found = parameter_limits(fit(model, pooled), pooled, draws=draws, seed=seed)
    found = found[found["parameter"] == ATTRACTIVENESS].reset_index(drop=True)
    shown = np.unique(log.item[log.shown])
    of_each = levels[shown]
    items = [int((np.isnan(of_each) if np.isnan(one) else of_each == one).sum()) for one in known]
    kept = ["value", "low", "high", "interval", "unit", "n", "reason"]
    return pd.DataFrame({"level": known, "items": items}).join(found[kept])


def pool_levels(log: ClickLog, levels: Floats) -> tuple[ClickLog, Floats]:
    """Return a log whose items are levels, and those levels, ascending and NaN last."""
    shown = np.unique(log.item[log.shown])
    known, place = np.unique(levels[shown], return_inverse=True, equal_nan=True)
    number = np.full(len(levels), -1, dtype=np.int32)
    number[shown] = place
    item = np.where(log.shown, number[log.item], np.int32(-1)).astype(np.int32)
    names = tuple(UNJUDGED if np.isnan(one) else f"{one:g}" for one in known)
    return replace(log, items=names, item=item), known
