"""Signs of careless responding in how labels were given; none of them proves anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.agreement.assessor_null import compare_with_dealt, count_shuffles, deal
from core.agreement.intervals import Floats
from core.agreement.ratings import Codes
from core.collection.labels.counted_labels import counted_labels

if TYPE_CHECKING:
    import pandas as pd

FAST_MS = 1_000
"""An answer that came in less was given before most items can have been read."""

NEAR = 5
"""Two presses no farther apart, in thousand parts of the window each way, are at one spot."""


def careless_responding(paradata: pd.DataFrame, facet: str) -> pd.DataFrame:
    """Count by assessor what answering without looking leaves behind.

    Parameters
    ----------
    paradata : DataFrame
        ``topic_id, document_id, engine, assessor_id, facet, occasion, state, sequence, dwell_ms,
        shown_ms, place, x, y``, as `read_paradata` gives them. First occasions of levels count.
    facet : str
        'snippet' or 'page'.

    Returns
    -------
    DataFrame
        ``assessor_id, answers, fast, longest_run, same_spot``: how many labels are known of;
        which share of the timed ones was given less than a second after the item was shown, with
        as little active time in all (NaN without a timed one); the largest number of labels in a
        row, as they were first given, by the button at one place (0 where no place is known); of
        those given by a pointer the share pressed at the spot of the one before (NaN where fewer
        than two were).
    """
    rows = _order(paradata, facet)
    table = rows.groupby("assessor_id").size().rename("answers").to_frame()
    for sign in _read_signs(rows):
        table[sign.name] = sign.by_assessor(sign.given)
    table["longest_run"] = table["longest_run"].fillna(0).astype("int64")
    return table.reset_index()


def careless_by_chance(
    paradata: pd.DataFrame, facet: str, shuffles: int | None = None, seed: int = 1
) -> pd.DataFrame:
    """Set signs of careless responding beside what others give on the same items.

    What was noted of each label (that it came fast, by the button at which place, at the spot of
    the one before) is dealt anew among those who labelled the item. Everybody keeps the order in
    which they judged, so that clear topics, which one button answers, give long runs there, too.

    Parameters
    ----------
    paradata, facet
        As for `careless_responding`.
    shuffles : int, optional
        How often it is dealt; as many as `count_shuffles` says, without.
    seed : int, default 1

    Returns
    -------
    DataFrame
        ``assessor_id, finding`` ('fast', 'longest_run' or 'same_spot')``, value, items, items_low,
        items_high, p``: the value, its mean and 95 % limits where it is dealt anew within items,
        and p that it is so high, corrected for all assessors (`compare_with_dealt`) and, by
        Bonferroni, for the signs of which anything is known.
    """
    import pandas as pd

    names = ["assessor_id", "finding", "value", "items", "items_low", "items_high", "p"]
    parts = [pd.DataFrame({name: [] for name in names}).astype({name: "str" for name in names[:2]})]
    rng = np.random.default_rng(seed)
    for sign in _read_signs(_order(paradata, facet)):
        if len(sign.who):
            times = count_shuffles(len(sign.who)) if shuffles is None else shuffles
            dealt = [sign.by_assessor(sign.given[at]) for at in deal(sign.item, times, rng)]
            found = sign.by_assessor(sign.given)
            value = np.asarray(found, dtype=np.float64)
            chance = compare_with_dealt(value, np.array(dealt), 1)
            columns = dict(zip(names, (found.index, sign.name, value, *chance), strict=True))
            parts.append(pd.DataFrame(columns))
    table = pd.concat(parts, ignore_index=True)
    return table.assign(p=(table["p"] * (len(parts) - 1)).clip(upper=1))


class _Sign(NamedTuple):
    """What is noted of labels, in the order in which each assessor gave them."""

    name: str
    people: pd.Index[str]
    who: Codes
    item: Codes
    given: Floats

    def by_assessor(self, given: Floats) -> pd.Series[float]:
        """Return the share of labels of each assessor that have it, or how many in a row do."""
        import pandas as pd

        if self.name != "longest_run":
            shares = np.bincount(self.who, given) / np.bincount(self.who)
            return pd.Series(shares, self.people)
        is_new = (np.diff(given, prepend=-1) != 0) | (np.diff(self.who, prepend=-1) != 0)
        starts = np.flatnonzero(is_new)
        longest = np.zeros(len(self.people))
        np.maximum.at(longest, self.who[starts], np.diff(starts, append=len(given)))
        return pd.Series(longest, self.people)


def _order(paradata: pd.DataFrame, facet: str) -> pd.DataFrame:
    return counted_labels(paradata, facet).sort_values(["assessor_id", "sequence"])


def _read_signs(rows: pd.DataFrame) -> Iterator[_Sign]:
    """Yield each sign, of the labels of which it is known."""
    timed = rows[rows["shown_ms"].notna()]
    yield _code("fast", timed, timed[["shown_ms", "dwell_ms"]].max(axis=1) < FAST_MS)
    placed = rows[rows["place"].notna()]
    yield _code("longest_run", placed, placed["place"])
    pressed = rows[rows["x"].notna() & rows["y"].notna()]
    moved = pressed[["x", "y"]].astype("float64").diff().abs().max(axis=1)
    follows = pressed["assessor_id"] == pressed["assessor_id"].shift()
    yield _code("same_spot", pressed[follows], moved[follows] <= NEAR)


def _code(name: str, rows: pd.DataFrame, given: pd.Series[Any]) -> _Sign:
    import pandas as pd

    who, people = pd.factorize(rows["assessor_id"], sort=True)
    item = rows.groupby(["topic_id", "document_id", "engine"], sort=False).ngroup()
    index = pd.Index(people, dtype="str", name="assessor_id")
    of_item = np.asarray(item, dtype=np.int64)
    return _Sign(name, index, who.astype(np.int64), of_item, given.to_numpy(np.float64))
