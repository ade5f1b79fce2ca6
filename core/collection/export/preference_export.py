"""Preferences as a TSV file that reads back as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.collection.export.delimited import write_tsv
from core.collection.labels.label_options import CANNOT_JUDGE
from core.collection.labels.preferences import FIRST, SECOND

if TYPE_CHECKING:
    from pandas import DataFrame, Series

_OTHERS = ("strength", "assessor_id", "kind", "facet", "occasion")


def write_preferences(preferences: DataFrame) -> bytes:
    """Return preferences as TSV with a header.

    The columns are ``topic, left, right, choice, strength, assessor, kind, facet, occasion``; the
    choice is left, right, tie or 'cannot judge'. Where a side is unknown the file has
    ``first, second, left`` in place of left and right, and a choice of first or second.

    Parameters
    ----------
    preferences : DataFrame
        The canonical columns.

    Raises
    ------
    BadInput
        An id holds a tab or the end of a line, which TSV cannot hold.
    """
    is_sided = bool((preferences["left"] != "").all())
    shown = _with_sides(preferences) if is_sided else _without_sides(preferences)
    written = shown.assign(**{name: preferences[name] for name in _others(preferences)})
    return write_tsv(written.rename(columns={"topic_id": "topic", "assessor_id": "assessor"}))


def write_reasons(preferences: DataFrame, reasons: DataFrame) -> bytes:
    """Return why things were preferred as TSV with a header, one row for each reason.

    The columns are ``topic, first, second, left, choice, strength, assessor, kind, facet,
    occasion, reason``; the choice is first, second or tie.

    Parameters
    ----------
    preferences : DataFrame
        The canonical columns, and ``sequence``.
    reasons : DataFrame
        sequence, reason.

    Raises
    ------
    BadInput
        An id or a reason holds a tab or the end of a line, which TSV cannot hold.
    """
    found = preferences.merge(reasons, on="sequence")
    shown = found[["topic_id", "first", "second", "left", "choice", *_others(found), "reason"]]
    return write_tsv(shown.rename(columns={"topic_id": "topic", "assessor_id": "assessor"}))


def _others(preferences: DataFrame) -> list[str]:
    """Return the other columns; what kind of assessor it is by, where that is told."""
    return [*_OTHERS, *(one for one in ("assessor_kind",) if one in preferences)]


def _with_sides(preferences: DataFrame) -> DataFrame:
    from pandas import Series

    is_first = preferences["left"] == preferences["first"]
    right = preferences["second"].where(is_first, preferences["first"])
    chosen = preferences["choice"]
    side = np.where((chosen == FIRST) == is_first, "left", "right")
    choice = Series(side, preferences.index, dtype="str")
    choice = choice.where(chosen.isin([FIRST, SECOND]), _write_choice(preferences))
    return preferences[["topic_id", "left"]].assign(right=right, choice=choice)


def _without_sides(preferences: DataFrame) -> DataFrame:
    shown = preferences[["topic_id", "first", "second", "left"]]
    return shown.assign(choice=_write_choice(preferences))


def _write_choice(preferences: DataFrame) -> Series[str]:
    return preferences["choice"].mask(preferences["state"] == CANNOT_JUDGE, CANNOT_JUDGE)
