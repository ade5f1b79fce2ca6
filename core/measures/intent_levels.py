"""Levels by intent: the iterations of the qrels in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.measures.ranked import Integers, Levels, Ranked

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class IntentLevels:
    """The intents to which judged pairs of topic and document are relevant, in order of the pairs.

    Parameters
    ----------
    names : tuple of str
        The intents: the iterations in which a level is above 0, as they are counted.
    position, intent : array of int, shape (n_entries,)
        The pair's position among the judgements, ascending; the intent's among ``names``.
    level : array of float, shape (n_entries,)
        The pair's level for the intent, above 0.
    """

    names: tuple[str, ...]
    position: Integers
    intent: Integers
    level: Levels

    def spread(self, cells: Ranked, position: Integers) -> Ranked:
        """Return the pairs in these cells once for each of their intents.

        A cell of row r that is relevant to intent j comes to row ``r * len(names) + j``.
        """
        start = np.searchsorted(self.position, position)
        count = np.searchsorted(self.position, position, side="right") - start
        cell = np.repeat(np.arange(len(position)), count)
        entry = np.arange(len(cell)) + np.repeat(start - np.cumsum(count) + count, count)
        row = cells.row[cell] * len(self.names) + self.intent[entry]
        rank, level = cells.rank[cell], self.level[entry]
        order = np.lexsort((rank, row))
        return Ranked(cells.rows * len(self.names), row[order], rank[order], level[order])


def code_intents(
    iteration: pd.Series[str], level: Levels, key: Integers, keys: Integers
) -> IntentLevels | None:
    """Return the levels by intent; None when there is one iteration, or nothing relevant.

    Parameters
    ----------
    iteration, level, key : shape (n_rows,)
        The iteration, level and pair of each row of the qrels.
    keys : array of int, shape (n_pairs,)
        The judged pairs, ascending.
    """
    import pandas as pd

    relevant = level > 0
    if not relevant.any() or (iteration == iteration.iloc[0]).all():
        return None
    names = pd.Index(sorted(iteration[relevant].unique(), key=_in_order))
    intent = names.get_indexer(pd.Index(iteration[relevant]))
    position = np.searchsorted(keys, key[relevant])
    order = np.lexsort((intent, position))
    level = level[relevant]
    return IntentLevels(tuple(map(str, names)), position[order], intent[order], level[order])


def _in_order(name: str) -> tuple[int, str]:
    """Sort numbers by value."""
    return len(str(name)), str(name)
