"""Which preferences a statistic counts: one kind, one facet, first occasions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.collection.labels.counted_labels import counted_labels
from core.errors import BadInput, TooLittleData

if TYPE_CHECKING:
    import pandas as pd


def decided_preferences(preferences: pd.DataFrame) -> pd.DataFrame:
    """Return the preferences given on a first occasion, ties among them.

    Parameters
    ----------
    preferences : DataFrame
        ``topic_id, kind, facet, first, second, choice, assessor_id, occasion, state``. Rows in
        another state than 'level' (cannot judge) and hidden repeats are left out.

    Raises
    ------
    TooLittleData
        Nothing is left.
    """
    chosen = counted_labels(preferences)
    if chosen.empty:
        raise TooLittleData("nobody has given a preference so far")
    return chosen


def comparable_preferences(preferences: pd.DataFrame) -> pd.DataFrame:
    """Return the same, for statistics in which kinds and facets must not meet.

    Raises
    ------
    BadInput
        There are several kinds or facets.
    TooLittleData
        Nothing is left.
    """
    chosen = decided_preferences(preferences)
    parts = preference_parts(chosen)
    if len(parts) > 1:
        listed = ", ".join(f"{kind} ({facet})" for kind, facet in parts)
        raise BadInput(f"these preferences are of several kinds: {listed}; choose one")
    return chosen


def preference_parts(preferences: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the pairs of kind and facet that occur, in sorted order."""
    parts = preferences[["kind", "facet"]].drop_duplicates()
    return sorted(zip(parts["kind"], parts["facet"], strict=True))
