"""Signs of careless responding in how labels were given; none of them proves anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        ``assessor_id, facet, occasion, state, sequence, dwell_ms, shown_ms, place, x, y``, as
        `read_paradata` gives them. First occasions of levels count.
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
    rows = counted_labels(paradata, facet).sort_values(["assessor_id", "sequence"])
    timed = rows[rows["shown_ms"].notna()]
    is_fast = timed[["shown_ms", "dwell_ms"]].max(axis=1) < FAST_MS
    placed = rows[rows["place"].notna()]
    is_new = placed["place"] != placed["place"].shift()
    runs = placed.groupby([placed["assessor_id"], is_new.cumsum()]).size()
    pressed = rows[rows["x"].notna() & rows["y"].notna()]
    moved = pressed[["x", "y"]].astype("float64").diff().abs().max(axis=1)
    followed = moved[pressed["assessor_id"] == pressed["assessor_id"].shift()]
    table = rows.groupby("assessor_id").size().rename("answers").to_frame()
    table["fast"] = is_fast.groupby(timed["assessor_id"]).mean()
    table["longest_run"] = runs.groupby(level=0).max()
    table["same_spot"] = (followed <= NEAR).groupby(pressed["assessor_id"]).mean()
    table["longest_run"] = table["longest_run"].fillna(0).astype("int64")
    return table.astype({"fast": "float64", "same_spot": "float64"}).reset_index()
