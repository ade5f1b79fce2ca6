"""The same runs under parts of their judgements: compiled once, measured many times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.measures.base import Measure, Weights
from core.measures.intents import Intents
from core.measures.ranked import Floats, Levels, Mask, Ranked
from core.measures.ranking import Rankings, compile_rankings
from core.versions.judgements import Judgements

if TYPE_CHECKING:
    import pandas as pd


class PartlyJudged:
    """Runs under any part of a set of judgements; what is left out is not judged.

    Parameters
    ----------
    runs, judgements
        As for `compile_rankings`. Levels are at least 0.

    Raises
    ------
    TooLittleData, BadInput
        As `compile_rankings`.
    """

    def __init__(self, runs: pd.DataFrame, judgements: Judgements) -> None:
        qrels = judgements.frame.reset_index(drop=True)
        self._runs, self._judged = runs, judgements.on_same_scale(qrels)
        self.full = compile_rankings(runs, self._judged)
        is_plain = qrels["iteration"].nunique() == 1 and not {"engine"} & {*qrels}
        self._numbered = self._number() if is_plain and self.full.reading is None else None
        level = qrels["level"].to_numpy(dtype=np.float64)
        self._level: Levels = level.astype(np.int32) if (level == level.round()).all() else level

    def _number(self) -> Rankings:
        """Return the rankings with the row of each judgement in place of its level."""
        qrels = self._judged.frame
        rows = self._judged.on_same_scale(qrels.assign(level=np.arange(len(qrels))))
        return compile_rankings(self._runs, rows)

    def at(self, judged: Mask) -> Rankings:
        """Return the rankings under the judgements of these rows of the qrels.

        Judgements by intent or engine, and runs with the lengths of documents, are compiled anew;
        such rankings have only the topics with a judgement. All others have all topics.

        Raises
        ------
        TooLittleData
            No row is left, where judgements are compiled anew.
        """
        if self._numbered is None:
            return compile_rankings(
                self._runs, self._judged.on_same_scale(self._judged.frame[judged])
            )
        retrieved = self._take(self._numbered.retrieved, judged)
        found = self._take(self._numbered.ideal, judged)
        order = np.lexsort((-found.level, found.row))
        by_level = Ranked(found.rows, found.row[order], found.row[order], found.level[order])
        ideal = Ranked(found.rows, by_level.row, by_level.ordinal(), by_level.level)
        return Rankings(
            self.full.systems,
            self.full.topics,
            retrieved,
            self.full.length,
            ideal,
            Intents.as_one(retrieved, ideal),
            self.full.unknown_topics,
            self.full.gmax,
            self.full.is_gmax_taken,
        )

    def _take(self, cells: Ranked, judged: Mask) -> Ranked:
        kept = cells.where(judged[cells.level])
        return Ranked(kept.rows, kept.row, kept.rank, self._level[kept.level])


def score_by_topic(
    measure: Measure,
    rankings: Rankings,
    topics: tuple[str, ...],
    weights: Weights | None = None,
) -> Floats:
    """Return the score of every system on every topic, shape (n_topics, n_systems).

    A topic without a judgement, or with nothing to find, has the score of finding nothing.

    Parameters
    ----------
    measure : Measure
        What is scored.
    rankings : Rankings
        Of the runs.
    topics : tuple of str
        The rows wanted.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    """
    shape = len(rankings.systems), len(rankings.topics)
    value = measure.score(rankings, weights).reshape(shape)
    counts = ~np.isnan(value) & measure.eligible_topics(rankings)
    scores = np.full((len(topics), len(rankings.systems)), measure.worst)
    place = {topic: at for at, topic in enumerate(rankings.topics)}
    known = [at for at, topic in enumerate(topics) if topic in place]
    column = [place[topics[at]] for at in known]
    scores[known] = np.where(counts, value, measure.worst)[:, column].T
    return scores
