"""Whether the User Disagreement Model holds in some labels, and what else they tell of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from core.agreement.ratings import Ratings, ratings_from_labels
from core.comparison.robustness import evaluate_mutually, summarise_robustness
from core.disagreement.consistency import Consistency, estimate_consistency
from core.disagreement.model_fit import ModelFit, assess_fit
from core.disagreement.repeated_labels import RepeatedLabels, code_repeated_labels
from core.disagreement.strata import estimate_by_stratum, list_strata
from core.disagreement.verification import Draws, draw_labels, verify_probability, verify_weights
from core.errors import TooLittleData
from core.reports.sampling import SEED, new_rng

OTHERS, WANTED, REPEATS = 5, 6, 50
NO_STRATA = "there are no parts: give results with several ranks, or topics with a type"


@dataclass(frozen=True, eq=False)
class ModelVerification:
    """The model beside the labels of one facet.

    Parameters
    ----------
    labels : DataFrame
        Canonical labels, levels as counted.
    facet : str
    top : int
        The top level.
    levels : sequence of int, optional
        All levels of the scale; those that occur without it.
    group_by : {'topic', 'document'}
        What an item is.
    min_labels, repeats, seed : int
        Of `draw_labels`.
    """

    labels: pd.DataFrame
    facet: str
    top: int
    levels: Sequence[int] | None = None
    group_by: str = "topic"
    min_labels: int = WANTED
    repeats: int = REPEATS
    seed: int = SEED

    @cached_property
    def _coded(self) -> RepeatedLabels:
        return code_repeated_labels(self.labels, self.facet, self.levels, group_by=self.group_by)

    @cached_property
    def _ratings(self) -> Ratings:
        return ratings_from_labels(self.labels, self.facet, self.levels)

    @cached_property
    def draws(self) -> Draws:
        """The draws of labels; raises TooLittleData where no item has enough."""
        return draw_labels(
            self._coded,
            self.top,
            min_labels=self.min_labels,
            others=OTHERS,
            repeats=self.repeats,
            rng=new_rng(self.seed),
        )

    @property
    def chances(self) -> pd.DataFrame:
        """The columns of `verify_probability`."""
        return verify_probability(self.draws)

    @cached_property
    def weights(self) -> pd.DataFrame:
        """The columns of `verify_weights`."""
        return verify_weights(self.draws)

    @property
    def fit(self) -> ModelFit | None:
        """Whether the model holds; None where no item has three labels."""
        return assess_fit(self.weights, self.top, self.draws.items)

    @cached_property
    def consistency(self) -> Consistency:
        """Assessors beside themselves and others; raises TooLittleData without repeats."""
        return estimate_consistency(self._coded, self.top, rng=new_rng(self.seed))

    @property
    def mutual(self) -> pd.DataFrame:
        """The columns of `summarise_robustness`: assessors scored by each other's labels.

        Raises TooLittleData where no two assessors have ten items of a topic in common.
        """
        return summarise_robustness(evaluate_mutually(self._ratings, self.top))

    def strata(
        self, results: pd.DataFrame | None = None, topics: pd.DataFrame | None = None
    ) -> pd.DataFrame:
        """Return the columns of `estimate_by_stratum` for every part that `list_strata` makes.

        Parameters
        ----------
        results : DataFrame, optional
            ``topic_id, engine, document_id, rank``.
        topics : DataFrame, optional
            ``topic_id, type``.

        Raises
        ------
        TooLittleData
            There are no parts.
        """
        lists = pd.DataFrame(columns=["rank"]) if results is None else results
        kinds = pd.DataFrame({"topic_id": [], "type": []}, dtype="str")
        parts = list_strata(kinds if topics is None else topics, lists, self._ratings, self.top)
        if not parts:
            raise TooLittleData(NO_STRATA)
        found = [estimate_by_stratum(self._ratings, part, self.top) for part in parts]
        return pd.concat(found, ignore_index=True)
