"""Anchoring: what it did to labels that a machine's level was told at the end of their topic."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.agreement.intervals import Floats, divide, share_interval
from core.errors import TooLittleData

FIRST = "first label agrees with the machine"
REVISED = "revised"
TOWARDS = "revised towards the machine"
AWAY = "revised away from the machine"
LAST = "last label agrees with the machine"
QUESTIONS = (FIRST, REVISED, TOWARDS, AWAY, LAST)
"""What is compared between the items that were shown and the others, in this order."""

EVERYBODY, SHOWN_MORE, SHOWN_LESS = "everybody", "those shown more", "those shown less"

METHOD = "jackknife-t of both shares, joined"
"""How limits of a difference come about: each share's own, by leaving topics out, joined."""

_MOST_ALIKE = 0.95
"""How alike the errors of two shares are taken to be at most: else limits could be the value."""

ONE_SIDE = "there are no such items on one side"
ONE_TOPIC = "there is one topic only, and topics are what is sampled"
ONE_DECIDES = "without one of the topics there are no items on one side"

Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int64]


def compare_halves(labels: pd.DataFrame) -> pd.DataFrame:
    """Compare items whose assessors were to be told a machine's level with the others.

    Which these are is drawn at random, so nothing but the telling sets the halves apart: the share
    of first labels that agree with the machine, given before anything was told, checks the draw.

    Parameters
    ----------
    labels : DataFrame
        A row for each item and assessor: ``assessor_id, topic_id, shown`` (whether it was drawn)
        ``, first, last`` (levels; NaN for none: it cannot be judged, or was taken back) and
        ``machine`` (the machine's level, never NaN).

    Returns
    -------
    DataFrame
        A row for each of ``QUESTIONS``: ``question, shown, shown_items, other, other_items,
        difference, low, high, topics, method, reason``. ``shown`` and ``other`` are shares in
        [0, 1]; ``difference`` is the first less the second, in [−1, 1], with 95 % limits over
        topics, as many as ``topics`` have such items. A share is NaN without items, the difference
        where one of them is; ``reason`` says why it, or its limits, are NaN. Agreement is of items
        with a level; a label is revised where the last one is another, towards the machine where
        it is nearer to the machine's level.

    Raises
    ------
    TooLittleData
        There are no labels.

    References
    ----------
    Zou and Donner (2008), Statistics in Medicine 27(10), doi:10.1002/sim.3095, for the limits of
    a difference; those of the shares are of `share_interval`.

    Examples
    --------
    >>> labels = pd.DataFrame({
    ...     "assessor_id": "a", "topic_id": list("ssttuu"), "shown": [True, False] * 3,
    ...     "first": [0.0] * 6, "last": [1.0, 0.0, 1.0, 0.0, 0.0, 0.0], "machine": 1.0})
    >>> compare_halves(labels).round(2).loc[1, ["question", "shown", "other"]].to_dict()
    {'question': 'revised', 'shown': 0.67, 'other': 0.0}
    """
    _require_labels(labels)
    return _compare(labels, np.zeros(len(labels), np.int64), 1).drop(columns="group")


def compare_by_assessor(labels: pd.DataFrame) -> pd.DataFrame:
    """Compare the halves of each assessor.

    Parameters
    ----------
    labels : DataFrame
        As for `compare_halves`.

    Returns
    -------
    DataFrame
        ``assessor_id``, in the order of their names, and what `compare_halves` returns.

    Raises
    ------
    TooLittleData
        There are no labels.
    """
    _require_labels(labels)
    code, assessors = pd.factorize(labels["assessor_id"], sort=True)
    table = _compare(labels, code, len(assessors))
    table.insert(0, "assessor_id", np.asarray(assessors, object)[table["group"]])
    return table.drop(columns="group")


def follow_drift(labels: pd.DataFrame) -> pd.DataFrame:
    """Compare how far first labels agree with the machine early and late in a round.

    First labels are given before anything is told of their item. If they come nearer to the machine
    in those who were told more, that may be what was learnt from it; early and late are of other
    topics, though, and nothing was drawn at random here.

    Parameters
    ----------
    labels : DataFrame
        As for `compare_halves`, with ``sequence``, by which an assessor's labels are in order;
        the first half of them is early.

    Returns
    -------
    DataFrame
        ``whose, assessor_id, shown_items, early, early_items, late, late_items, difference, low,
        high, topics, method, reason``. The first rows are pooled, and ``assessor_id`` is empty:
        ``EVERYBODY``; then, where they differ in how much they were shown, ``SHOWN_MORE`` (more
        than the median assessor) and ``SHOWN_LESS`` (all others). Then a row for each assessor,
        with ``whose`` empty. ``difference`` is late less early, in [−1, 1]; the rest is as in
        `compare_halves`.

    Raises
    ------
    TooLittleData
        There are no labels.
    """
    _require_labels(labels)
    own = labels.sort_values("sequence").groupby("assessor_id")
    is_late = (2 * own.cumcount() >= own["sequence"].transform("size")).reindex(labels.index)
    rows = labels.assign(late=is_late)
    parts = [_drift(part).assign(whose=whose) for whose, part in _pool(rows)]
    code, assessors = pd.factorize(rows["assessor_id"], sort=True)
    alone = _drift(rows, code, len(assessors))
    alone = alone.assign(whose="", assessor_id=np.asarray(assessors, object))
    table = pd.concat([*parts, alone], ignore_index=True).fillna({"assessor_id": ""})
    names = ["whose", "assessor_id", "shown_items", "early", "early_items", "late", "late_items"]
    return table[[*names, *_DIFFERENCE]]


_DIFFERENCE = ["difference", "low", "high", "topics", "method", "reason"]


def _require_labels(labels: pd.DataFrame) -> None:
    if labels.empty:
        raise TooLittleData("nothing was judged yet that the machine had judged before")


def _pool(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    yield EVERYBODY, rows
    shown = rows.groupby("assessor_id")["shown"].transform("sum")
    counts = rows.groupby("assessor_id")["shown"].sum()
    is_more = shown > counts.median()
    if is_more.any():
        yield SHOWN_MORE, rows[is_more]
        yield SHOWN_LESS, rows[~is_more]


def _drift(rows: pd.DataFrame, group: Codes | None = None, groups: int = 1) -> pd.DataFrame:
    code = np.zeros(len(rows), np.int64) if group is None else group
    hits, cases = _ask(rows)[FIRST]
    table = _difference(rows, hits, cases, rows["late"].to_numpy(bool), code, groups)
    shown = np.bincount(code, rows["shown"].to_numpy(np.float64), groups).astype(np.int64)
    names = {"on": "late", "on_items": "late_items", "off": "early", "off_items": "early_items"}
    return table.rename(columns=names).assign(shown_items=shown)


def _compare(labels: pd.DataFrame, group: Codes, groups: int) -> pd.DataFrame:
    """Return the answers to all questions, group by group."""
    side = labels["shown"].to_numpy(bool)
    asked = _ask(labels).items()
    parts = [
        _difference(labels, hits, cases, side, group, groups).assign(
            question=question, group=np.arange(groups)
        )
        for question, (hits, cases) in asked
    ]
    names = {"on": "shown", "on_items": "shown_items", "off": "other", "off_items": "other_items"}
    table = pd.concat(parts, ignore_index=True).rename(columns=names)
    columns = ["group", "question", *names.values(), *_DIFFERENCE]
    return table.sort_values("group", kind="stable", ignore_index=True)[columns]


def _ask(labels: pd.DataFrame) -> dict[str, tuple[Bools, Bools]]:
    """Return for each question which rows are such cases, and which of these it holds of."""
    first, last, machine = (
        labels[name].to_numpy(np.float64) for name in ("first", "last", "machine")
    )
    everything = np.ones(len(labels), bool)
    known_first, known_last = ~np.isnan(first), ~np.isnan(last)
    change = np.abs(last - machine) - np.abs(first - machine)  # NaN is neither nearer nor further
    return {
        FIRST: (first == machine, known_first),
        REVISED: ((first != last) & (known_first | known_last), everything),
        TOWARDS: (change < 0, everything),
        AWAY: (change > 0, everything),
        LAST: (last == machine, known_last),
    }


def _difference(
    labels: pd.DataFrame, hits: Bools, cases: Bools, side: Bools, group: Codes, groups: int
) -> pd.DataFrame:
    """Return the shares on both sides of each group, and how they differ, topics being sampled."""
    topic, topics = pd.factorize(labels["topic_id"])
    shape = (groups, len(topics), 2)
    cell = np.ravel_multi_index((group, topic, side.astype(np.int64)), shape)
    size = int(np.prod(shape))
    counted, found = (
        np.bincount(cell, one, size).astype(np.float64).reshape(shape)
        for one in (cases, hits & cases)
    )
    items, share = counted.sum(axis=1), divide(found.sum(axis=1), counted.sum(axis=1))
    value = share[:, 1] - share[:, 0]
    low, high = _limit(share, found, counted)
    known = (counted.sum(axis=2) > 0).sum(axis=1)
    return pd.DataFrame(
        {
            **{"on": share[:, 1], "on_items": items[:, 1].astype(np.int64)},
            **{"off": share[:, 0], "off_items": items[:, 0].astype(np.int64)},
            **{"difference": value, "low": low, "high": high, "topics": known, "method": METHOD},
            "reason": [_explain(*row) for row in zip(value, low, known, strict=True)],
        }
    )


def _limit(share: Floats, found: Floats, counted: Floats) -> tuple[Floats, Floats]:
    """Return 95 % limits of differences of two shares, from the sums by group, topic and side.

    A topic that is hard is so on both sides, so their errors go together as leaving topics out
    tells.
    """
    groups, topics = counted.shape[:2]
    sides = [one.transpose(1, 0, 2).reshape(topics, 2 * groups) for one in (found, counted)]
    low, high, _ = share_interval(sides[0], sides[1])
    down, up = share - low.reshape(share.shape), high.reshape(share.shape) - share
    alike = _correlate(found, counted)
    value = share[:, 1] - share[:, 0]
    return (
        value - _join(down[:, 1], up[:, 0], alike),
        value + _join(up[:, 1], down[:, 0], alike),
    )


def _join(one: Floats, other: Floats, alike: Floats) -> Floats:
    """Return how far a limit of a difference is off, by how far those of its two parts are."""
    far: Floats = np.sqrt(np.maximum(one**2 + other**2 - 2 * alike * one * other, 0))
    return far


def _correlate(found: Floats, counted: Floats) -> Floats:
    """Return the correlation of both shares over topics left out in turn; 0 where one is fixed."""
    left = counted.sum(axis=1, keepdims=True) - counted
    without = divide(found.sum(axis=1, keepdims=True) - found, left)
    without = np.where(counted.sum(axis=2, keepdims=True) > 0, without, np.nan)
    known = np.isfinite(without)
    mean = divide(
        np.where(known, without, 0).sum(axis=1, keepdims=True), known.sum(axis=1, keepdims=True)
    )
    apart = np.where(known, without - mean, 0)
    squares = (apart**2).sum(axis=1)
    both = divide(apart.prod(axis=2).sum(axis=1), np.sqrt(squares.prod(axis=1)))
    return np.clip(np.nan_to_num(both), -1, _MOST_ALIKE)


def _explain(value: float, low: float, topics: int) -> str:
    """Return why a difference or its limits are not defined; empty where they are."""
    if np.isnan(value):
        return ONE_SIDE
    if not np.isnan(low):
        return ""
    return ONE_TOPIC if topics < 2 else ONE_DECIDES
