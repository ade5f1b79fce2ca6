"""Tests of two systems at a time on the same topics, and corrections for how many there are."""

import numpy as np

from core.agreement.intervals import Floats
from core.comparison.permutation import Progress, run_blocks, tolerance


def paired_t(values: Floats) -> Floats:
    """Return p of Student's paired t test of every two systems, two-sided.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores.

    Returns
    -------
    array, shape (n_pairs,)
        In [0, 1]; where two systems differ by the same on every topic, 0, and 1 where they do not
        differ at all.
    """
    from scipy.special import stdtr

    topics = len(values)
    apart, deviation = _differences(values)
    t = np.divide(
        apart * np.sqrt(topics),
        deviation,
        out=np.where(apart > tolerance(values), np.inf, 0.0),
        where=deviation > 0,
    )
    p: Floats = 2 * stdtr(topics - 1, -t)
    return p


def paired_randomisation(
    values: Floats,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Floats:
    """Return p of the paired randomisation test of every two systems, two-sided.

    The scores of the two systems are swapped on a random half of the topics; p is the share of
    such exchanges, the observed scores among them, with means at least as far apart.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores.
    samples : int
        Random exchanges, the same ones for every two systems.
    rng, progress, threads
        See ``run_blocks``.

    Returns
    -------
    array, shape (n_pairs,)
        In [1/(samples + 1), 1].

    References
    ----------
    Smucker, Allan and Carterette (2007), CIKM, doi:10.1145/1321440.1321528.
    """
    topics, systems = values.shape
    centred = (values - values.mean(axis=1, keepdims=True)).T.copy()
    first, second = np.triu_indices(systems, k=1)
    least = topics * (_differences(values)[0] - tolerance(values))[:, np.newaxis]

    def count(samples: int, rng: np.random.Generator) -> Floats:
        sums = centred @ (rng.integers(0, 2, size=(topics, samples), dtype=np.int8) * 2.0 - 1)
        counts: Floats = (np.abs(sums[first] - sums[second]) >= least).sum(axis=1)
        return counts

    # Products this small stay in their thread; larger ones make numpy's own threads wait.
    cells = max(topics + len(first), values.size // 4)
    blocks = run_blocks(count, cells, samples, rng, progress, threads)
    return (1 + sum(blocks, start=np.zeros(len(first)))) / (samples + 1)


def paired_deviation(values: Floats) -> Floats:
    """Return the standard deviation of every two systems' differences, shape (n_pairs,).

    It is 0 where it is nothing but rounding.
    """
    return _differences(values)[1]


def correct(p: Floats, correction: str) -> Floats:
    """Return p as it is after a correction for the number of tests, in the same order.

    Parameters
    ----------
    p : array, shape (n_tests,)
        From single tests.
    correction : {'holm', 'bonferroni', 'none'}
        Both corrections bound the chance of any false rejection; Holm's rejects more.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6(2).
    """
    if correction == "none":
        return p
    if correction == "bonferroni":
        return np.minimum(p * len(p), 1)
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1)
    return corrected


def _differences(values: Floats) -> tuple[Floats, Floats]:
    """Return how far apart every two systems are, and the standard deviation of that."""
    first, second = np.triu_indices(values.shape[1], k=1)
    centred = values - values.mean(axis=1, keepdims=True)
    apart = centred[:, first] - centred[:, second]
    deviation = apart.std(axis=0, ddof=1)
    return np.abs(apart.mean(axis=0)), np.where(deviation > tolerance(values), deviation, 0)
