"""What some preferences of one kind and facet say: strengths, cycles, agreement."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from core.preference.agreement import preference_agreement, preference_agreement_by_pair
from core.preference.bradley_terry import Strengths, bradley_terry
from core.preference.clusters import cluster_preferences
from core.preference.outcomes import tabulate_outcomes
from core.preference.pair_counts import count_pairs
from core.preference.transitivity import Transitivity, find_intransitive


@dataclass(frozen=True, eq=False)
class PreferenceAnalysis:
    """Preferences between systems, or between documents.

    Parameters
    ----------
    preferences : DataFrame
        Of one kind and facet.
    """

    preferences: pd.DataFrame

    @property
    def outcomes(self) -> pd.DataFrame:
        """Wins, losses and ties of every pair: the columns of `tabulate_outcomes`."""
        return tabulate_outcomes(self.preferences)

    @property
    def outcomes_by_topic(self) -> pd.DataFrame:
        """The same topic by topic."""
        return tabulate_outcomes(self.preferences, by_topic=True)

    @cached_property
    def cycles(self) -> Transitivity:
        """The triples that were compared, and the cycles among them."""
        return find_intransitive(count_pairs(self.preferences))

    @property
    def agreement(self) -> pd.DataFrame:
        """Agreement of all assessors; raises TooLittleData."""
        return preference_agreement(self.preferences)

    @property
    def agreement_by_pair(self) -> pd.DataFrame:
        """Agreement of every two assessors; raises TooLittleData."""
        return preference_agreement_by_pair(self.preferences)

    def strengths(self, model: str = "bradley-terry") -> Strengths:
        """Return the strengths by a model of `bradley_terry`; raises TooLittleData.

        Limits of systems are over topics, those of documents over the topic's assessors.
        """
        counts = count_pairs(self.preferences)
        return bradley_terry(counts, model, cluster_preferences(self.preferences, counts))
