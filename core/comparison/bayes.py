"""How likely one system is better than another, better by little, or worse: a Bayesian comparison.

References
----------
Benavoli, Corani, Demšar and Zaffalon (2017), Journal of Machine Learning Research 18(77).
Carterette (2015), ICTIR, doi:10.1145/2808194.2809467.
"""

import numpy as np
import pandas as pd

from core.comparison.paired import paired_deviation
from core.comparison.score_matrix import ScoreMatrix
from core.errors import BadInput

ROPE = 0.01
"""Differences this small are practically none (region of practical equivalence)."""

PRIOR = (
    "differences by topic are normal, with the uninformative prior p(μ, σ) ∝ 1/σ for every two "
    "systems by themselves: nothing is known of them beforehand, and many pairs are not drawn "
    "towards each other"
)
"""What is taken for granted."""


def compare_posterior(matrix: ScoreMatrix, rope: float = ROPE) -> pd.DataFrame:
    """Return how likely each of two systems is better, by more than ``rope``.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores by topic and system; topics are what is sampled.
    rope : float, default 0.01
        Half the width of the region of practical equivalence, in the measure's unit; at least 0.

    Returns
    -------
    DataFrame
        A row for every two systems, in the order of the matrix: ``first, second, difference``;
        ``low, high``, the 95 % credible limits of the mean difference; ``first_better, equal,
        second_better``: the posterior probabilities that it is above ``rope``, within it, and below
        −``rope``; they sum to 1. ``reason``, why limits are NaN: two systems that differ by
        the same on every topic leave no doubt, by this prior.

    Raises
    ------
    BadInput
        ``rope`` is negative or no number.

    Notes
    -----
    The posterior of a mean difference is Student's t with one degree of freedom less than there
    are topics.
    """
    if not rope >= 0:
        raise BadInput("half the width of practical equivalence is at least 0", field="rope")
    from scipy.special import stdtr, stdtrit

    pairs, topics = matrix.pairs(), len(matrix.topics)
    difference = pairs["difference"].to_numpy()
    error = paired_deviation(matrix.values) / np.sqrt(topics)
    known = error > 0
    scale = np.where(known, error, 1)
    above, below = (
        np.where(
            known,
            stdtr(topics - 1, (side * difference - rope) / scale),
            side * difference > rope,
        )
        for side in (1, -1)
    )
    half = np.where(known, stdtrit(topics - 1, 0.975) * error, np.nan)
    return pairs.assign(
        low=difference - half,
        high=difference + half,
        first_better=above,
        equal=np.clip(1 - above - below, 0, 1),
        second_better=below,
        reason=pd.array(np.where(known, "", _SAME), dtype="str"),
    )


_SAME = "the systems differ by the same amount on every topic"
