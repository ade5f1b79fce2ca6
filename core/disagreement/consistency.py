"""Is disagreement more than inconsistency? One assessor's repeats against other assessors.

References
----------
Demeester et al. (2014), WSDM, section 3.3.2, doi:10.1145/2556195.2556268.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.agreement.intervals import Floats, divide
from core.agreement.ratings import Codes
from core.disagreement.repeated_labels import RepeatedLabels, mark_top
from core.disagreement.user_disagreement import check_weighting
from core.errors import BadInput, TooLittleData

SELF, CROSS = "self", "cross"
_UNSEEN = "no sample has a label of this level and a second label of the same item"


@dataclass(frozen=True)
class Consistency:
    """Samples of p(top | level) within and between assessors.

    Attributes
    ----------
    levels : tuple of int
        The levels of the scale, ascending.
    items : int
        Items that somebody judged several times.
    repeated : int
        Pairs of an assessor and such an item with several labels.
    samples : dict of str to array, shape (n_samples, n_levels)
        Under 'self', p(top | level) between two labels of one assessor on one item; under 'cross',
        between labels of different assessors on these items. NaN where a sample has no case.
    """

    levels: tuple[int, ...]
    items: int
    repeated: int
    samples: dict[str, Floats]

    def share_apart(self, top: int) -> float:
        """Return the share of samples in which people agree with themselves more than others do.

        On the top level; NaN where no sample has both.
        """
        own, others = (self.samples[name][:, self.levels.index(top)] for name in (SELF, CROSS))
        both = ~np.isnan(own) & ~np.isnan(others)
        return float(np.mean(own[both] > others[both])) if both.any() else float("nan")

    def summary(self) -> pd.DataFrame:
        """Return ``within`` ('self', 'cross'), ``level, mean, sd, reason``.

        The standard deviation is that of drawing labels again, no sampling error.
        """
        parts = []
        for within, values in self.samples.items():
            columns = [column[~np.isnan(column)] for column in values.T]
            part = pd.DataFrame({"within": within, "level": self.levels})
            part["mean"] = [column.mean() if column.size else np.nan for column in columns]
            part["sd"] = [column.std(ddof=1) if column.size > 1 else np.nan for column in columns]
            parts.append(part.assign(reason=np.where(part["mean"].isna(), _UNSEEN, "")))
        return pd.concat(parts, ignore_index=True)

    def histogram(self, width: float = 0.01) -> pd.DataFrame:
        """Return the share of samples in each bin of p, bins alike throughout (Figs 2 and 3).

        Parameters
        ----------
        width : float
            Width of a bin, above 0 and at most 1.

        Returns
        -------
        DataFrame
            ``within, level, low, high, share``; a row for each bin that is not empty, the shares
            of a level adding up to 1. The lower limit belongs to the bin, 1 to the last one.

        Raises
        ------
        BadInput
            The width does not fit.
        """
        if not 0 < width <= 1:
            raise BadInput(f"a bin is above 0 and at most 1 wide, not {width:g}", field="width")
        last = int(np.ceil(1 / width - 1e-9)) - 1
        parts = []
        for within, values in self.samples.items():
            for level, column in zip(self.levels, values.T, strict=True):
                known = column[~np.isnan(column)]
                position = np.minimum(np.floor(known / width + 1e-9).astype(np.int64), last)
                bins, number = np.unique(position, return_counts=True)
                part = pd.DataFrame({"low": bins * width, "high": (bins + 1) * width})
                part.insert(0, "within", within)
                part.insert(1, "level", level)
                parts.append(part.assign(share=number / max(len(known), 1)))
        return pd.concat(parts, ignore_index=True)


def estimate_consistency(
    labels: RepeatedLabels,
    top: int,
    weighting: str = "pairs",
    *,
    samples: int = 1000,
    rng: np.random.Generator,
) -> Consistency:
    """Sample one label per assessor and item, and compare assessors with themselves and others.

    Only items that somebody judged several times are used, with everybody's labels. In each sample
    'cross' compares the labels drawn, over ordered pairs of different assessors; 'self' compares
    the drawn label of everyone with several with another of theirs, never with itself.

    Parameters
    ----------
    labels : RepeatedLabels
        From ``code_repeated_labels``.
    top : int
        The top level; higher levels count as top, too.
    weighting : {'pairs', 'item'}
        How 'cross' counts: every ordered pair alike, as 'self' counts everyone with several
        labels alike; or every item as one double judgement.
    samples : int
        How many samples, at least 1.
    rng : Generator
        Source of the samples.

    Raises
    ------
    BadInput
        The top level is not on the scale, the weighting unknown or there is to be no sample.
    TooLittleData
        Nobody judged an item several times.
    """
    check_weighting(weighting)
    if samples < 1:
        raise BadInput(f"the number of samples is at least 1, not {samples}", field="samples")
    repeats = _find_repeats(labels)
    is_top = mark_top(labels.levels, top)
    within, between = [], []
    for _ in range(samples):
        drawn, other = (labels.level[at] for at in repeats.draw_two(rng))
        within.append(_share_top(drawn, is_top[other], len(is_top)))
        counts = repeats.single + _count_levels(repeats.item, drawn, repeats.single.shape)
        between.append(_compare_people(counts, is_top, weighting))
    found = {SELF: np.stack(within), CROSS: np.stack(between)}
    return Consistency(labels.levels, len(repeats.single), len(repeats.item), found)


@dataclass(frozen=True)
class _Repeats:
    """Where somebody's several labels on an item are; and the other labels on these items.

    ``item`` (0, 1 …), ``start`` and ``size`` are by assessor and item; ``single`` counts the
    labels of assessors with one label, shape (n_items, n_levels).
    """

    item: Codes
    start: Codes
    size: Codes
    single: Floats

    def draw_two(self, rng: np.random.Generator) -> tuple[Codes, Codes]:
        """Return the positions of two different labels of each assessor and item."""
        position = np.floor(rng.random(len(self.size)) * self.size).astype(np.int64)
        step = 1 + np.floor(rng.random(len(self.size)) * (self.size - 1)).astype(np.int64)
        return self.start + position, self.start + (position + step) % self.size


def _find_repeats(labels: RepeatedLabels) -> _Repeats:
    group = labels.item * (int(labels.person.max(initial=0)) + 1) + labels.person
    start = np.flatnonzero(np.diff(group, prepend=-1))
    size = np.diff(start, append=len(group))
    several = size > 1
    if not several.any():
        raise TooLittleData("nobody judged an item several times, so there is nothing to compare")
    chosen, item = np.unique(labels.item[start[several]], return_inverse=True)
    alone = start[~several & np.isin(labels.item[start], chosen)]
    single = _count_levels(
        np.searchsorted(chosen, labels.item[alone]),
        labels.level[alone],
        (len(chosen), len(labels.levels)),
    )
    return _Repeats(item, start[several], size[several], single)


def _count_levels(item: Codes, level: Codes, shape: tuple[int, ...]) -> Floats:
    """Count labels by item and level."""
    counts = np.bincount(item * shape[1] + level, minlength=shape[0] * shape[1])
    return counts.reshape(shape).astype(np.float64)


def _share_top(level: Codes, other_is_top: npt.NDArray[np.bool_], size: int) -> Floats:
    cases = np.bincount(level, minlength=size).astype(np.float64)
    top_cases = np.bincount(level[other_is_top], minlength=size).astype(np.float64)
    return divide(top_cases, cases)


def _compare_people(counts: Floats, is_top: npt.NDArray[np.bool_], weighting: str) -> Floats:
    """Return p(top | level) over ordered pairs, from one label per assessor by item and level."""
    labels = counts.sum(axis=1, keepdims=True)
    others = np.maximum(labels - 1, 0)
    weight = counts
    if weighting == "item":
        weight = counts * np.nan_to_num(divide(np.full(labels.shape, 2.0), labels * others))
    top_others = counts[:, is_top].sum(axis=1, keepdims=True) - is_top
    return divide((weight * top_others).sum(axis=0), (weight * others).sum(axis=0))
