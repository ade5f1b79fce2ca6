"""Judging where runs have been right so far: the MaxMean bandit over runs."""

from dataclasses import dataclass

import numpy as np

from core.orders.bandit import Bandit, BanditChooser
from core.orders.base import NOTHING, ORDERS, Chooser, Known
from core.orders.candidates import Candidates, Floats

RECOMMENDED = "max-mean(rate=0.95, topics='shared')"
"""What ranked systems best for the same number of labels on TREC-2's pool.

The rate and the rule by which topics share were chosen on that pool: elsewhere it may gain less.
"""


class _MaxMean(BanditChooser):
    def rate_runs(self, topic: int, number: int) -> Floats:
        return np.tile(self.means(topic), (number, 1))


@ORDERS.register
@dataclass(frozen=True)
class MaxMean(Bandit):
    """The next document of the run that has been right most often, by its posterior mean.

    The defaults are those of the stationary bandit. A ``rate`` below 1 makes it a non-stationary
    one: the further down a run, the fewer of its documents are relevant.
    """

    name = "max-mean"
    description = "the next document of the run whose judged documents are relevant most often"
    reference = "Losada, Parapar & Barreiro (2017), IP&M 53, doi:10.1016/j.ipm.2017.04.005"
    examples = (
        "max-mean",
        "max-mean(credit='chosen')",
        "max-mean(topics='shared')",
        RECOMMENDED,
    )
    suggested = (RECOMMENDED, "max-mean")

    def begin(self, candidates: Candidates, known: Known = NOTHING, seed: int = 1) -> Chooser:
        """Return what chooses from these candidates, given what is known."""
        return _MaxMean(candidates, known, seed, self)
