"""What measures that are estimated from a sample of the pool have in common."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from core.measures.base import Measure, Weights
from core.measures.ranked import Floats, Mask
from core.measures.ranking import Rankings
from core.measures.sample import Sample


@dataclass(frozen=True)
class EstimatedMeasure(Measure):
    """Base of the measures that are estimated from a sample of the pool.

    Where the qrels say nothing of a sample there is nothing to estimate from, and no score.
    """

    monotone = False
    lack = "the qrels do not list what was pooled and not judged, which the measure needs to know"

    def scorable_topics(self, rankings: Rankings) -> Mask:
        """Return of which topics the sample is known, shape (n_topics,)."""
        if rankings.sample is None:
            return np.zeros(len(rankings.topics), dtype=np.bool_)
        return self.known_topics(rankings.sample)

    def known_topics(self, sample: Sample) -> Mask:
        """Return of which topics the whole pool is listed, shape (n_topics,)."""
        return sample.pool.is_listed

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return the estimates, shape (n_rankings,); NaN where the sample is not known."""
        if rankings.sample is None:
            return np.full(len(rankings.length), np.nan)
        found = self.estimate(rankings.sample.up_to(self.cutoff), rankings, weights)
        return np.where(self.scorable_topics(rankings)[rankings.topic], found, np.nan)

    @abstractmethod
    def estimate(self, sample: Sample, rankings: Rankings, weights: Weights | None) -> Floats:
        """Return the estimate of every ranking, shape (n_rankings,), NaN where undefined.

        ``sample`` holds what is shown up to the cut-off.
        """
