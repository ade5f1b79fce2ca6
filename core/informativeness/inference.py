"""Other measures' values, as the probabilities inferred from one measure predict them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.comparison.rank_correlation import kendall_tau
from core.informativeness.batch import Batch
from core.informativeness.families import CascadeFamily, Recursion
from core.informativeness.inferred_curves import unite
from core.informativeness.problem import RankedRelevance
from core.informativeness.solve import Solution
from core.informativeness.targets import Target
from core.measures.ranked import Floats

_DIGITS = 12
"""Means that agree to so many decimals are tied."""

NO_INTENTS = "the probabilities of relevance to any intent do not tell intents apart"
NO_TOPIC = "no topic has a solution"
NO_VALUE = "every system's actual mean is 0, so no error is relative to it"
NO_ORDER = "all systems are tied, or there is only one: there is no order"


@dataclass(frozen=True, eq=False)
class Inferred:
    """What the problems of one measure came to.

    Parameters
    ----------
    target : Target
        The measure whose values were given.
    labels : RankedRelevance
        The rankings; by intent if the measure is.
    batch : Batch
        Its problems, one a ranking, with the observed values.
    solution : Solution
        What was inferred from them.
    """

    target: Target
    labels: RankedRelevance
    batch: Batch
    solution: Solution

    def expect(self, other: "Inferred") -> Floats | None:
        """Return the values of another measure that these probabilities predict.

        Parameters
        ----------
        other : Inferred
            The same rankings by the other measure.

        Returns
        -------
        array of float, shape (n_rankings,), or None
            NaN where nothing was inferred. None when the other measure tells several intents
            apart and this one does not.
        """
        p, family = self.solution.p, other.batch.family
        if other.target.by_intent and not self.target.by_intent and len(other.labels.intents) > 1:
            return None
        if self.target.by_intent and not other.target.by_intent:
            p = unite(self.labels, p)
            if isinstance(family, Recursion):
                # The union's probabilities do not add up to the Rret which that presumes.
                family = CascadeFamily(family.discount, family.alpha)
        return other.batch.total(family.value(p, other.batch.rret))


def infer_means(inferred: Sequence[Inferred]) -> pd.DataFrame:
    """Return every system's mean of each measure, inferred from each other one and actual.

    Parameters
    ----------
    inferred : sequence of Inferred
        The same rankings by several measures.

    Returns
    -------
    DataFrame
        ``target, measure, system, inferred, actual, topics, reason``: means over the topics where
        the target's problem has a solution, and how many these are; ``reason``, why the means are
        NaN, else ''.
    """
    frames = [
        _compare_means(target, other)
        for target in inferred
        for other in inferred
        if other is not target
    ]
    columns = ["target", "measure", "system", "inferred", "actual", "topics", "reason"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _compare_means(target: Inferred, other: Inferred) -> pd.DataFrame:
    systems = target.labels.systems
    found = target.expect(other)
    expected = np.full(len(other.batch.value), np.nan) if found is None else found
    values = np.stack([expected, other.batch.value]).reshape(2, len(systems), -1)
    known = ~np.isnan(values[0])
    topics = known.sum(axis=1)
    total = np.where(known, values, 0.0).sum(axis=2)
    mean = np.where(topics > 0, total / np.maximum(topics, 1), np.nan)
    reason = NO_INTENTS if found is None else NO_TOPIC
    return pd.DataFrame(
        {
            "target": pd.array([str(target.target)] * len(systems), dtype="str"),
            "measure": pd.array([str(other.target)] * len(systems), dtype="str"),
            "system": pd.array(list(systems), dtype="str"),
            "inferred": mean[0],
            "actual": mean[1],
            "topics": topics,
            "reason": pd.array(np.where(topics > 0, "", reason), dtype="str"),
        }
    )


def compare_inferences(means: pd.DataFrame) -> pd.DataFrame:
    """Return how well each measure predicts the others.

    Parameters
    ----------
    means : DataFrame
        As `infer_means` returns it.

    Returns
    -------
    DataFrame
        ``target, measure``; ``tau``, Kendall's τ-b of the systems by inferred and by actual mean,
        in [−1, 1]; ``rmsr, mare``, root mean square and mean absolute error relative to the
        actual mean, at least 0, over the systems whose actual mean is above 0; ``systems``, how
        many have a mean; ``reason``, why a number is NaN, else ''.

    References
    ----------
    Ashkan & Clarke (2011), WWW, pp. 407–416, Tables 2 and 3.
    """
    rows = [
        (target, measure, *_compare(pairs))
        for (target, measure), pairs in means.groupby(["target", "measure"], sort=False)
    ]
    columns = ["target", "measure", "tau", "rmsr", "mare", "systems", "reason"]
    return pd.DataFrame(rows, columns=columns)


def _compare(pairs: pd.DataFrame) -> tuple[float, float, float, int, str]:
    """Return τ-b, RMSR, MARE, the number of systems and why something is missing."""
    known = pairs[pairs["topics"] > 0]
    if known.empty:
        return np.nan, np.nan, np.nan, 0, pairs["reason"].iloc[0]
    inferred, actual = known["inferred"].to_numpy(), known["actual"].to_numpy()
    tau = kendall_tau(inferred.round(_DIGITS), actual.round(_DIGITS))
    above = actual > 0
    if not above.any():
        return tau, np.nan, np.nan, len(known), NO_VALUE
    error = inferred[above] / actual[above] - 1
    reason = NO_ORDER if np.isnan(tau) else ""
    rmsr, mare = np.sqrt((error**2).mean()), np.abs(error).mean()
    return tau, float(rmsr), float(mare), len(known), reason
