"""Side bias: whether assessors favour what stands on the left, or on the right."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.agreement.intervals import Floats, divide, exact_interval
from core.preference.clusters import PREFERENCE
from core.preference.outcomes import sign_test
from core.preference.selection import decided_preferences

ALL = ""
"""In place of an assessor: all of them together."""

NO_SIDE = "no choice between two items whose sides are known"
NO_REPEAT = "no pair was judged a second time with its sides swapped"
NO_CHANGE = "the choice was the same item every time, or a tie"

_WHO_AND_WHAT = ["assessor_id", "topic_id", "kind", "facet", "first", "second"]


def side_bias(preferences: pd.DataFrame) -> pd.DataFrame:
    """How often the item on the left was chosen, by assessor and in all.

    With sides put at random, a fair assessor chooses the left one half of the time, whatever the
    items. Where the sides of a pair are balanced over its assessors, the total is a little less
    spread than the test assumes, so that the test errs on the safe side.

    Parameters
    ----------
    preferences : DataFrame
        Canonical preferences, of any kinds and facets; first occasions in state 'level' count,
        if they are no ties and the side is known.

    Returns
    -------
    DataFrame
        ``assessor_id`` ('' in the first row: all together), ``left`` (times the left one was
        chosen), ``n, share``, its 95 % exact limits ``low, high`` with ``interval, unit, units``
        (sides are put at random, preference by preference), exact binomial ``p`` and
        ``reason`` where there is none. Of many assessors some have a small p by chance.

    Raises
    ------
    TooLittleData
        There is no preference.
    """
    rows = decided_preferences(preferences)
    counted = (rows["choice"] != "tie") & (rows["left"] != "")
    chosen = rows["first"].where(rows["choice"] == "first", rows["second"])
    sides = pd.DataFrame(
        {
            "assessor_id": rows["assessor_id"],
            "n": counted.astype(np.int64),
            "left": (counted & (chosen == rows["left"])).astype(np.int64),
        }
    )
    table = _add_total(sides.groupby("assessor_id", sort=True).sum().reset_index())
    left, n = (table[name].to_numpy(np.float64) for name in ("left", "n"))
    low, high = exact_interval(left, n)
    p = sign_test(left, n - left)
    return table[["assessor_id", "left", "n"]].assign(
        share=divide(left, n),
        low=low,
        high=high,
        interval="clopper-pearson",
        unit=PREFERENCE,
        units=n.astype(np.int64),
        p=p,
        reason=_explain(p, NO_SIDE),
    )


def swapped_repeats(preferences: pd.DataFrame) -> pd.DataFrame:
    """What assessors chose when they met a pair again with its sides swapped.

    Who chooses the same item again is consistent; who chooses the same side again was led by the
    side, or by chance: then left and right are equally likely. Of several repeats each counts.

    Parameters
    ----------
    preferences : DataFrame
        Canonical preferences; repeats are occasions from 1 on, compared with occasion 0.

    Returns
    -------
    DataFrame
        ``assessor_id`` ('' in the first row: all together), ``n`` (repeats), ``same`` (the same
        item, or a tie, again), ``left`` and ``right`` (the same side both times), ``changed``
        (between a choice and a tie); ``share`` of the same with 95 % exact limits ``low,
        high`` and ``interval, unit, units``; ``p``, exact binomial, of left against right;
        ``reason`` where one is missing.
    """
    judged = preferences[(preferences["state"] == "level") & (preferences["left"] != "")]
    first = judged[judged["occasion"] == 0]
    again = judged[judged["occasion"] > 0]
    columns = [*_WHO_AND_WHAT, "choice", "left"]
    both = first[columns].merge(again[columns], on=_WHO_AND_WHAT, suffixes=("", "_again"))
    both = both[both["left"] != both["left_again"]]
    is_tie = (both["choice"] == "tie").astype(int) + (both["choice_again"] == "tie").astype(int)
    same = both["choice"] == both["choice_again"]
    chosen = both["first"].where(both["choice"] == "first", both["second"])
    by_side = ~same & (is_tie == 0)
    flags = {
        "n": same | True,
        "same": same,
        "left": by_side & (chosen == both["left"]),
        "right": by_side & (chosen != both["left"]),
        "changed": is_tie == 1,
    }
    counts = pd.DataFrame({name: flag.astype(np.int64) for name, flag in flags.items()})
    table = counts.groupby(both["assessor_id"], sort=True).sum().reset_index()
    table = _add_total(table)
    n, stayed, left, right = (
        table[name].to_numpy(np.float64) for name in ("n", "same", "left", "right")
    )
    low, high = exact_interval(stayed, n)
    p = sign_test(left, right)
    reason = np.where(n == 0, NO_REPEAT, _explain(p, NO_CHANGE))
    return table.assign(
        share=divide(stayed, n),
        low=low,
        high=high,
        interval="clopper-pearson",
        unit=PREFERENCE,
        units=n.astype(np.int64),
        p=p,
        reason=reason,
    )


def _add_total(table: pd.DataFrame) -> pd.DataFrame:
    """Put a row with the sums of all assessors in front."""
    sums = table.drop(columns="assessor_id").sum()
    total = pd.DataFrame([{"assessor_id": ALL, **sums}])
    whole = pd.concat([total, table], ignore_index=True).astype({"assessor_id": "str"})
    return whole.astype({name: np.int64 for name in sums.index})


def _explain(p: Floats, reason: str) -> NDArray[np.str_]:
    return np.where(np.isnan(p), reason, "")
