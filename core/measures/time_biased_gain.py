"""Time-biased gain: what a person saves before giving up, in time instead of ranks."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, BinaryMeasure, Weights
from core.measures.ranked import Floats
from core.measures.ranking import Rankings

SUMMARY = 4.4
"""Seconds to read a result's summary."""

PER_WORD, PER_DOCUMENT = 0.018, 7.8
"""Seconds to read a document: by word, and whatever its length."""

CLICK = {True: 0.64, False: 0.39}
"""How likely a relevant document is opened, and one that is not."""

SAVE = 0.77
"""How likely a relevant document, once opened, is found to be one."""


@MEASURES.register
@dataclass(frozen=True)
class TBG(BinaryMeasure):
    """Time-biased gain: relevant documents that a person is expected to save.

    A relevant document gains .64 · .77, the chance that it is opened and saved. The gain halves
    with every ``half_life`` seconds that it takes to get there: for each document above 4.4 s for
    its summary, and with the chance .64 (relevant) or .39 (not) another 7.8 s and .018 s a word.
    Constants are those that the authors fitted to a study with TREC's newspapers.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    rel : float, default 1
        The level from which a document counts as relevant.
    half_life : float, default 224
        After how many seconds half of the people have given up.
    words : float, default 500
        The length of a document where it is not known, as runs and qrels alone do not tell; 500
        words, about a newspaper article, is a convention of this program. They are known where
        documents are given beside the runs (``--documents``), or are in the store.

    Notes
    -----
    The authors give duplicates no gain and no time; these are not told apart here. A document
    without a judgement counts as not relevant.
    """

    half_life: float = 224
    words: float = 500

    name = "TBG"
    upper_bound = np.inf
    needs_words = True
    description = "relevant documents saved by a person who gives up with time"
    reference = "Smucker & Clarke (2012), SIGIR, doi:10.1145/2348283.2348300"
    examples = ("TBG", "TBG@10", "TBG(rel=2, half_life=60, words=200)")
    suggested = ("TBG",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.half_life < np.inf:
            raise ValueError("half_life is a number of seconds above 0")
        if not 0 <= self.words < np.inf:
            raise ValueError("words is a number of at least 0")
        for name in ("half_life", "words"):
            if (value := getattr(self, name)) == int(value):
                object.__setattr__(self, name, int(value))

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return the documents saved, shape (n_rankings,), at least 0."""
        shown = rankings.retrieved.up_to(self.cutoff)
        found = shown.where(shown.level >= self.rel)
        above, relevant = found.rank - 1, found.ordinal() - 1
        words, relevant_words = self.words * above, self.words * relevant
        if rankings.reading is not None:
            reading, every = rankings.reading, rankings.retrieved
            last = every.rank.max(initial=0) if self.cutoff is None else self.cutoff
            kept = np.flatnonzero((every.rank <= last) & (every.level >= self.rel))
            own = np.where(np.isnan(reading.own[kept]), self.words, reading.own[kept])
            words = reading.above[kept] + self.words * reading.unknown[kept]
            relevant_words = found.before(own, np.add)
        often, more = CLICK[False], CLICK[True] - CLICK[False]
        seconds = SUMMARY * above + PER_DOCUMENT * (often * above + more * relevant)
        seconds += PER_WORD * (often * words + more * relevant_words)
        return CLICK[True] * SAVE * found.total(np.exp2(-seconds / self.half_life))
