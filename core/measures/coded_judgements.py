"""Judgements in numbers: the judged (topic, document) pairs as sorted keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import BadInput, TooLittleData
from core.measures.intents import Intents
from core.measures.ranked import Integers, Levels, Ranked

if TYPE_CHECKING:
    import pandas as pd


_LAID_OUT = 50_000_000
"""How many possible keys are laid out to be looked up at once; with more, they are searched."""


@dataclass(frozen=True, eq=False)
class CodedJudgements:
    """The judged pairs of topic and document; those for all engines first, then for one each.

    Parameters
    ----------
    topics, documents, engines : Index
        Their position here is their code; 1 is added for an engine, since 0 stands for all.
    keys : array of int, shape (n_pairs,)
        ``(engine * len(topics) + topic) * len(documents) + document``, ascending.
    levels : array of int or float, shape (n_pairs,)
        The highest level of each pair.
    intents : IntentLevels, optional
        The levels of each pair by intent, where there are several.
    """

    topics: pd.Index[Any]
    documents: pd.Index[Any]
    engines: pd.Index[Any]
    keys: Integers
    levels: Levels
    intents: IntentLevels | None

    def find(self, topic: Integers, lines: pd.DataFrame) -> tuple[Integers, Integers]:
        """Return which lines of a run are judged, and where their judgements are in ``keys``.

        Parameters
        ----------
        topic : array of int, shape (n_lines,)
            The code of each line's topic.
        lines : DataFrame
            ``system, document_id``. A judgement for the system alone goes before one for all.
        """
        document = self._document_codes.find(lines["document_id"])
        known = np.flatnonzero(document >= 0)  # few, for most of a run is judged for no topic
        key = topic[known].astype(np.int64) * len(self.documents) + document[known]
        found = self._find_keys(key)
        if len(self.engines):
            engine = find_codes(self.engines, lines["system"])[known].astype(np.int64) + 1
            own = self._find_keys(engine * self._pairs + key)
            found = np.where(own >= 0, own, found)
        judged = found >= 0
        return known[judged], found[judged]

    def ideal(self) -> Ranked:
        """Return each topic's judged documents by descending level, the highest of any engine."""
        pair, level = self.keys, self.levels
        if len(self.engines):
            pair, level = _keep_highest(pair % self._pairs, level)
        topic = pair // len(self.documents)
        order = np.lexsort((-level, topic))
        cells = Ranked(len(self.topics), topic[order], topic[order], level[order])
        return Ranked(cells.rows, cells.row, cells.ordinal(), cells.level)

    def tell_intents(self, retrieved: Ranked, position: Integers, ideal: Ranked) -> Intents:
        """Return retrieved documents (with their positions) and the judged ones by intent."""
        if self.intents is None:
            return Intents.as_one(retrieved, ideal)
        judged = self._judged_by_intent(self.intents)
        return Intents(self.intents.names, self.intents.spread(retrieved, position), judged)

    def _judged_by_intent(self, intents: IntentLevels) -> Ranked:
        """Return each topic's documents by intent, numbered by descending id."""
        own = self.keys[intents.position] % self._pairs * len(intents.names) + intents.intent
        key, level = _keep_highest(own, intents.level)
        pair, intent = np.divmod(key, len(intents.names))
        topic, document = np.divmod(pair, len(self.documents))
        number = _number_documents(topic, self.documents[document])
        row = topic * len(intents.names) + intent
        order = np.lexsort((number, row))
        rows = len(self.topics) * len(intents.names)
        return Ranked(rows, row[order], number[order], level[order])

    @property
    def _pairs(self) -> int:
        return len(self.topics) * len(self.documents)

    @cached_property
    def _document_codes(self) -> Codes:
        return Codes(self.documents)

    @cached_property
    def _places(self) -> Integers:
        """The position of every possible key, -1 where there is none."""
        positions = np.full((len(self.engines) + 1) * self._pairs, -1, dtype=np.int32)
        positions[self.keys] = np.arange(len(self.keys), dtype=np.int32)
        return positions

    def _find_keys(self, key: Integers) -> Integers:
        if (len(self.engines) + 1) * self._pairs <= _LAID_OUT:
            return self._places[key]
        position = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return np.where(self.keys[position] == key, position, -1)


def code_judgements(qrels: pd.DataFrame) -> CodedJudgements:
    """Return the judgements in numbers, the highest level where several iterations judge.

    Raises
    ------
    TooLittleData
        There is no judgement at or above level 0.
    BadInput
        A document is twice in one topic, iteration and engine, or a level is no number.
    """
    import pandas as pd

    qrels = qrels[~(qrels["level"] < 0)]
    if qrels.empty:
        raise TooLittleData("nothing is judged yet, so no ranking can be measured")
    if "engine" in qrels:
        qrels = qrels.assign(engine=qrels["engine"].astype("str").fillna(""))
    _check(qrels)
    topics, documents = (pd.Index(qrels[name].unique()) for name in ("topic_id", "document_id"))
    engines: pd.Index[Any] = pd.Index([])
    key = find_codes(topics, qrels["topic_id"]).astype(np.int64)
    if "engine" in qrels:
        engines = pd.Index(qrels["engine"].unique()).drop("", errors="ignore")
        engine = find_codes(engines, qrels["engine"]).astype(np.int64)
        key = (engine + 1) * len(topics) + key
    key = key * len(documents) + find_codes(documents, qrels["document_id"])
    level = qrels["level"].to_numpy(dtype=np.float64)
    keys, best = _keep_highest(key, level)
    intents = code_intents(qrels["iteration"], level, key, keys)
    if (best == np.floor(best)).all():
        best = best.astype(np.int32)
    return CodedJudgements(topics, documents, engines, keys, best, intents)


class Codes:
    """The positions of values among known ones; categories once met are not looked up again."""

    def __init__(self, known: pd.Index[Any]) -> None:
        self._known = known
        self._categories: pd.Index[Any] | None = None
        self._codes = np.zeros(0, dtype=np.int32)

    def find(self, column: pd.Series[Any]) -> Integers:
        """Return the position of each value, -1 for any that is not known."""
        import pandas as pd

        if not isinstance(column.dtype, pd.CategoricalDtype):
            return _look_up(self._known, pd.Index(column))
        if column.cat.categories is not self._categories:
            self._categories = column.cat.categories
            codes = np.append(_look_up(self._known, self._categories), -1)
            self._codes = codes.astype(np.int32)
        return self._codes.take(column.cat.codes.to_numpy(), mode="wrap")


def find_codes(known: pd.Index[Any], column: pd.Series[Any]) -> Integers:
    """Return the position of each value among the known ones, -1 for any other."""
    return Codes(known).find(column)


def _look_up(known: pd.Index[Any], values: pd.Index[Any]) -> Integers:
    """Do the same for an index; among texts Arrow looks up much faster than pandas."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not (known.dtype == values.dtype == "str"):
        return known.get_indexer(values)
    codes = pc.index_in(pa.array(values), value_set=pa.array(known), skip_nulls=True)
    position: Integers = codes.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return position


def _keep_highest(key: Integers, level: Levels) -> tuple[Integers, Levels]:
    """Return the keys in order, each once, with its highest level."""
    order = np.lexsort((-level, key))
    keys, first_of_key = np.unique(key[order], return_index=True)
    return keys, level[order][first_of_key]


def _number_documents(topic: Integers, names: pd.Index[Any]) -> Integers:
    """Return the number of each document within its topic, from 1, by descending name."""
    import pandas as pd

    name, known = pd.factorize(names.astype("str"), sort=True)
    each, number = np.unique((topic + 1) * len(known) - name - 1, return_inverse=True)
    of_topic: Integers = number - np.searchsorted(each // len(known), topic) + 1
    return of_topic


def _check(qrels: pd.DataFrame) -> None:
    """Refuse what would make a level ambiguous or undefined."""
    same = ["topic_id", "iteration", "document_id", *(["engine"] if "engine" in qrels else [])]
    if (twice := qrels.duplicated(same)).any():
        first = qrels[twice].iloc[0]
        raise BadInput(
            f"document {first['document_id']} is judged twice for topic {first['topic_id']}, "
            f"iteration {first['iteration']}; keep one line",
        )
    if not np.isfinite(qrels["level"].to_numpy(dtype=np.float64, na_value=np.nan)).all():
        raise BadInput("a judgement without a number; leave the line out instead", field="level")


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
