"""Whether systems come out the same under other judgements than people's: order, significance."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd

from core.comparison.choices import TOPICS
from core.comparison.conditions import SEED, Condition
from core.comparison.significance_overlap import significance_overlap
from core.comparison.tau_limits import (
    Coefficient,
    SystemRanking,
    TauLimits,
    correlate,
    observe,
    sample_tau,
    try_orders_together,
)
from core.comparison.top_weighted import correlate_best, correlate_weighted

BESTS = (5, 10, 20)
"""Within how many of the best systems τ is told, unless somebody asks otherwise."""

TAU, TAU_AP, TAU_TOP = "tau", "tau_ap", "tau_top"

KEPT, VANISHED, APPEARED, TURNED, NEITHER = CHANGES = (
    "kept",
    "vanished",
    "appeared",
    "turned",
    "neither",
)
"""What becomes of a difference: significant under both, under people's judgements only, under the
other ones only, under both in opposite directions, under neither."""

METHOD = "bootstrap"

RANKING_COLUMNS = [
    "source", "coefficient", "best", "systems", "value", "low", "high",
    "interval", "unit", "units", "reason",
]  # fmt: skip
DIFFERENCE_COLUMNS = [
    "source", "first", "second", "difference_people", "p_people",
    "difference", "p", "change",
]  # fmt: skip


def correlate_orders(
    people: Condition, others: Sequence[Condition], bests: Sequence[int] = BESTS
) -> pd.DataFrame:
    """Return how alike the order of systems is to that under people's judgements.

    Parameters
    ----------
    people : Condition
        The systems under people's judgements.
    others : sequence of Condition
        The same systems on the same topics under others.
    bests : sequence of int, default (5, 10, 20)
        Within how many of the systems that are best by people τ is told, too; only numbers from 2
        to less than there are systems count.

    Returns
    -------
    DataFrame
        A row for each other condition and coefficient: ``source``; ``coefficient``: 'tau' (τ-b),
        'tau_ap' (people's order is the truth) or 'tau_top' (τ-b within the ``best`` ones);
        ``best``, missing for the first two; ``systems``, how many it compares; ``value`` in
        [-1, 1]; ``low, high``, its 95 % limits; ``interval, unit, units``, how they were found and
        what was sampled; ``reason``, why something is NaN, else ''.

    Notes
    -----
    The limits are those of ``sample_tau``: topics are drawn again, and the limits hold the value
    that studies of so many topics have on average. Each sample has its own best systems.

    References
    ----------
    Yilmaz, Aslam and Robertson (2008), SIGIR, doi:10.1145/1390334.1390435.
    """
    rows = [row for other in others for row in _correlate(people, other, bests)]
    frame = pd.DataFrame(rows, columns=RANKING_COLUMNS)
    return frame.astype({"best": "Int64"})


def _correlate(
    people: Condition, other: Condition, bests: Sequence[int]
) -> Iterator[tuple[object, ...]]:
    systems = people.scores["system"].nunique()
    asked: list[tuple[str, int | None, Coefficient]] = [
        (TAU, None, correlate),
        (TAU_AP, None, correlate_weighted),
        *(
            (TAU_TOP, best, partial(correlate_best, best=best))
            for best in sorted(set(bests))
            if 2 <= best < systems
        ),
    ]
    for name, best, coefficient in asked:
        compared = best or systems
        value, limits = _find(people, other, coefficient, compared)
        found = value, limits.low, limits.high, METHOD, TOPICS, limits.units, limits.reason
        yield (other.name, name, best, compared, *found)


def _find(
    people: Condition, other: Condition, coefficient: Coefficient, compared: int
) -> tuple[float, TauLimits]:
    if people.matrix is None or other.matrix is None:
        return np.nan, TauLimits(np.nan, np.nan, 0, people.reason or other.reason)
    orders = SystemRanking(people.matrix), SystemRanking(other.matrix)
    limits = sample_tau(
        *orders,
        TOPICS,
        np.random.default_rng(SEED),
        coefficient=coefficient,
        compared=compared,
    )
    return observe(*orders, coefficient), limits


def try_orders(people: Condition, others: Sequence[Condition], alpha: float = 0.05) -> pd.DataFrame:
    """Test whether each other order differs from people's by more than chance.

    Parameters
    ----------
    people, others
        As for ``correlate_orders``.
    alpha : float, default 0.05
        The level of significance.

    Returns
    -------
    DataFrame
        ``source``; ``p`` and ``shown_below``, see ``try_orders_together``; ``reason``, why there is
        no test, else ''; ``differ``, True for p < α, missing without a test. What is not shown to
        differ is not shown to be the same.
    """
    pairs = [
        None
        if people.matrix is None or other.matrix is None
        else (SystemRanking(people.matrix), SystemRanking(other.matrix))
        for other in others
    ]
    tests = try_orders_together(pairs, SEED, alpha)
    rows = [
        (other.name, one.p, one.shown_below, one.reason if pair else people.reason or other.reason)
        for other, pair, one in zip(others, pairs, tests, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["source", "p", "shown_below", "reason"])
    known = (frame["p"] < alpha).astype("boolean")
    return frame.assign(differ=known.mask(frame["p"].isna()))


def compare_differences(
    people: Condition, others: Sequence[Condition], alpha: float = 0.05
) -> pd.DataFrame:
    """Return what becomes of each difference between two systems under other judgements.

    Parameters
    ----------
    people, others
        As for ``correlate_orders``, with their tests (``examine_condition``).
    alpha : float, default 0.05
        Significant is p < α.

    Returns
    -------
    DataFrame
        A row for each other condition and pair of systems: ``source, first, second``, the first
        with the higher mean by people; ``difference_people, p_people`` and ``difference, p``, of
        the means under either; ``change``, of ``CHANGES``. No row where one was not tested.
    """
    parts = [
        _pair_up(people, other, alpha)
        for other in others
        if people.matrix is not None and other.matrix is not None
    ]
    if not parts:
        return pd.DataFrame(columns=DIFFERENCE_COLUMNS)
    return pd.concat(parts, ignore_index=True)


def _pair_up(people: Condition, other: Condition, alpha: float) -> pd.DataFrame:
    columns = ["first", "second", "difference", "p"]
    own = other.pairs[columns]
    turned = own.assign(first=own["second"], second=own["first"], difference=-own["difference"])
    both = people.pairs[columns].merge(
        pd.concat([own, turned]), on=["first", "second"], suffixes=("_people", "")
    )
    change = pd.array(_name_changes(both, alpha), dtype="str")
    return both.assign(source=other.name, change=change)[DIFFERENCE_COLUMNS]


def _name_changes(both: pd.DataFrame, alpha: float) -> list[str]:
    before, after = (both["p_people"] < alpha), (both["p"] < alpha)
    is_turned = both["difference_people"] * both["difference"] < 0
    cases = [before & after & is_turned, before & after, before, after]
    return [*np.select(cases, [TURNED, KEPT, VANISHED, APPEARED], NEITHER)]


def count_changes(
    people: Condition, others: Sequence[Condition], alpha: float = 0.05
) -> pd.DataFrame:
    """Return how many significant differences are kept, vanish, appear or turn round.

    Parameters
    ----------
    people, others, alpha
        As for ``compare_differences``.

    Returns
    -------
    DataFrame
        ``source``; a count for each of ``CHANGES``; ``pairs``, of systems; ``share``, the kept of
        all that is significant under either (a turned one counts on both sides); NaN, with the
        ``reason``, where nothing is; counts are missing where one was not tested, or where so few
        topics let the test find nothing.
    """
    changes = compare_differences(people, others, alpha)
    rows = []
    for other in others:
        own = changes.loc[changes["source"] == other.name, "change"]
        if reason := _explain_untested(people, other, alpha):
            rows.append((other.name, *[None] * len(CHANGES), len(own), np.nan, reason))
            continue
        counts = [int((own == change).sum()) for change in CHANGES]
        share = significance_overlap(people.pairs, other.pairs, alpha).share
        rows.append((other.name, *counts, len(own), share, NOTHING if share != share else ""))
    frame = pd.DataFrame(rows, columns=["source", *CHANGES, "pairs", "share", "reason"])
    return frame.astype(dict.fromkeys(CHANGES, "Int64"))


NOTHING = "no difference is significant under either"


def _explain_untested(people: Condition, other: Condition, alpha: float) -> str:
    """Return why two conditions cannot be compared, else ''."""
    for one in (people, other):
        if one.matrix is None:
            return one.reason
        if not one.least_p() < alpha:
            topics = len(one.matrix.topics)
            return f"{topics} topics allow no p below {one.least_p():.3g}"
    return ""
