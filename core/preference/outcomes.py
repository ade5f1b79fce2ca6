"""Wins, losses and ties of pairs, with the share of wins and a sign test."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from core.agreement.intervals import Floats, divide, wilson_interval
from core.preference.pair_counts import PairCounts, count_pairs

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

    The share counts a tie as half a win each. Its interval takes preferences for independent:
    several of one topic are not quite, so over topics it is on the narrow side. The sign test is
    not misled by that: over topics a trial is a topic, won by whom most of its preferences
    favour. Within a topic a trial is a preference. Tied trials are dropped.

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
        ``n``, in preferences; ``share`` of wins with its 95 % Wilson limits ``low, high``;
        ``won, lost``, trials of the sign test; its ``p``; ``reason`` where p is NaN.

    Raises
    ------
    BadInput
        There are several kinds or facets.
    TooLittleData
        There is no preference.
    """
    pair_counts = count_pairs(preferences, by_topic=by_topic)
    won, lost = pair_counts.wins, pair_counts.losses
    if not pair_counts.items["topic_id"].iloc[0]:
        won, lost = _count_topics(preferences, pair_counts)
    gained = pair_counts.wins + pair_counts.ties / 2
    low, high = wilson_interval(gained, pair_counts.played)
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
            "won": won.astype(np.int64),
            "lost": lost.astype(np.int64),
            "p": p,
            "reason": np.where(np.isnan(p), ALL_TIED, ""),
        }
    )


def _count_topics(preferences: pd.DataFrame, pair_counts: PairCounts) -> tuple[Floats, Floats]:
    """Return the topics in which most preferences are for the first, and for the second."""
    by_topic = count_pairs(preferences, by_topic=True)
    position = pd.Index(pair_counts.items["item"]).get_indexer(pd.Index(by_topic.items["item"]))
    size = len(pair_counts.items)
    pair = np.searchsorted(
        pair_counts.first * size + pair_counts.second,
        position[by_topic.first] * size + position[by_topic.second],
    )
    ahead = np.sign(by_topic.wins - by_topic.losses)
    won, lost = (
        np.bincount(pair[ahead == side], minlength=len(pair_counts.first)).astype(np.float64)
        for side in (1, -1)
    )
    return won, lost
