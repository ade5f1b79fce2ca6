"""Gains that decrease with every document of the same intent: what measures of novelty share."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import Weights, divide
from core.measures.cumulated_gain import DISCOUNTS
from core.measures.intent_measure import IntentMeasure
from core.measures.ranked import Floats, Integers, Ranked
from core.measures.ranking import Rankings


@dataclass(frozen=True)
class FadingMeasure(IntentMeasure):
    """Base of the measures in which each relevant document takes gain from the next ones.

    To an intent, a relevant document after c others at rank k is worth (1 − alpha)^c · D(k).

    Parameters
    ----------
    cutoff, rel, intents
        As in `IntentMeasure`.
    alpha : float, default 0.5
        The chance, in [0, 1], that a relevant document leaves nothing to look for.
    """

    alpha: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "alpha", float(self.alpha))
        if not 0 <= self.alpha <= 1:
            raise ValueError("alpha is a probability from 0 to 1")

    def discount(self, rank: Integers) -> Floats:
        """Return D at each rank: by default 1 / log2(k + 1)."""
        return DISCOUNTS["log"](rank)

    def add_up(self, cells: Ranked) -> Floats:
        """Return the discounted gain of each row of relevant documents."""
        return cells.total((1 - self.alpha) ** (cells.ordinal() - 1) * self.discount(cells.rank))


@dataclass(frozen=True)
class FadingGain(FadingMeasure):
    """Base of the fading measures that do without an ideal ranking of the collection.

    Parameters
    ----------
    cutoff, rel, intents, alpha
        As in `FadingMeasure`.
    norm : str, default 'independent'
        ``independent`` divides by what a list scores in which every document is relevant to every
        intent, cut alike: ndeval's normalisation independent of the collection. (At cut-off 1
        ndeval leaves ERR-IA and alpha-DCG undivided; here it is a cut-off like any other.)
        ``none`` multiplies by alpha instead, as in the equations of Ashkan & Clarke (2011), WWW,
        pp. 407–416. Either way the score is the mean over the intents.
    """

    norm: str = "independent"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.norm not in ("independent", "none"):
            raise ValueError("norm is independent or none")
        if self.norm != "none" and self.cutoff is None and self.novelty_discount > 0.9999:
            raise ValueError("so small an alpha needs a cut-off or norm='none'")

    @property
    def novelty_discount(self) -> float:
        """The factor by which gain falls from rank to rank where all documents are relevant."""
        return 1 - self.alpha

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return the mean over the intents, shape (n_rankings,), in [0, 1]; NaN without one."""
        found = self.separate_intents(rankings).retrieved.at_least(self.rel).up_to(self.cutoff)
        mean = self.average(rankings, self.add_up(found))
        return mean * self.alpha if self.norm == "none" else mean / self._most()

    def _most(self) -> float:
        """Return the gain of a list relevant throughout, without end if there is no cut-off."""
        length = self.cutoff or 1
        if self.cutoff is None and self.novelty_discount > 0:
            length = int(np.log(1e-20) / np.log(self.novelty_discount)) + 1
        rank = np.arange(1, length + 1)
        one = Ranked(1, np.zeros_like(rank), rank, np.ones(len(rank)))
        return float(self.add_up(one)[0])


@dataclass(frozen=True)
class NormalisedGain(FadingMeasure):
    """Base of the fading measures divided by the score of the topic's ideal ranking.

    That ranking is made greedily, as in ndeval, from all relevant documents of the topic, and cut
    alike. Greed may miss the best ranking: a score can come out a little above 1.
    """

    upper_bound = np.inf

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return the share of the ideal, shape (n_rankings,), at least 0; NaN without a gain."""
        intents = self.separate_intents(rankings)
        found = intents.retrieved.at_least(self.rel).up_to(self.cutoff)
        best = intents.ideal(self.alpha, self.rel, self.cutoff)
        possible = intents.total(self.add_up(best))[rankings.topic]
        return divide(intents.total(self.add_up(found)), possible)
