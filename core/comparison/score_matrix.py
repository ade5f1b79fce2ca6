"""The scores of systems on the same topics: what tests of their differences are based on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.intervals import Floats
from core.errors import BadInput, TooLittleData

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Every system's score on every topic.

    Parameters
    ----------
    systems : tuple of str
        In order of their means, the best first; equal ones by name.
    topics : tuple of str
        In the order of their ids.
    values : array, shape (n_topics, n_systems)
        Finite scores by one measure.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats

    def pairs(self) -> pd.DataFrame:
        """Return ``first, second, difference`` of the means for every two systems, in order."""
        import pandas as pd

        first, second = np.triu_indices(len(self.systems), k=1)
        names, means = np.array(self.systems, dtype="object"), self.values.mean(axis=0)
        return pd.DataFrame(
            {
                "first": pd.array(names[first], dtype="str"),
                "second": pd.array(names[second], dtype="str"),
                "difference": means[first] - means[second],
            }
        )


def score_matrix(scores: pd.DataFrame) -> ScoreMatrix:
    """Arrange the scores of one measure by topic and system.

    Parameters
    ----------
    scores : DataFrame
        ``system, topic_id, value`` as ``evaluate`` returns it for one measure, one row for each
        system and topic in any order; other columns are ignored.

    Returns
    -------
    ScoreMatrix
        It does not depend on the order of the rows.

    Raises
    ------
    BadInput
        Scores of several measures; a system lacks a topic that another has, has two scores on
        one, or one that is not a finite number.
    TooLittleData
        Fewer than two systems or fewer than two topics.
    """
    _check_rows(scores)
    table = scores.pivot(index="topic_id", columns="system", values="value").sort_index()
    _check_table(table)
    values = table.to_numpy(dtype=np.float64)
    names = np.array(table.columns, dtype="object")
    order = np.lexsort((np.arange(len(names)), -values.mean(axis=0)))
    return ScoreMatrix(
        systems=tuple(names[order].tolist()),
        topics=tuple(table.index),
        values=np.ascontiguousarray(values[:, order]),
    )


def _check_rows(scores: pd.DataFrame) -> None:
    if "measure" in scores and scores["measure"].nunique() > 1:
        raise BadInput("scores of several measures; choose one measure", field="measure")
    repeated = scores[scores.duplicated(["system", "topic_id"])]
    if len(repeated):
        raise BadInput(f"{_place(repeated)} has two scores; choose one measure", field="value")
    strange = scores[~np.isfinite(scores["value"].to_numpy(dtype=np.float64, na_value=np.nan))]
    if len(strange):
        raise BadInput(f"the score of {_place(strange)} is not a finite number", field="value")


def _check_table(table: pd.DataFrame) -> None:
    topics, systems = table.shape
    if table.empty:
        raise TooLittleData("no system has a score on a topic that counts")
    if systems < 2 or topics < 2:
        raise TooLittleData(
            f"comparing systems needs two systems and two topics at least; there are {systems} "
            f"and {topics}"
        )
    lacking = np.argwhere(table.isna().to_numpy())
    if len(lacking):
        topic, system = lacking[0]
        raise BadInput(
            f"system '{table.columns[system]}' has no score on topic '{table.index[topic]}', which "
            "others have; compare "
            "systems on the topics that all of them have",
            field="topic_id",
        )


def _place(rows: pd.DataFrame) -> str:
    """Return the system and topic of the first row."""
    return f"system '{rows['system'].iloc[0]}' on topic '{rows['topic_id'].iloc[0]}'"
