"""What clicks are worth for predicting the level that people give, beside rank alone."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats, mean_interval
from core.clicks.click_log import ClickLog, Integers
from core.errors import BadInput, TooLittleData
from core.wording import count

RANK = "rank"
FOLDS = 5
_ROUNDING = 1e-12
INTERVAL, UNIT = "t on log odds", "topic"
BASELINE = "what the others are set beside"


def predict_levels(
    log: ClickLog,
    levels: Floats,
    signals: Mapping[str, Floats],
    *,
    folds: int = FOLDS,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare what predicts which of two results of a query people give the higher level.

    Parameters
    ----------
    log : ClickLog
    levels : array of float, shape (n_items,)
        NaN where nobody judged.
    signals : mapping of str to array, shape (n_items,)
        What clicks say of each item, by name: its click-through rate, its attractiveness.
    folds, seed : int
        Queries are dealt into folds at random; each fold is predicted from the others.

    Returns
    -------
    DataFrame
        A row for ``rank`` (mean reciprocal rank of an item) alone, for each signal alone, and for
        each with rank: ``predictor``; ``value``, the mean over queries of the area under the curve
        (how often the item of the higher level has the higher prediction; ties half), in [0, 1],
        .5 by chance, with 95 % limits ``low, high`` over queries; ``difference, difference_low,
        difference_high``, from rank alone, by Student's t; ``interval, unit, units, reason``.
        Where all queries have one difference, its limits allow for the share of others that so
        many queries hide with a chance of 5 %, as far off as an area can be.

    Raises
    ------
    BadInput
        Fewer than two folds.
    TooLittleData
        Fewer queries with results of different levels than folds.

    Notes
    -----
    Predictions are linear: least squares of levels about their query's mean. No signal may have
    seen labels; that it has seen the clicks of held-out queries is the point.
    """
    if folds < 2:
        raise BadInput("to hold queries out takes at least two folds", field="folds")
    rank = _reciprocal_rank(log)
    kept = np.flatnonzero(~np.isnan(rank) & ~np.isnan(levels))
    query, level = log.query_of[kept], levels[kept]
    spread = _spread(query, level)
    kept, query, level = kept[spread], query[spread], level[spread]
    known, query = np.unique(query, return_inverse=True)
    if len(known) < folds:
        raise TooLittleData(
            f"{count(len(known), 'query has', 'queries have')} results of different levels; to "
            f"hold some out takes {folds} at least"
        )
    fold = np.random.default_rng(seed).permutation(np.arange(len(known)) % folds)[query]
    alone = {RANK: [rank]} | {name: [one] for name, one in signals.items()}
    both = {f"{RANK} and {name}": [rank, one] for name, one in signals.items()}
    areas = {}
    for name, columns in (alone | both).items():
        features = np.stack([one[kept] for one in columns], axis=1)
        areas[name] = _areas(_predict(features, level, query, fold), level, query)
    return pd.DataFrame([_describe(name, one, areas[RANK]) for name, one in areas.items()])


def _reciprocal_rank(log: ClickLog) -> Floats:
    """Return the mean reciprocal rank at which each item was shown, NaN where it never was."""
    page, rank = np.nonzero(log.shown)
    item = log.item[page, rank]
    shown = np.bincount(item, minlength=len(log.items)).astype(float)
    sums = np.bincount(item, 1 / (rank + 1), minlength=len(log.items))
    found = np.full(len(shown), np.nan)
    np.divide(sums, shown, out=found, where=shown > 0)
    return found


def _spread(query: Integers, level: Floats) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Return which results belong to a query with different levels."""
    size = int(query.max(initial=-1)) + 1
    least, most = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(least, query, level)
    np.maximum.at(most, query, level)
    return (most > least)[query]


def _centre(values: Floats, query: Integers) -> Floats:
    """Return values less the mean of their query, by column."""
    counts = np.bincount(query)
    means = np.stack([np.bincount(query, one) / counts for one in values.T], axis=1)
    centred: Floats = values - means[query]
    return centred


def _predict(features: Floats, level: Floats, query: Integers, fold: Integers) -> Floats:
    """Return predictions of held-out queries."""
    inside, about = _centre(features, query), _centre(level[:, np.newaxis], query)[:, 0]
    found = np.empty(len(level))
    for one in np.unique(fold):
        slope = np.linalg.lstsq(inside[fold != one], about[fold != one], rcond=None)[0]
        found[fold == one] = inside[fold == one] @ slope
    return found.round(12)


def _areas(prediction: Floats, level: Floats, query: Integers) -> Floats:
    """Return the area under the curve of each query."""
    order = np.argsort(query, kind="stable")
    ends = np.flatnonzero(np.diff(query[order])) + 1
    return np.array([_area(prediction[own], level[own]) for own in np.split(order, ends)])


def _area(prediction: Floats, level: Floats) -> float:
    higher = level[:, np.newaxis] > level
    ahead = np.sign(prediction[:, np.newaxis] - prediction)
    return float((ahead[higher].mean() + 1) / 2)


def _describe(name: str, areas: Floats, beside: Floats) -> dict[str, object]:
    queries = len(areas)
    (low,), (high,) = mean_interval(*_sum_up(areas), np.array([float(queries)]))
    value, error = _sum_up(areas - beside)
    below, above = np.nan, np.nan
    if name != RANK:
        below, above = _limit_difference(float(value[0]), float(error[0]), queries)
    return {
        "predictor": name,
        "value": float(areas.mean()),
        "low": float(low),
        "high": float(high),
        "difference": float(value[0]),
        "difference_low": below,
        "difference_high": above,
        "interval": INTERVAL,
        "unit": UNIT,
        "units": queries,
        "reason": BASELINE if name == RANK else "",
    }


def _limit_difference(value: float, error: float, queries: int) -> tuple[float, float]:
    """Return limits by Student's t, or by what may be hidden where all differences are alike."""
    from scipy.special import stdtrit

    if error <= _ROUNDING:
        hidden = 1 - 0.05 ** (1 / queries)
        return value - hidden * (1 + value), value + hidden * (1 - value)
    half = float(stdtrit(queries - 1, 0.975)) * error
    return max(value - half, -1.0), min(value + half, 1.0)


def _sum_up(values: Floats) -> tuple[Floats, Floats]:
    """Return the mean and its standard error."""
    error = values.std(ddof=1) / np.sqrt(len(values))
    return np.array([values.mean()]), np.array([error])
