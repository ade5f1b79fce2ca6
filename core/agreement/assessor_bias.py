"""How one assessor judges, beside the others and beside gold items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.agreement.coefficients import Kappa, Raw
from core.agreement.confusion import Matrices
from core.agreement.corrections import correct
from core.agreement.intervals import Floats, divide, share_interval, share_p
from core.agreement.pairs import NO_ITEMS, ONE_TOPIC
from core.agreement.ratings import Codes, Ratings
from core.agreement.topics import FEWEST_ITEMS

if TYPE_CHECKING:
    import pandas as pd

NO_GOLD = "none of the items judged is gold"
FEW_GOLD = f"κ needs {FEWEST_ITEMS} gold items judged"
FEW_ITEMS = f"no pair has {FEWEST_ITEMS} common items and a defined κ"


def level_shares(ratings: Ratings) -> pd.DataFrame:
    """Count how often each assessor gave each level, beside all others together.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.

    Returns
    -------
    DataFrame
        ``assessor_id, level, labels, share, others, others_share``; a row for each assessor and
        level of the scale. Shares are in [0, 1] and sum to 1 over the levels; ``others_share``
        is NaN where nobody else gave a label.
    """
    import pandas as pd

    size, levels = len(ratings.assessors), len(ratings.levels)
    cells = ratings.assessor * levels + ratings.level
    own = np.bincount(cells, minlength=size * levels).reshape(size, levels)
    others = own.sum(axis=0) - own
    columns = {
        "assessor_id": np.repeat(pd.Index(ratings.assessors, dtype="str"), levels),
        "level": np.tile(np.asarray(ratings.levels, dtype=np.int64), size),
    }
    for name, share, counts in (
        ("labels", "share", own),
        ("others", "others_share", others),
    ):
        columns[name] = counts.ravel()
        columns[share] = divide(counts.astype(np.float64), counts.sum(axis=1)[:, None]).ravel()
    return pd.DataFrame(columns)


def deviations(ratings: Ratings) -> Floats:
    """Return how far each label lies above the mean of the others' labels on its item.

    Returns
    -------
    array, shape (n_labels,)
        In steps of the scale, in [1 − L, L − 1] for L levels; NaN where nobody else judged the
        item.
    """
    size, own = len(ratings.items), ratings.level.astype(np.float64)
    labels = np.bincount(ratings.item, minlength=size).astype(np.float64)
    sums = np.bincount(ratings.item, weights=own, minlength=size).astype(np.float64)
    return own - divide(sums[ratings.item] - own, labels[ratings.item] - 1)


def leniency(ratings: Ratings) -> pd.DataFrame:
    """Measure how much higher each assessor judges than the others on the same items.

    Leniency is the mean, over the items that the assessor and somebody else judged, of the
    assessor's level minus the mean level of the others on that item, in steps of the scale.
    Above 0 is more lenient than the others, below 0 stricter. It compares with the others, not
    with the truth.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.

    Returns
    -------
    DataFrame
        ``assessor_id, n, value, low, high, p, interval, unit, units, reason``, a row for each
        assessor. ``n`` counts the common items; ``value`` is in [1 − L, L − 1] for L levels, and
        so are the 95 % limits, from leaving each of the assessor's topics out
        (`jackknife_interval`). ``p``, that the value is 0, is corrected by Holm's method for all
        with 10 common items or more, and NaN for others. ``reason`` says why something is NaN: no
        common items, all of them in one topic, or the same in every topic.
    """
    import pandas as pd

    deviation = deviations(ratings)
    common = ~np.isnan(deviation)
    topic, assessor = ratings.topic[common], ratings.assessor[common]
    shape = (len(ratings.topics), len(ratings.assessors))
    cells = topic * shape[1] + assessor
    sums = _add_up(cells, deviation[common], shape)
    counts = _add_up(cells, np.ones(len(cells)), shape)
    widest = max(len(ratings.levels) - 1, 1)
    low, high, topics = share_interval(sums / widest, counts, -1.0)
    items = counts.sum(axis=0)
    p = share_p(sums / widest, counts)
    is_tested = (items >= FEWEST_ITEMS) & ~np.isnan(p)
    p[~is_tested] = np.nan
    p[is_tested] = correct(p[is_tested], "holm")
    reason = np.where(items == 0, NO_ITEMS, np.where(np.isnan(low), ONE_TOPIC, ""))
    return pd.DataFrame(
        {
            "assessor_id": pd.Index(ratings.assessors, dtype="str"),
            "n": items.astype(np.int64),
            "value": divide(sums.sum(axis=0), items),
            "low": low * widest,
            "high": high * widest,
            "p": p,
            "interval": "jackknife",
            "unit": "topic",
            "units": topics,
            "reason": reason,
        }
    )


def _add_up(cells: Codes, values: Floats, shape: tuple[int, int]) -> Floats:
    sums = np.bincount(cells, weights=values, minlength=shape[0] * shape[1])
    return sums.reshape(shape).astype(np.float64)


def agreement_with_others(pairs: pd.DataFrame) -> pd.DataFrame:
    """Summarise each assessor's agreement with every other one.

    Pairs with fewer than 10 common items or an undefined value are left out.

    Parameters
    ----------
    pairs : DataFrame
        ``first, second, n, value`` of one coefficient, as from ``agreement_by_pair``.

    Returns
    -------
    DataFrame
        ``assessor_id, pairs, mean, lowest, highest, reason``, a row for each assessor in a pair.
        The plain mean over the pairs that count, and their range; NaN with a reason where no
        pair counts.
    """
    import pandas as pd

    mirrored = pairs.rename(columns={"first": "second", "second": "first"})
    both = pd.concat([pairs, mirrored])[["first", "n", "value"]]
    counted = both["value"].where(both["n"] >= FEWEST_ITEMS)
    table = counted.groupby(both["first"]).agg(["count", "mean", "min", "max"]).reset_index()
    table.columns = pd.Index(["assessor_id", "pairs", "mean", "lowest", "highest"])
    return table.assign(reason=np.where(table["pairs"] == 0, FEW_ITEMS, ""))


def agreement_with_gold(ratings: Ratings, gold: pd.DataFrame) -> pd.DataFrame:
    """Compare each assessor with the levels of gold items.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    gold : DataFrame
        ``topic_id, document_id, engine, level`` of the items marked in this facet; at most one
        row for an item, levels as counted. Items that nobody judged and levels off the scale are
        left out.

    Returns
    -------
    DataFrame
        ``assessor_id, n, raw, raw_low, raw_high, kappa, low, high, reason``, a row for each
        assessor: gold items judged, the share that got the gold level with Wilson's limits, and
        linear weighted κ with Cohen's limits of 1968, from 10 gold items on. ``reason`` says
        why something is NaN.
    """
    import pandas as pd

    counts = _gold_matrices(ratings, gold)
    raw, kappa = Raw(), Kappa("linear")
    raw_low, raw_high = raw.interval(counts, ratings.levels)
    items = counts.sum(axis=(1, 2)).astype(np.int64)
    limits = kappa.value(counts, ratings.levels), *kappa.interval(counts, ratings.levels)
    value, low, high = (np.where(items < FEWEST_ITEMS, np.nan, one) for one in limits)
    few = np.where(items == 0, NO_GOLD, FEW_GOLD)
    why = np.where(items < FEWEST_ITEMS, few, f"κ is not defined: {kappa.undefined}")
    return pd.DataFrame(
        {
            "assessor_id": pd.Index(ratings.assessors, dtype="str"),
            "n": items,
            "raw": raw.value(counts, ratings.levels),
            "raw_low": raw_low,
            "raw_high": raw_high,
            "kappa": value,
            "low": low,
            "high": high,
            "reason": np.where(np.isnan(value), why, ""),
        }
    )


def _gold_matrices(ratings: Ratings, gold: pd.DataFrame) -> Matrices:
    """Return items by assessor, level given and gold level."""
    size = len(ratings.levels)
    gold_level = gold_codes(ratings, gold)[ratings.item]
    known = gold_level >= 0
    cells = (ratings.assessor * size + ratings.level) * size + gold_level
    shape = (len(ratings.assessors), size, size)
    counts = np.bincount(cells[known], minlength=shape[0] * size * size)
    return counts.reshape(shape).astype(np.float64)


def gold_codes(ratings: Ratings, gold: pd.DataFrame) -> Codes:
    """Return the position of each item's gold level on the scale; −1 without one."""
    keys = ["topic_id", "document_id", "engine"]
    position = {level: at for at, level in enumerate(ratings.levels)}
    coded = gold[keys].astype("str").assign(code=gold["level"].map(position).astype("float64"))
    found = ratings.items.merge(coded, on=keys, how="left")["code"]
    return found.fillna(-1).to_numpy().astype(np.int64)
