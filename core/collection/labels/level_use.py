"""The levels that labels use, beside those that their scales define."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from core.collection.labels.label_options import JUDGED
from core.collection.records import Scale, numeric_scale
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

LEVEL_USE = ("facet", "level", "name", "labels")


def compare_levels(labels: DataFrame, scales: Mapping[str, Scale]) -> DataFrame:
    """Return every level that labels use or that the scale of their facet defines.

    Parameters
    ----------
    labels : DataFrame
        ``facet, level, state``; only rows with a level count.
    scales : mapping
        The scale of each facet. Facets without labels are left out.

    Returns
    -------
    DataFrame
        facet, level, name (missing where no scale defines the level), labels (how many; 0 where a
        level is defined but not used); ordered by facet and level.
    """
    from pandas import DataFrame

    judged = labels[labels["state"] == JUDGED]
    rows = []
    for facet, part in judged.groupby("facet"):
        used = part["level"].astype("float64").value_counts()
        names = {float(one.level): one.name for one in scales.get(str(facet), ())}
        rows += [
            (str(facet), level, names.get(level), int(used.get(level, 0)))
            for level in sorted({*used.index, *names})
        ]
    return DataFrame(rows, columns=list(LEVEL_USE))


def list_facets(use: DataFrame) -> dict[str, DataFrame]:
    """Return the rows of each facet."""
    return {str(facet): part for facet, part in use.groupby("facet")}


def is_as_defined(use: DataFrame) -> bool:
    """Whether the levels used, of one facet, are exactly those defined."""
    return bool((use["labels"] > 0).all() and use["name"].notna().all())


def levels_beyond(use: DataFrame) -> list[float]:
    """Return the levels used that no scale defines."""
    return [float(level) for level in use.loc[use["name"].isna(), "level"]]


def plain_scale(use: DataFrame) -> Scale:
    """Return the scale of plain numbers that has exactly the levels used.

    Raises
    ------
    BadInput
        A level is no whole number, or there are too few or too many for a scale.
    """
    used = use.loc[use["labels"] > 0, "level"].to_numpy(np.float64)
    if (used != np.floor(used)).any():
        raise BadInput("the levels of a scale are whole numbers", field="levels")
    return numeric_scale(int(level) for level in used)


def describe_gap(labels: DataFrame, facet: str) -> str:
    """Return which whole levels labels of a facet skip, where no scale says so; empty if none."""
    rows = labels[(labels["facet"] == facet) & (labels["state"] == JUDGED)]
    used = sorted({float(one) for one in rows["level"]})
    if not used or any(one != int(one) for one in used):
        return ""
    known = {int(one) for one in used}
    skipped = sorted(set(range(min(0, *known), max(known) + 1)) - known)
    if not skipped or len(skipped) > _MOST_SKIPPED:
        return ""
    listed = ", ".join(f"{one:g}" for one in used)
    return (
        f"no scale was given for {facet}: its levels are taken to be those that occur, {listed}. "
        f"Coefficients that weigh distances depend on whether {', '.join(map(str, skipped))} "
        "belongs to it, too"
    )


_MOST_SKIPPED = 10
