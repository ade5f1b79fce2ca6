"""How far the assessors of some labels agree: each question one call, each call its own draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from core.agreement.base import Coefficient, PairCoefficient
from core.agreement.coefficients import Kappa
from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.groups import (
    agreement_by_group,
    agreement_differences,
    between_assessors,
    between_groups,
    pair_groups,
)
from core.agreement.of_two import of_two
from core.agreement.overall import agreement_by_part, measure_agreement
from core.agreement.pairs import agreement_by_pair
from core.agreement.ratings import Ratings
from core.agreement.topics import agreement_by_topic
from core.errors import BadInput
from core.reports.sampling import SAMPLES, SEED, new_rng

LINEAR = Kappa("linear")
"""What is told of single topics unless something else is asked for."""

NO_GROUP = "no group"

MOST_DIFFERENCES = 20_000
"""As many as 20 assessors make who all have items in common; that takes a few seconds."""


@dataclass(frozen=True, eq=False)
class LabelAgreement:
    """The agreement of the assessors of one facet.

    Every table has 95 % intervals, and says beside them what they take for sampled: topics, but
    for `by_topic`, which has one. A bootstrap, where one is asked for, draws topics 1,000 times,
    from the same seed in every call.

    Parameters
    ----------
    ratings : Ratings
        The labels.
    groups : mapping of str to str, optional
        The group of each assessor, '' for none.
    seed : int, default 1
        Where resampling begins.
    """

    ratings: Ratings
    groups: Mapping[str, str] = field(default_factory=dict)
    seed: int = SEED

    @cached_property
    def matrices(self) -> ConfusionMatrices:
        """The confusion matrices of every two assessors; raises TooLittleData."""
        return confusion_matrices(self.ratings)

    @property
    def has_groups(self) -> bool:
        """Whether assessors are in different groups."""
        return len(set(self.groups.values())) > 1

    def by_pair(
        self,
        coefficients: Sequence[Coefficient],
        interval: str = "jackknife",
        *,
        every_pair: bool = False,
    ) -> pd.DataFrame:
        """Return the columns of `agreement_by_pair`, also for pairs without common items or not.

        Raises
        ------
        BadInput
            A coefficient weighs items by rank: it is of all assessors together.
        """
        return agreement_by_pair(
            self.matrices,
            [*map(of_two, coefficients)],
            interval=interval,
            samples=SAMPLES,
            rng=new_rng(self.seed),
            every_pair=every_pair,
        )

    def overall(self, coefficients: Sequence[Coefficient]) -> pd.DataFrame:
        """Return the columns of `measure_agreement`: all assessors together."""
        return measure_agreement(self.ratings, coefficients, matrices=self.matrices)

    def by_topic(
        self, coefficients: Sequence[Coefficient] = (), interval: str = "jackknife"
    ) -> pd.DataFrame:
        """Return the columns of `agreement_by_topic`; of linear weighted κ where none is named.

        Raises
        ------
        BadInput
            A coefficient weighs items by rank: it is of all assessors together.
        """
        two = [*map(of_two, coefficients or [LINEAR])]
        return agreement_by_topic(self.matrices, two, interval=interval)

    def by_group(self, coefficients: Sequence[PairCoefficient]) -> pd.DataFrame:
        """Return the columns of `agreement_by_group`; no row without two groups.

        Raises
        ------
        BadInput
            There is no coefficient: those of any number of assessors have no value of two groups.
        """
        if not coefficients:
            raise BadInput("two groups are compared by coefficients of two, such as kappa")
        if not self.has_groups:
            return pd.DataFrame()
        return agreement_by_group(self.matrices, self.groups, coefficients)

    def by_part(self, parts: "pd.Series[str]", coefficients: Sequence[Coefficient]) -> pd.DataFrame:
        """Return the columns of `agreement_by_part`; no row without two parts.

        Parameters
        ----------
        parts : Series of str
            The part of each of the ratings' items; missing where it belongs to none.
        coefficients : sequence of Coefficient
            Those wanted.
        """
        parts = parts if parts.nunique() > 1 else parts.mask(parts.notna())
        return agreement_by_part(self.ratings, parts, coefficients)

    def differences(self, coefficients: Sequence[PairCoefficient]) -> pd.DataFrame:
        """Return the columns of `agreement_differences`: of pairs of groups, else of assessors.

        Raises
        ------
        BadInput
            There would be more than ``MOST_DIFFERENCES``, which nobody reads.
        """
        number = self.count_differences()
        if number > MOST_DIFFERENCES:
            what = "groups" if self.has_groups else "assessors"
            how = (
                "have fewer groups"
                if self.has_groups
                else "give the assessors groups, and pairs of groups are compared instead"
            )
            raise BadInput(
                f"every two of {self._count_selections():,} pairs of {what} are {number:,} "
                f"differences, and at most {MOST_DIFFERENCES:,} are compared; {how}"
            )
        return agreement_differences(self._selections(), coefficients)

    def count_differences(self) -> int:
        """Return how many differences there are: of every two pairs of groups or assessors."""
        number = self._count_selections()
        return number * (number - 1) // 2

    def _count_selections(self) -> int:
        if self.has_groups:
            return len(pair_groups(self.matrices, self.groups))
        return len(self.matrices.pair_starts())

    def _selections(self) -> dict[str, ConfusionMatrices]:
        """Return the pairs of assessors to compare, by name."""
        matrices = self.matrices
        if self.has_groups:
            return {
                f"{first or NO_GROUP} × {second or NO_GROUP}": between_groups(
                    matrices, self.groups, first, second
                )
                for first, second in pair_groups(matrices, self.groups)
            }
        pairs, names = matrices.by_pair(), np.asarray(matrices.assessors)
        return {
            f"{first} × {second}": between_assessors(matrices, first, second)
            for first, second in zip(names[pairs.first], names[pairs.second], strict=True)
        }
