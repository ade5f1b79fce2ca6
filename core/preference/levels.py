"""Preferences and levels or weights: how often the item with the higher one is preferred."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats, divide, share_interval
from core.errors import BadInput, TooLittleData
from core.preference.pair_counts import Codes
from core.preference.selection import comparable_preferences

ONE_TOPIC = "all these preferences are of one topic; an interval over topics needs two"
ONE_DEFINES = "one topic alone defines the slope: no interval over topics"
NONE_HERE = "no preference between items this far apart"
ALWAYS = (
    "the item with the higher level or weight was always preferred, or never: the slope is not "
    "finite"
)
SAME = "every topic has the same slope, so that nothing tells how far others would differ"
_STEEPEST, _HALVINGS = 1e6, 100
_NO_SPREAD = 1e-9


def gain_differences(preferences: pd.DataFrame, gains: pd.DataFrame) -> pd.DataFrame:
    """Return the preferences between items of known gain, and how far the items are apart.

    Parameters
    ----------
    preferences : DataFrame
        Canonical preferences of one kind and facet; first occasions in state 'level' count.
    gains : DataFrame
        ``topic_id, item, gain``: a level, or a weight, one for each topic and item.

    Returns
    -------
    DataFrame
        ``topic_id, first, second, difference`` (gain of the first less that of the second) and
        ``chosen`` (1 the first, 0 the second, ½ tie). Pairs with an item of unknown gain are
        left out.

    Raises
    ------
    BadInput
        There are several kinds or facets, or an item has two gains in a topic.
    TooLittleData
        No pair has two known gains.
    """
    rows = comparable_preferences(preferences)
    known = gains[["topic_id", "item", "gain"]].dropna()
    if known.duplicated(["topic_id", "item"]).any():
        raise BadInput("an item has two values in one topic; give one", field="gain")
    table = rows[["topic_id", "first", "second", "choice"]]
    for name in ("first", "second"):
        own = known.rename(columns={"item": name, "gain": f"{name}_gain"})
        table = table.merge(own, on=["topic_id", name])
    if table.empty:
        raise TooLittleData("no preference is between two items with a level")
    chosen = table["choice"].map({"first": 1.0, "tie": 0.5, "second": 0.0})
    difference = table["first_gain"].astype(float) - table["second_gain"].astype(float)
    return table[["topic_id", "first", "second"]].assign(difference=difference, chosen=chosen)


def preference_by_difference(
    differences: pd.DataFrame, edges: Sequence[float] | None = None
) -> pd.DataFrame:
    """How often the item of greater gain is preferred, by the size of the difference.

    Parameters
    ----------
    differences : DataFrame
        From ``gain_differences``.
    edges : sequence of float, optional
        Where classes of difference begin and end, ascending from 0: (0, .1, .2, 1) makes three,
        each without its lower and with its upper edge. Without it, each difference that occurs
        is a class of its own, as levels have.

    Returns
    -------
    DataFrame
        ``over, up_to`` (the class; equal where it is one difference), ``n``; ``higher, lower,
        ties``: preferences for the item of greater and of lesser gain and for neither;
        ``share`` for the greater, a tie half, with 95 % limits ``low, high`` over topics (the
        jackknife of `share_interval`) and ``interval, unit, units``; ``reason`` where one is NaN.
        Pairs of equal gain come first, their n and ties only: none is greater.

    Raises
    ------
    BadInput
        The edges do not ascend from 0, or end before the greatest difference.
    """
    size = differences["difference"].abs().to_numpy(np.float64).round(12)
    if edges is None:
        values, position = np.unique(np.append(0.0, size), return_inverse=True)
        over, up_to, position = values, values, position[1:]
    else:
        limits = np.asarray(edges, dtype=np.float64)
        if len(limits) < 2 or limits[0] != 0 or (np.diff(limits) <= 0).any():
            raise BadInput("edges ascend from 0: 0, 0.1, 0.2", field="edges")
        if size.max() > limits[-1]:
            raise BadInput(f"the last edge must reach {size.max():g}", field="edges")
        over, up_to = np.append(0.0, limits[:-1]), np.append(0.0, limits[1:])
        position = np.searchsorted(limits, size)
    towards = np.sign(differences["difference"]) * (2 * differences["chosen"] - 1)
    higher, lower, ties = (
        np.bincount(position[flag], minlength=len(over)).astype(np.float64)
        for flag in (
            towards.to_numpy() > 0,
            towards.to_numpy() < 0,
            (differences["chosen"] == 0.5).to_numpy(),
        )
    )
    n = np.bincount(position, minlength=len(over)).astype(np.float64)
    counts = {"n": n, "higher": higher, "lower": lower, "ties": ties}
    hits, cases = np.zeros((2, differences["topic_id"].nunique(), len(over)))
    topic = pd.factorize(differences["topic_id"])[0]
    np.add.at(hits, (topic, position), (towards.to_numpy() + 1) / 2)
    np.add.at(cases, (topic, position), 1.0)
    cases[:, up_to == 0] = hits[:, up_to == 0] = 0
    return _tabulate(over, up_to, counts, hits, cases)


def _tabulate(
    over: Floats, up_to: Floats, counts: dict[str, Floats], hits: Floats, cases: Floats
) -> pd.DataFrame:
    trials = cases.sum(axis=0)
    low, high, topics = share_interval(hits, cases)
    none = np.where(up_to > 0, NONE_HERE, "no difference: neither is higher")
    why = np.where(trials > 0, ONE_TOPIC, none)
    return pd.DataFrame(
        {
            "over": over,
            "up_to": up_to,
            **{name: count.astype(np.int64) for name, count in counts.items()},
            "share": divide(hits.sum(axis=0), trials),
            "low": low,
            "high": high,
            "interval": "jackknife",
            "unit": "topic",
            "units": topics,
            "reason": np.where(np.isnan(low), why, ""),
        }
    )


def preference_slope(differences: pd.DataFrame) -> tuple[float, float, float, str]:
    """How much the log odds of being preferred rise with one unit of gain.

    A logistic model without intercept, in which a tie is half a choice of each; pairs of equal
    gain tell nothing of it. Above 0 the item of greater gain is preferred, and the more so, the
    larger the difference.

    Parameters
    ----------
    differences : DataFrame
        From ``gain_differences``.

    Returns
    -------
    slope, low, high : float
        With 95 % limits over topics: each is left out in turn, by one step of Newton's method,
        and Student's t has one degree of freedom less than there are topics. NaN where the slope
        has no bound or all pairs are of equal gain; the limits, also where there is one topic
        only, one alone tells of the slope, or all have the same.
    reason : str
        Why something is NaN; '' otherwise.
    """
    unequal = differences[differences["difference"] != 0]
    x, y = (unequal[name].to_numpy(np.float64) for name in ("difference", "chosen"))
    if not len(x):
        return float("nan"), float("nan"), float("nan"), "no pair has a difference"
    towards = np.sign(x) * (2 * y - 1)
    if (towards == 1).all() or (towards == -1).all():
        return float("nan"), float("nan"), float("nan"), ALWAYS
    unit = np.abs(x).max()
    slope, half = _fit_slope(x / unit, y, pd.factorize(unequal["topic_id"])[0])
    one = unequal["topic_id"].nunique() < 2
    if half < _NO_SPREAD:
        return slope / unit, np.nan, np.nan, SAME
    reason = "" if np.isfinite(half) else ONE_TOPIC if one else ONE_DEFINES
    return slope / unit, (slope - half) / unit, (slope + half) / unit, reason


def _fit_slope(x: Floats, y: Floats, topic: Codes) -> tuple[float, float]:
    """Return slope and half its interval, by bisection: the derivative falls all the way."""
    from scipy.special import stdtrit

    low, high = -_STEEPEST, _STEEPEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        chance = (1 + np.tanh(middle * x / 2)) / 2
        low, high = (middle, high) if (x * (y - chance)).sum() > 0 else (low, middle)
    score = np.bincount(topic, x * (y - chance)).astype(np.float64)
    information = np.bincount(topic, x**2 * chance * (1 - chance)).astype(np.float64)
    topics = len(score)
    moves = divide(score, information.sum() - information)
    error = np.sqrt((topics - 1) / topics * (moves**2).sum()) if topics > 1 else np.nan
    return middle, float(stdtrit(max(topics - 1, 1), 0.975) * error)
