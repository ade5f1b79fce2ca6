"""Which levels a machine gives where people gave some level."""

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats, divide, share_interval
from core.agreement.pairs import ONE_TOPIC
from core.machines.joined_labels import JoinedLabels

NOT_GIVEN = "no person gave this level to an item of the machine"


def level_distribution(joined: JoinedLabels) -> pd.DataFrame:
    """Count which levels the machine gives, for each level of people.

    Parameters
    ----------
    joined : JoinedLabels
        From `join_labels`. Each label of a person counts once.

    Returns
    -------
    DataFrame
        ``machine, level, machine_level, n, cases, value, low, high, interval, unit, units,
        reason``, a row for every two levels. ``cases`` are the labels of people with ``level``,
        ``n`` those of them where the machine gave ``machine_level``, ``value`` their share in
        [0, 1], with 95 % limits by `share_interval`: topics are what is sampled. NaN where nobody
        gave the level; ``reason`` says why something is NaN.
    """
    hits = _sum_by_topic(joined)
    topics, size = hits.shape[:2]
    cases = np.broadcast_to(hits.sum(axis=2, keepdims=True), hits.shape)
    levels = np.asarray(joined.ratings.levels, dtype=np.int64)
    both = {"level": np.repeat(levels, size), "machine_level": np.tile(levels, size)}
    return _tabulate(joined, both, hits.reshape(topics, -1), cases.reshape(topics, -1))


def near_levels(joined: JoinedLabels, steps: int = 1) -> pd.DataFrame:
    """Count how often the machine is near people, for each level of theirs.

    Parameters
    ----------
    joined : JoinedLabels
        From `join_labels`.
    steps : int, default 1
        How many steps of the scale are near.

    Returns
    -------
    DataFrame
        ``machine, level`` and the columns of `level_distribution` from ``n`` on: ``n`` of the
        ``cases`` are at most so many steps away.
    """
    counts = _sum_by_topic(joined)
    place = np.arange(counts.shape[1])
    is_near = np.abs(place - place[:, np.newaxis]) <= steps
    levels = {"level": np.asarray(joined.ratings.levels, dtype=np.int64)}
    return _tabulate(joined, levels, (counts * is_near).sum(axis=2), counts.sum(axis=2))


def _sum_by_topic(joined: JoinedLabels) -> Floats:
    """Return labels by topic, level of a person and level of the machine."""
    _, topic, counts = joined.beside_people()
    sums = np.zeros((len(joined.ratings.topics), *counts.shape[1:]))
    np.add.at(sums, topic, counts)
    return sums


def _tabulate(
    joined: JoinedLabels, names: dict[str, np.ndarray], hits: Floats, cases: Floats
) -> pd.DataFrame:
    """Return shares by level, from hits and cases by topic."""
    low, high, topics = share_interval(hits, cases)
    number = cases.sum(axis=0)
    missing = np.where(number == 0, NOT_GIVEN, ONE_TOPIC)
    return pd.DataFrame(
        {
            "machine": joined.machine,
            **names,
            "n": hits.sum(axis=0).astype(np.int64),
            "cases": number.astype(np.int64),
            "value": divide(hits.sum(axis=0), number),
            "low": low,
            "high": high,
            "interval": "jackknife",
            "unit": "topic",
            "units": topics,
            "reason": np.where(np.isnan(low), missing, ""),
        }
    )
