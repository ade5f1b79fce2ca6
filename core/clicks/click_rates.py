"""How often results are clicked: by rank, by the level that people gave, and by both."""

from dataclasses import replace

import numpy as np
import pandas as pd

from core.agreement.intervals import share_interval
from core.clicks.click_log import ClickLog, Floats, Mask
from core.clicks.click_model import ClickModel
from core.clicks.fitting import fit
from core.clicks.likelihood import ATTRACTIVENESS
from core.clicks.limits import DRAWS, parameter_limits
from core.errors import BadInput

INTERVAL, UNIT = "jackknife", "session"
NEVER_SHOWN = "never shown"
FEW = "shown in one session: limits over sessions need two"


def rates_by_rank(log: ClickLog) -> pd.DataFrame:
    """Return the click-through rate of each rank.

    Parameters
    ----------
    log : ClickLog

    Returns
    -------
    DataFrame
        ``rank`` (from 1), ``shown, clicks``; ``value``, the share of showings that were clicked, in
        [0, 1], with 95 % limits ``low, high`` by leaving each session out (`share_interval`);
        ``interval, unit``; ``units``, the sessions that have such a result; ``reason`` where one is
        NaN.
    """
    return _rate(log, log.shown).assign(rank=np.arange(1, log.depth + 1))[["rank", *_COLUMNS]]


def rates_by_level(log: ClickLog, levels: Floats) -> pd.DataFrame:
    """Return the click-through rate of each level, wherever results stood.

    Parameters
    ----------
    log : ClickLog
    levels : array of float, shape (n_items,)
        NaN where nobody judged: such items are a level of their own, the last.

    Returns
    -------
    DataFrame
        ``level`` and what `rates_by_rank` returns from ``shown`` on, a row a level that occurs.

    Notes
    -----
    A high level stands higher in lists, where more is clicked whatever it is: compare levels at one
    rank, by `rates_by_level_and_rank`, or their attractiveness.
    """
    parts = [
        _rate(log, where, by_rank=False).assign(level=level)
        for level, where in split_by_level(log, levels)
    ]
    return pd.concat(parts, ignore_index=True)[["level", *_COLUMNS]]


def rates_by_level_and_rank(log: ClickLog, levels: Floats) -> pd.DataFrame:
    """Return the click-through rate of each level at each rank.

    Parameters
    ----------
    log, levels
        As `rates_by_level`.

    Returns
    -------
    DataFrame
        ``level, rank`` and what `rates_by_rank` returns from ``shown`` on.
    """
    parts = [
        _rate(log, where).assign(level=level, rank=np.arange(1, log.depth + 1))
        for level, where in split_by_level(log, levels)
    ]
    return pd.concat(parts, ignore_index=True)[["level", "rank", *_COLUMNS]]


_COLUMNS = ["shown", "clicks", "value", "low", "high", "interval", "unit", "units", "reason"]


def split_by_level(log: ClickLog, levels: Floats) -> list[tuple[float, Mask]]:
    """Return each level that is shown, ascending and NaN last, and where it is shown."""
    of_each = np.where(log.shown, levels[log.item], np.nan)
    known = np.unique(of_each[~np.isnan(of_each)])
    found = [(float(level), of_each == level) for level in known]
    unjudged = log.shown & np.isnan(of_each)
    return [*found, (float("nan"), unjudged)] if unjudged.any() else found


def _rate(log: ClickLog, where: Mask, *, by_rank: bool = True) -> pd.DataFrame:
    """Return the rate of clicks on some results, by rank or in all."""
    cases, hits = (_sum_sessions(log, part, by_rank) for part in (where, where & log.clicked))
    low, high, units = share_interval(hits, cases)
    shown, clicks = cases.sum(axis=0), hits.sum(axis=0)
    value = np.full(len(shown), np.nan)
    np.divide(clicks, shown, out=value, where=shown > 0)
    missing = np.where(shown == 0, NEVER_SHOWN, FEW)
    return pd.DataFrame(
        {
            "shown": shown.astype(np.int64),
            "clicks": clicks.astype(np.int64),
            "value": value,
            "low": low,
            "high": high,
            "interval": INTERVAL,
            "unit": UNIT,
            "units": units,
            "reason": np.where(np.isnan(low), missing, ""),
        }
    )


def _sum_sessions(log: ClickLog, where: Mask, by_rank: bool) -> Floats:
    """Return how many results there are in each session, shape (n_sessions, depth or 1)."""
    columns = where.T if by_rank else [where.sum(axis=1)]
    return np.stack(
        [np.bincount(log.session, one, minlength=log.sessions) for one in columns], axis=1
    )


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
