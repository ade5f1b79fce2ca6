"""Whether the User Disagreement Model holds, where many users judged the same item.

References
----------
Demeester et al. (2014), WSDM, sections 3.2 and 4.5, doi:10.1145/2556195.2556268.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.agreement.intervals import Floats, divide, share_interval
from core.agreement.ratings import Codes
from core.disagreement.repeated_labels import RepeatedLabels, mark_top
from core.disagreement.user_disagreement import relevance_weight
from core.errors import BadInput, TooLittleData

WANTED = 6
"""How many labels of an item are looked at, where there are as many."""

_NO_LIMITS = "one {unit} alone tells of it, or all tell the same: no interval over {unit}s"
_UNDRAWN = "no item has a first label of this level"
_PREDICTED = {"predicted": "mean", "predicted_low": "low", "predicted_high": "high"}
"""Which chance each prediction is the weight for."""

_ONE_DRAW = "drawn in one repeat only, so there is no standard deviation"


@dataclass(frozen=True)
class ExpectedDraws:
    """One label of every item and then several of the others, as the mean over all draws.

    Attributes
    ----------
    levels : tuple of int
        The levels of the scale, ascending.
    is_top : array of bool, shape (n_levels,)
    items : int
        How many items have enough labels.
    expected : array, shape (n_units, n_levels, n_others, n_others + 1)
        At (u, i, n − 1, k): the items of a unit of the sample whose first label is level i and of
        whose next n labels k are top.
    unit : {'topic', 'item'}
        What is sampled.
    """

    levels: tuple[int, ...]
    is_top: npt.NDArray[np.bool_]
    items: int
    expected: Floats
    unit: str


@dataclass(frozen=True)
class Draws(ExpectedDraws):
    """Repeated draws beside what they are on average.

    Attributes
    ----------
    counts : array of int, shape (n_repeats, n_levels, n_others, n_others + 1)
        As ``expected``, of each draw and all units together.
    """

    counts: Codes

    @property
    def cases(self) -> Floats:
        """Items by repeat and level of the first label, shape (n_repeats, n_levels)."""
        cases: Floats = self.counts[:, :, 0].sum(axis=-1).astype(np.float64)
        return cases


def draw_labels(
    labels: RepeatedLabels,
    top: int,
    *,
    min_labels: int = WANTED,
    others: int = WANTED - 1,
    repeats: int = 50,
    rng: np.random.Generator,
) -> Draws:
    """Draw one label of each item with many labels, then others of the same item, repeatedly.

    Parameters
    ----------
    labels : RepeatedLabels
        From ``code_repeated_labels``.
    top : int
        The top level; higher levels count as top, too.
    min_labels : int
        Items with fewer labels are left out; at least 2.
    others : int
        The most labels to draw beside the first; at most ``min_labels`` − 1 are drawn.
    repeats : int
        How often to draw, at least 1.
    rng : Generator
        Source of the draws.

    Raises
    ------
    BadInput
        The top level is not on the scale, or a number is too small.
    TooLittleData
        No item has enough labels.
    """
    for name, what, given, least in (
        ("min_labels", "the least number of labels of an item", min_labels, 2),
        ("others", "the number of others", others, 1),
        ("repeats", "the number of repeats", repeats, 1),
    ):
        if given < least:
            raise BadInput(f"{what} is at least {least}, not {given}", field=name)
    found = expect_draws(labels, top, min_labels=min_labels, others=others)
    starts, sizes = _find_items(labels, min_labels)
    counts = [
        _count_draw(
            labels.level[starts[:, None] + _choose(sizes, found.expected.shape[2] + 1, rng)],
            found.is_top,
        )
        for _ in range(repeats)
    ]
    return Draws(
        found.levels, found.is_top, found.items, found.expected, found.unit, np.stack(counts)
    )


def expect_draws(
    labels: RepeatedLabels, top: int, *, min_labels: int = WANTED, others: int = WANTED - 1
) -> ExpectedDraws:
    """Return what `draw_labels` draws on average; parameters and errors are the same."""
    starts, sizes = _find_items(labels, min_labels)
    if not sizes.size:
        most = np.bincount(labels.item).max(initial=0)
        reason = f"the most is {most}" if most else "nothing was judged so far"
        raise TooLittleData(f"no item has {min_labels} labels; {reason}")
    is_top = mark_top(labels.levels, top)
    expected = _expect_counts(labels, is_top, starts, sizes, min(others, min_labels - 1))
    return ExpectedDraws(labels.levels, is_top, len(starts), expected, labels.unit_name)


def _find_items(labels: RepeatedLabels, min_labels: int) -> tuple[Codes, Codes]:
    """Return where items with enough labels begin, and how many labels each has."""
    starts = np.flatnonzero(np.diff(labels.item, prepend=-1))
    sizes = np.diff(starts, append=len(labels.item))
    return starts[sizes >= min_labels], sizes[sizes >= min_labels]


def verify_probability(draws: Draws) -> pd.DataFrame:
    """Estimate p(top | level) from 1, 2 … others of each item (Fig. 1).

    Returns
    -------
    DataFrame
        ``level, n, mean, sd, cases``: mean and standard deviation over the repeats of the mean
        share of top labels among n others, and the mean number of items it is based on. The
        standard deviation is that of drawing labels again, and says nothing of other topics:
        ``low, high`` do, 95 % limits by leaving units out in turn (`share_interval`), with
        ``interval, unit, units``. ``reason`` says why something is NaN.
    """
    others = np.arange(1, draws.counts.shape[2] + 1)
    tops = np.arange(others[-1] + 1)
    mean, sd = _describe(divide(draws.counts @ tops / others, draws.cases[..., None]))
    table = pd.DataFrame(
        {
            "level": np.repeat(draws.levels, len(others)),
            "n": np.tile(others, len(draws.levels)),
            "mean": mean.ravel(),
            "sd": sd.ravel(),
            "cases": np.repeat(draws.cases.mean(axis=0), len(others)),
        }
    )
    return _add_limits(table, draws, draws.expected @ tops / others, "mean")


def verify_weights(draws: Draws) -> pd.DataFrame:
    """Compare how often M of N users find an item top with what the model predicts.

    The first label drawn is that of one of the N (Fig. 5, Table 1).

    Returns
    -------
    DataFrame
        ``level, users, at_least, observed, sd``: mean and standard deviation over the repeats of
        the share of items; its 95 % limits ``low, high`` with ``interval, unit, units``, as
        `verify_probability` has them; ``predicted``, the weight for the p(top | level) of the
        same draws with all others, and ``predicted_low, predicted_high``, those for the limits of
        p; ``reason``.
    """
    p = verify_probability(draws)
    p = p[p["n"] == p["n"].max()].reset_index(drop=True)
    parts = []
    for users in range(2, draws.counts.shape[2] + 2):
        for at_least in range(1, users + 1):
            reached = count_reached(draws.counts, draws, users, at_least)
            observed, sd = _describe(divide(reached, draws.cases))
            part = pd.DataFrame({"level": p["level"], "users": users, "at_least": at_least})
            part = part.assign(observed=observed, sd=sd)
            for name, of in _PREDICTED.items():
                part[name] = [
                    relevance_weight(float(at), bool(is_top), users, at_least)
                    for at, is_top in zip(p[of], draws.is_top, strict=True)
                ]
            hits = count_reached(draws.expected, draws, users, at_least)
            parts.append(_add_limits(part, draws, hits[..., np.newaxis], "observed"))
    table = pd.concat(parts, ignore_index=True)
    return table.sort_values(["level", "users", "at_least"], ignore_index=True)


def _choose(sizes: Codes, wanted: int, rng: np.random.Generator) -> Codes:
    """Choose different positions below each size in random order, shape (n_items, wanted)."""
    chosen = np.empty((len(sizes), wanted), dtype=np.int64)
    for step in range(wanted):
        position = np.floor(rng.random(len(sizes)) * (sizes - step)).astype(np.int64)
        # The position counts only what is left: step over what was chosen before, lowest first.
        for taken in np.sort(chosen[:, :step], axis=1).T:
            position += position >= taken
        chosen[:, step] = position
    return chosen


def _count_draw(drawn: Codes, is_top: npt.NDArray[np.bool_]) -> Codes:
    """Count one draw's items by first level, number of others and top ones among them."""
    others = drawn.shape[1] - 1
    found = np.cumsum(is_top[drawn[:, 1:]], axis=1)
    cell = (drawn[:, :1] * others + np.arange(others)) * (others + 1) + found
    size = len(is_top) * others * (others + 1)
    counts = np.bincount(cell.ravel(), minlength=size)
    return counts.reshape(len(is_top), others, others + 1)


def _expect_counts(
    labels: RepeatedLabels,
    is_top: npt.NDArray[np.bool_],
    starts: Codes,
    sizes: Codes,
    others: int,
) -> Floats:
    """Return what ``_count_draw`` gives for each unit, on average over all draws."""
    from scipy.special import comb

    item = np.repeat(np.arange(len(starts)), sizes)
    at = np.arange(len(item)) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    levels = np.zeros((len(starts), len(is_top)))
    np.add.at(levels, (item, labels.level[at]), 1)
    unit = np.unique(labels.unit[starts], return_inverse=True)[1]
    expected = np.zeros((int(unit.max()) + 1, len(is_top), others, others + 1))
    n, top = np.arange(1, others + 1)[:, np.newaxis], np.arange(others + 1)
    tops = levels[:, is_top].sum(axis=1)
    for level, own in enumerate(levels.T):
        seen = np.flatnonzero(own)
        # Of the labels that are left, so many are top; the others are drawn without replacement.
        rest, left = sizes[seen] - 1, tops[seen] - is_top[level]
        kinds, kind = np.unique(np.stack([rest, left]), axis=1, return_inverse=True)
        known, tops_left = kinds[:, :, np.newaxis, np.newaxis]
        ways = comb(tops_left, top) * comb(known - tops_left, n - top)
        chance = ways / comb(known, n)
        share = np.zeros((len(expected), kinds.shape[1]))
        np.add.at(share, (unit[seen], kind), own[seen] / sizes[seen])
        expected[:, level] = np.tensordot(share, chance, axes=1)
    return expected


def _add_limits(table: pd.DataFrame, draws: Draws, hits: Floats, value: str) -> pd.DataFrame:
    """Return rows with limits of the value over units; ``hits`` has shape (units, levels, n)."""
    cases = np.broadcast_to(draws.expected[:, :, 0].sum(axis=-1)[..., np.newaxis], hits.shape)
    size = len(draws.expected)
    low, high, units = share_interval(hits.reshape(size, -1), cases.reshape(size, -1))
    missing = table[value].isna().to_numpy()
    one_draw = np.where(table["sd"].isna(), _ONE_DRAW, "")
    no_limits = np.where(np.isnan(low), _NO_LIMITS.format(unit=draws.unit), "")
    reason = [
        _UNDRAWN if is_missing else "; ".join(filter(None, both))
        for is_missing, *both in zip(missing, one_draw, no_limits, strict=True)
    ]
    return table.assign(
        low=low, high=high, interval="jackknife", unit=draws.unit, units=units, reason=reason
    )


def count_reached(
    counts: Floats | Codes, draws: ExpectedDraws, users: int, at_least: int
) -> Floats:
    """Count the items that M of the first N labels find top, shape (…, n_levels)."""
    counts = counts[:, :, users - 2]
    needed = at_least - draws.is_top[:, None]
    reached: Floats = np.where(np.arange(counts.shape[2]) >= needed, counts, 0).sum(axis=-1)
    return reached


def _describe(values: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation over the first axis, undefined repeats left out."""
    defined = ~np.isnan(values)
    number = defined.sum(axis=0).astype(np.float64)
    mean = divide(np.where(defined, values, 0).sum(axis=0), number)
    squares = np.where(defined, (values - mean) ** 2, 0).sum(axis=0)
    return mean, np.sqrt(divide(squares, number - 1))
