"""Wins, losses and ties of pairs, with the share of wins and a sign test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from core.agreement.intervals import Floats, divide, share_interval, wilson_interval
from core.preference.clusters import PREFERENCE, TOPIC
from core.preference.pair_counts import PairCounts, count_pairs, pair_positions

if TYPE_CHECKING:
    import pandas as pd

ONE_TOPIC = "the pair was compared in one topic only; an interval over topics needs two"
ALL_TIED = "every trial is tied; the sign test drops ties"


def sign_test(won: ArrayLike, lost: ArrayLike) -> Floats:
    """Two-sided p of a fair coin falling as unevenly as this, or more.

    Parameters
    ----------
    won, lost : array_like, shape (...)
        Trials; tied ones are dropped beforehand.

    Returns
    -------
    array, shape (...)
        Exact binomial p in (0, 1]; NaN without trials.

    References
    ----------
    Dixon and Mood (1946), Journal of the American Statistical Association 41(236),
    doi:10.1080/01621459.1946.10501898.

    Examples
    --------
    >>> round(float(sign_test(8, 2)), 6)
    0.109375
    """
    from scipy.special import bdtr

    one, other = np.asarray(won, dtype=np.float64), np.asarray(lost, dtype=np.float64)
    tail = np.asarray(bdtr(np.minimum(one, other), (one + other).astype(np.int64), 0.5))
    return np.where(one + other > 0, np.minimum(2 * tail, 1), np.nan)


def tabulate_outcomes(preferences: pd.DataFrame, *, by_topic: bool | None = None) -> pd.DataFrame:
    """Return the outcomes of each pair, topic by topic or over topics.

    The share counts a tie as half a win each. Over topics, these are what is sampled: the share's
    limits come from leaving each out (`share_interval`), and a trial of the sign test is a topic,
    won by whom most of its preferences favour. Within a topic preferences are sampled, which are
    of different assessors: limits are Wilson's, and a trial is a preference. Tied trials are
    dropped.

    Parameters
    ----------
    preferences : DataFrame
        Canonical preferences of one kind and facet; first occasions in state 'level' count.
    by_topic : bool, optional
        Whether each topic has its own rows. Without it, of documents each has, of systems none.

    Returns
    -------
    DataFrame
        ``topic_id`` ('' over topics), ``first, second``; ``wins, losses, ties`` of the first and
        ``n``, in preferences; ``share`` of wins with its 95 % limits ``low, high``;
        ``interval, unit, units`` (the method, what it takes for sampled and how many of them);
        ``won, lost``, trials of the sign test; its ``p``; ``reason`` where limits or p are NaN.

    Raises
    ------
    BadInput
        There are several kinds or facets.
    TooLittleData
        There is no preference.
    """
    import pandas as pd

    pair_counts = count_pairs(preferences, by_topic=by_topic)
    gained = pair_counts.wins + pair_counts.ties / 2
    if pair_counts.items["topic_id"].iloc[0]:
        won, lost = pair_counts.wins, pair_counts.losses
        low, high = wilson_interval(gained, pair_counts.played)
        method, unit, units = "wilson", PREFERENCE, pair_counts.played.astype(np.int64)
    else:
        hits, cases, (won, lost) = _count_topics(preferences, pair_counts)
        low, high, units = share_interval(hits, cases)
        method, unit = "jackknife", TOPIC
    items, p = pair_counts.items, sign_test(won, lost)
    counts = {
        "wins": pair_counts.wins,
        "losses": pair_counts.losses,
        "ties": pair_counts.ties,
        "n": pair_counts.played,
    }
    return pd.DataFrame(
        {
            "topic_id": items["topic_id"].take(pair_counts.first).to_numpy(),
            "first": items["item"].take(pair_counts.first).to_numpy(),
            "second": items["item"].take(pair_counts.second).to_numpy(),
            **{name: count.astype(np.int64) for name, count in counts.items()},
            "share": divide(gained, pair_counts.played),
            "low": low,
            "high": high,
            "interval": method,
            "unit": unit,
            "units": units,
            "won": won.astype(np.int64),
            "lost": lost.astype(np.int64),
            "p": p,
            "reason": _explain(low, p),
        }
    )


def _explain(low: Floats, p: Floats) -> list[str]:
    limits = np.where(np.isnan(low), ONE_TOPIC, "")
    test = np.where(np.isnan(p), ALL_TIED, "")
    return ["; ".join(filter(None, both)) for both in zip(limits, test, strict=True)]


def _count_topics(
    preferences: pd.DataFrame, pair_counts: PairCounts
) -> tuple[Floats, Floats, tuple[Floats, Floats]]:
    """Return what the first gained and preferences, shape (topics, pairs); topics won and lost."""
    import pandas as pd

    by_topic = count_pairs(preferences, by_topic=True)
    pair = pair_positions(
        pd.DataFrame(
            {
                "first": by_topic.items["item"].take(by_topic.first).to_numpy(),
                "second": by_topic.items["item"].take(by_topic.second).to_numpy(),
            }
        ),
        pair_counts,
    )
    topic = pd.factorize(by_topic.items["topic_id"])[0][by_topic.first]
    hits, cases = np.zeros((2, int(topic.max()) + 1, len(pair_counts.first)))
    hits[topic, pair] = by_topic.wins + by_topic.ties / 2
    cases[topic, pair] = by_topic.played
    ahead = np.sign(2 * hits - cases)
    won, lost = ((ahead == side).sum(axis=0).astype(np.float64) for side in (1, -1))
    return hits, cases, (won, lost)
