"""Whether two conditions find the same differences between systems significant."""

import math
from dataclasses import dataclass

import pandas as pd

from core.comparison.power import wins
from core.errors import BadInput


@dataclass(frozen=True)
class SignificanceOverlap:
    """Significant pairs under two conditions.

    Parameters
    ----------
    only_first, both, only_second : int
        How many pairs are significant under the first only, under both, under the second only.
    share : float
        ``both`` of all three, in [0, 1]; NaN where nothing is significant.
    """

    only_first: int
    both: int
    only_second: int
    share: float

    def __str__(self) -> str:
        """Return it as ``2/29/2 (87.9%)``."""
        share = "undefined" if math.isnan(self.share) else f"{self.share:.1%}"
        return f"{self.only_first}/{self.both}/{self.only_second} ({share})"


def significance_overlap(
    first: pd.DataFrame, second: pd.DataFrame, alpha: float = 0.05
) -> SignificanceOverlap:
    """Count the pairs of systems that are significant under either condition, and under both.

    A pair is known by its two systems, whichever comes first. One that is significant under both
    conditions but in opposite directions is no agreement: it counts once in ``only_first`` and
    once in ``only_second``.

    Parameters
    ----------
    first, second : DataFrame
        As ``compare_systems`` returns it, of the same systems: under two qrels versions, by two
        measures or on two topic sets.
    alpha : float, default 0.05
        Significant is p < α.

    Returns
    -------
    SignificanceOverlap

    Raises
    ------
    BadInput
        The two compare different systems, or α is not between 0 and 1.

    References
    ----------
    Sakai (2017), EVIA, section 4.1.2.
    """
    _check_systems(first, second)
    found, again = set(wins(first, alpha)), set(wins(second, alpha))
    either, both = len(found | again), len(found & again)
    share = both / either if either else math.nan
    return SignificanceOverlap(len(found - again), both, len(again - found), share)


def _check_systems(first: pd.DataFrame, second: pd.DataFrame) -> None:
    compared = [set(pairs["first"]) | set(pairs["second"]) for pairs in (first, second)]
    if strangers := sorted(compared[0] ^ compared[1]):
        raise BadInput(
            f"system '{strangers[0]}' is compared under one condition only; compare the same "
            "systems under both",
            field="system",
        )
