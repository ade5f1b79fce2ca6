"""The variance of scores under several conditions: versions of the same topics are replicates."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.comparison.conditions import Condition
from core.comparison.score_matrix import ScoreMatrix
from core.comparison.variance import VarianceStudy, study_variance
from core.reports.conditions import ScoredCondition


@dataclass(frozen=True, eq=False)
class SplitVariance:
    """A study of variance, and the conditions whose scores it splits."""

    conditions: tuple[str, ...]
    study: VarianceStudy


def split_variances(
    scored: Sequence[ScoredCondition], conditions: Sequence[Condition]
) -> list[SplitVariance]:
    """Split the variance of the scores under each condition, of versions together.

    Parameters
    ----------
    scored : sequence of ScoredCondition
        With the measure among their facts.
    conditions : sequence of Condition
        The same conditions, tested; those with too little to test are left out.

    Returns
    -------
    list of SplitVariance
        One for all conditions with the same measure and topics.
    """
    groups: dict[object, list[tuple[str, ScoreMatrix]]] = {}
    for one, tested in zip(scored, conditions, strict=True):
        if tested.matrix is not None:
            key = one.facts["measure"], one.topic_set, tested.matrix.topics
            groups.setdefault(key, []).append((tested.name, tested.matrix))
    return [
        SplitVariance(tuple(name for name, _ in group), study_variance([one for _, one in group]))
        for group in groups.values()
    ]
