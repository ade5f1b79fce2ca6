"""Rankings by intent: which judged document is relevant to which subtopic of its topic."""

from dataclasses import dataclass, field

import numpy as np

from core.measures.ranked import Floats, Integers, Numbers, Ranked


@dataclass(frozen=True, eq=False)
class Intents:
    """Retrieved and judged documents, told apart by the intent they are relevant to.

    An intent is an iteration of the qrels. Where all rows have one iteration there is one intent,
    and this is a view of the rankings themselves.

    Parameters
    ----------
    names : tuple of str
        The intents.
    retrieved : Ranked
        The documents of ranking r relevant to intent j, in row ``r * len(names) + j``.
    judged : Ranked
        The documents of topic t relevant to intent j, in row ``t * len(names) + j``; ``rank`` is
        the number of the document within the topic, by descending id if there are several intents.
    """

    names: tuple[str, ...]
    retrieved: Ranked
    judged: Ranked
    _ideals: dict[tuple[float, float, int | None], Ranked] = field(default_factory=dict)

    @classmethod
    def as_one(cls, retrieved: Ranked, ideal: Ranked) -> "Intents":
        """Return the one intent 'any', to which every relevant document is relevant."""
        return cls(("any",), retrieved, ideal)

    def relevant(self, rel: float) -> Integers:
        """Return how many documents are relevant to each intent, shape (n_topics, n_intents)."""
        return self.judged.at_least(rel).count().reshape(-1, len(self.names))

    def total(self, values: Numbers) -> Floats:
        """Return one value per row summed over the intents, shape (n_rankings or n_topics,)."""
        summed: Floats = values.reshape(-1, len(self.names)).sum(axis=1, dtype=np.float64)
        return summed

    def ideal(self, alpha: float, rel: float, depth: int | None = None) -> Ranked:
        """Return each topic's greedy ideal ranking, laid out as ``judged`` with true ranks.

        At each rank stands the document with the most gain left, of several the one with the
        greatest id; an intent's gain falls by the factor 1 − alpha with each of its documents. To
        find the best ranking is NP-hard, so a ranking better than this one may exist.

        References
        ----------
        Clarke et al. (2008), SIGIR, doi:10.1145/1390334.1390446; ties as ndeval breaks them.
        """
        if len(self.names) == 1:
            found = self.judged.at_least(rel)
            return Ranked(found.rows, found.row, found.ordinal(), found.level).up_to(depth)
        key = (alpha, rel, depth)
        if key not in self._ideals:
            relevant = self.judged.at_least(rel)
            self._ideals[key] = _rank_greedily(relevant, len(self.names), 1 - alpha, depth)
        return self._ideals[key]


def _rank_greedily(
    judged: Ranked, intents: int, novelty_discount: float, depth: int | None
) -> Ranked:
    """Rank the documents of all topics at once, rank by rank."""
    documents, topics = int(judged.rank.max(initial=0)), judged.rows // intents
    topic, intent = np.divmod(judged.row, intents)
    left = np.zeros((intents, topics, documents), dtype=np.bool_)
    left[intent, topic, judged.rank - 1] = True
    gain, every = np.ones((intents, topics, 1)), np.arange(topics)
    ranked = [np.zeros((0, 2), dtype=np.int64)]
    for rank in range(1, min(documents, depth or documents) + 1):
        best = _add_gains(left, gain).argmax(axis=1)
        covered = left[:, every, best]
        left[:, every, best] = False
        gain[covered] *= novelty_discount
        row = np.flatnonzero(covered.T)
        ranked.append(np.stack([row, np.full_like(row, rank)], axis=1))
    row, at = np.concatenate(ranked).T
    order = np.lexsort((at, row))
    return Ranked(judged.rows, row[order], at[order], np.ones(len(row)))


def _add_gains(
    left: "np.ndarray[tuple[int, int, int], np.dtype[np.bool_]]", gain: Floats
) -> Floats:
    """Return the gain of each document, −1 where none is left, shape (n_topics, n_documents).

    The intents are added one after another: equal gains must be equal to the last bit.
    """
    score = np.zeros(left.shape[1:])
    for relevant, worth in zip(left, gain, strict=True):
        score += relevant * worth
    return np.where(left.any(axis=0), score, -1.0)
