"""How many topics a collection needs, from a pilot's scores or a given variance."""

from collections.abc import Sequence

import pandas as pd

from core.api.calls.named import as_list
from core.errors import BadInput
from core.planning.choices import METHODS
from core.planning.designs import Requirement
from core.planning.variance import given_variance
from core.reports.planning import TopicPlan, plan_topics, variance_of_scores


def plan(
    scores: pd.DataFrame | None = None,
    *,
    effect: float = Requirement.effect,
    power: float = Requirement.power,
    alpha: float = Requirement.alpha,
    systems: int | None = None,
    width: float | None = None,
    variance: float | None = None,
    difference_variance: float | None = None,
    methods: str | Sequence[str] = METHODS,
) -> TopicPlan:
    """Say how many topics tell systems apart that differ by ``effect``.

    Parameters
    ----------
    scores : DataFrame, optional
        A pilot's: ``system, topic_id, value`` by one measure. Rows without a value are left out.
    effect, power, alpha, width
        What is wanted, as for `core.planning.designs.Requirement`.
    systems : int, optional
        How many are compared; those of the pilot, else 2.
    variance, difference_variance : float, optional
        In place of scores: of a system's scores over topics, of the differences of two systems.
        Without the second, twice the first, which is too much on the same topics.
    methods : str or sequence of str
        ``paired-t``, ``tukey``, ``two-way-anova``, ``one-way-anova``, ``interval-width``.

    Returns
    -------
    TopicPlan
        ``answer``, by the first of the designs, and the tables ``designs`` (numbers of topics),
        ``reached`` (what those of the pilot tell), ``curve`` and ``variances``; ``at(n)`` is what n
        topics tell.

    Raises
    ------
    BadInput
        Neither scores nor a variance, or both; a number is out of its range.
    TooLittleData
        Scores of fewer than two systems or two topics.

    Examples
    --------
    >>> found = plan(difference_variance=0.04, effect=0.1, methods=["paired-t"])
    >>> found.designs[["method", "effect", "power", "topics"]]
         method  effect  power  topics
    0  paired-t     0.1    0.8    34.0
    """
    is_given = variance is not None or difference_variance is not None
    if (scores is None) != is_given:
        raise BadInput("give either a pilot's scores, or a variance")
    found, measure = given_variance(variance, difference_variance), ""
    if scores is not None:
        found, _ = variance_of_scores(scores[scores["value"].notna()])
        named = [*scores["measure"].unique()] if "measure" in scores else [""]
        measure = str(named[0]) if len(named) == 1 else ""
    compared = max(2, found.systems) if systems is None else systems
    wanted = Requirement(effect, power, alpha, compared, width)
    return plan_topics(found, wanted, as_list(methods), measure=measure)
