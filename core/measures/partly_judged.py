"""The same runs under parts of their judgements: compiled once, measured many times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.measures.base import Measure
from core.measures.intents import Intents
from core.measures.ranked import Floats, Levels, Mask, Ranked
from core.measures.ranking import Rankings, compile_rankings

if TYPE_CHECKING:
    import pandas as pd


class PartlyJudged:
    """Runs under any part of a set of judgements; what is left out is not judged.

    Parameters
    ----------
    runs, qrels
        As for `compile_rankings`. Levels are at least 0.
    gmax : float, optional
        The highest level of the scale; the highest that is judged at all, without it, so that it
        is the same for every part.

    Raises
    ------
    TooLittleData, BadInput
        As `compile_rankings`.
    """

    def __init__(self, runs: pd.DataFrame, qrels: pd.DataFrame, gmax: float | None = None) -> None:
        self._runs, self._qrels = runs, qrels.reset_index(drop=True)
        self._gmax = float(qrels["level"].max()) if gmax is None else gmax
        self.full = compile_rankings(runs, self._qrels, gmax=self._gmax)
        is_plain = qrels["iteration"].nunique() == 1 and not {"engine"} & {*qrels}
        self._numbered = self._number() if is_plain and self.full.reading is None else None
        level = self._qrels["level"].to_numpy(dtype=np.float64)
        self._level: Levels = level.astype(np.int32) if (level == level.round()).all() else level

    def _number(self) -> Rankings:
        """Return the rankings with the row of each judgement in place of its level."""
        return compile_rankings(self._runs, self._qrels.assign(level=np.arange(len(self._qrels))))

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
            return compile_rankings(self._runs, self._qrels[judged], gmax=self._gmax)
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
            self._gmax,
        )

    def _take(self, cells: Ranked, judged: Mask) -> Ranked:
        kept = cells.where(judged[cells.level])
        return Ranked(kept.rows, kept.row, kept.rank, self._level[kept.level])


def score_by_topic(measure: Measure, rankings: Rankings, topics: tuple[str, ...]) -> Floats:
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
    """
    shape = len(rankings.systems), len(rankings.topics)
    value = measure.score(rankings).reshape(shape)
    counts = ~np.isnan(value) & measure.eligible_topics(rankings)
    scores = np.full((len(topics), len(rankings.systems)), measure.worst)
    place = {topic: at for at, topic in enumerate(rankings.topics)}
    known = [at for at, topic in enumerate(topics) if topic in place]
    column = [place[topics[at]] for at in known]
    scores[known] = np.where(counts, value, measure.worst)[:, column].T
    return scores
