"""The max-t test of all pairs of systems: studentised, randomised and step-down.

References
----------
Westfall and Young (1993), Resampling-Based Multiple Testing, Wiley.
Romano and Wolf (2005), Journal of the American Statistical Association 100(469),
doi:10.1198/016214504000000539.
"""

import numpy as np

from core.agreement.intervals import Floats
from core.comparison.paired import squared_cosine
from core.comparison.permutation import Progress, exchanges, run_exchanges, tolerance

_ROUNDING = 1e-9


def max_t(
    values: Floats,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Floats:
    """Return p of the difference of every two systems, adjusted for all pairs.

    The signs of all differences on a random half of the topics are exchanged. The statistic of a
    pair is the absolute t of its own differences, so that a pair that varies much does not hide
    one that varies little. A pair's p is the share of exchanges, the observed scores among them,
    whose largest t is at least as large; the largest over those pairs only whose observed t is no
    larger, as clearer ones have been rejected before (step-down).

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores.
    samples : int
        Random exchanges (B); all 2^(n_topics − 1) are made where they are no more than B + 1.
    rng, progress, threads
        See ``run_exchanges``.

    Returns
    -------
    array, shape (n_pairs,)
        In [1/(B + 1), 1]. It controls the chance of any false difference among all pairs where
        the differences between equal systems are spread alike on both sides of 0, whatever their
        variances and correlations.
    """
    topics, systems = values.shape
    centred = (values - values.mean(axis=1, keepdims=True)).T.copy()
    first, second = np.triu_indices(systems, k=1)
    apart = centred[first] - centred[second]
    squares = (apart**2).sum(axis=1)
    varies = squares > topics * tolerance(values) ** 2
    observed = squared_cosine(apart.sum(axis=1), squares, varies)
    order = np.argsort(observed, kind="stable")
    first, second = first[order], second[order]
    scale = np.where(varies, 1 / np.where(varies, squares, 1), 0)[order, np.newaxis]
    # From the least clear pair on, each is compared with the largest of those up to itself.
    least = (observed[order] * (1 - _ROUNDING))[:, np.newaxis]

    def count(signs: Floats) -> Floats:
        sums = centred @ signs
        t = sums[first]
        t -= sums[second]
        np.square(t, out=t)
        t *= scale
        np.maximum.accumulate(t, axis=0, out=t)
        reached: Floats = np.count_nonzero(t >= least, axis=1).astype(np.float64)
        return reached

    cells = max(topics, len(first) // 2)
    blocks = run_exchanges(count, topics, cells, samples, rng, progress, threads)
    reached = 1 + sum(blocks, start=np.zeros(len(first)))
    p = np.empty(len(first))
    # No pair is clearer than one with a larger t.
    p[order] = np.maximum.accumulate(reached[::-1])[::-1] / exchanges(topics, samples)
    return p
