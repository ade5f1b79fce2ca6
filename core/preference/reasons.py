"""Why one of two things was preferred: how often each reason was given, and for what."""

import pandas as pd

from core.collection.labels.counted_labels import counted_labels
from core.collection.labels.preferences import FIRST, KEY, TIE

COLUMNS = ("winner", "reason", "n", "left", "right", "of", "share")


def count_reasons(given: pd.DataFrame) -> pd.DataFrame:
    """Return how often each reason was given, by what it was given for.

    Parameters
    ----------
    given : DataFrame
        Preferences of one kind and facet with ``reason``, a row for each reason, as a store's
        ``reasons`` gives them.

    Returns
    -------
    DataFrame
        winner (a document or a system; ``tie``), reason, n (preferences with this reason), left
        and right (in how many of them the winner stood on that side; missing for ties, fewer than
        n where the side is not known), of (preferences for this winner that have any reason),
        share (n of them). Hidden repeats, and what cannot be judged, are left out. The most
        frequent winner first, then the most frequent reason. Empty where nobody gave one.
    """
    rows = counted_labels(given)
    if rows.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    is_tie = rows["choice"] == TIE
    won = rows["first"].where(rows["choice"] == FIRST, rows["second"])
    is_left = (rows["left"] == won) & ~is_tie
    rows = rows.assign(
        winner=won.mask(is_tie, TIE),
        left=is_left,
        right=(rows["left"] != "") & ~is_left & ~is_tie,
        is_tie=is_tie,
    )
    by = rows.groupby(["winner", "reason"], as_index=False)
    table = by.agg(
        n=("reason", "size"), left=("left", "sum"), right=("right", "sum"), tied=("is_tie", "all")
    )
    for side in ("left", "right"):
        table[side] = table[side].astype("Int64").mask(table["tied"])
    once = rows.drop_duplicates(["winner", *KEY])
    table["of"] = table["winner"].map(once["winner"].value_counts())
    table["share"] = table["n"] / table["of"]
    order = ["of", "winner", "n", "reason"]
    table = table.sort_values(order, ascending=[False, True, False, True], ignore_index=True)
    return table[list(COLUMNS)]
