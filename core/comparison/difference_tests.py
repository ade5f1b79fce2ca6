"""Which differences between systems are more than chance: a choice of tests, all pairs at once."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats, divide
from core.comparison.choices import CORRECTIONS, DEFAULT, TESTS, DifferenceTest
from core.comparison.max_t import max_t
from core.comparison.paired import (
    bonferroni_interval,
    correct,
    paired_bootstrap,
    paired_deviation,
    paired_randomisation,
    paired_t,
)
from core.comparison.permutation import Progress, exchanges
from core.comparison.score_matrix import ScoreMatrix
from core.comparison.tukey import parametric_tukey, randomised_tukey, residual_deviation
from core.errors import BadInput


def _tukey(
    values: Floats, samples: int, rng: np.random.Generator, progress: Progress, threads: int
) -> Floats:
    return randomised_tukey(values, _apart(values), samples, rng, progress, threads)


def _parametric(values: Floats, *_: object) -> Floats:
    return parametric_tukey(values, _apart(values))


def _t(values: Floats, *_: object) -> Floats:
    return paired_t(values)


_FIND: dict[str, Callable[[Floats, int, np.random.Generator, Progress, int], Floats]] = {
    "max-t": max_t,
    "tukey": _tukey,
    "parametric": _parametric,
    "t": _t,
    "randomisation": paired_randomisation,
    "bootstrap": paired_bootstrap,
}
"""By the name of a test: scores, samples, generator, progress, threads -> a p for every two."""

_NO_SPREAD = "the systems differ by the same amount on every topic: the standard deviation is 0"


def compare_systems(
    matrix: ScoreMatrix,
    test: str = DEFAULT,
    *,
    correction: str = "holm",
    samples: int = 10_000,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
    threads: int = 1,
) -> pd.DataFrame:
    """Test the difference between the means of every two systems.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores by topic and system.
    test : str, default 'max-t'
        A name of ``TESTS``. The max-t test keeps the chance of any false difference among all
        pairs at α, whatever the variances of the systems; both forms of Tukey's test do so where
        systems vary alike; the paired tests need a correction for that.
    correction : {'holm', 'bonferroni', 'none'}, default 'holm'
        For the paired tests; the others take no notice of it.
    samples : int, default 10,000
        Random permutations, exchanges or draws of topics (B), where the test makes them: no p is
        below 1/(B + 1), nor, corrected, below ``least_p``.
    rng : Generator, optional
        Where the permutations come from; the same seed gives the same p on any machine. A fixed
        seed without.
    progress : callable, optional
        Told the share done, from 0 to 1, now and then; what it raises ends the test.
    threads : int, default 1
        How many threads permute at once; the result does not depend on it.

    Returns
    -------
    DataFrame
        A row for every two systems, in the order of the matrix: ``first, second``; ``difference``,
        mean of first − mean of second; ``low, high``, its 95 % limits, which hold for all pairs
        at once (``bonferroni_interval``; for each alone without a correction of a paired test);
        ``p`` in (0, 1], two-sided, adjusted; ``effect_size``, the difference in standard deviations
        (of the two-way residuals for Tukey's tests, of the topics' differences for the others);
        ``reason``, why effect size and limits are NaN, else ''.

    Raises
    ------
    BadInput
        There is no such test or correction, or fewer than one sample or thread is asked for.
    """
    _check_choice(test, correction, samples, threads)
    chosen, values, pairs = TESTS[test], matrix.values, matrix.pairs()
    rng = np.random.default_rng(0) if rng is None else rng
    p = _FIND[test](values, samples, rng, progress or _keep_silent, threads)
    if chosen.is_paired:
        p = correct(p, correction)
    together = 1 if chosen.is_paired and correction == "none" else len(pairs)
    pairs["low"], pairs["high"] = bonferroni_interval(values, together)
    # p may be too small for a float, but chance is never impossible.
    pairs["p"] = np.maximum(p, np.finfo(np.float64).tiny)
    spread = (
        np.array([residual_deviation(values)])
        if chosen.pools_variance
        else paired_deviation(values)
    )
    pairs["effect_size"] = divide(pairs["difference"].to_numpy(), spread)
    unknown = pairs["effect_size"].isna() | pairs["low"].isna()
    pairs["reason"] = unknown.map({True: _NO_SPREAD, False: ""}).astype("str")
    return pairs


def least_p(
    topics: int, systems: int, test: str = DEFAULT, correction: str = "holm", samples: int = 10_000
) -> float:
    """Return the p that no pair of systems can go below, however clear its difference.

    With many systems a correction, and with few topics the number of exchanges, may leave nothing
    to find: where the result is not below α.

    Parameters
    ----------
    topics, systems : int
        How many are compared.
    test, correction, samples
        As for ``compare_systems``.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    BadInput
        As ``compare_systems``.
    """
    _check_choice(test, correction, samples, 1)
    chosen = TESTS[test]
    if not chosen.draws:
        return 0.0
    made = exchanges(topics, samples) if chosen.draws == "exchanges" else samples + 1
    return min(1.0, _tests(chosen, systems, correction) / made)


def enough_samples(
    topics: int, systems: int, test: str, correction: str, alpha: float
) -> int | None:
    """Return how many samples let a clear difference be found after correction.

    Parameters
    ----------
    topics, systems, test, correction
        As for ``least_p``.
    alpha : float
        The level of significance.

    Returns
    -------
    int or None
        Such that ``least_p`` is a tenth of α at most, or as little as so few topics allow; None
        where no number of samples brings it below α.
    """
    chosen = TESTS[test]
    needed = int(np.ceil(10 * _tests(chosen, systems, correction) / alpha))
    if chosen.draws == "exchanges" and topics <= needed.bit_length():
        needed = min(needed, (1 << (topics - 1)) - 1)
    enough = least_p(topics, systems, test, correction, max(needed, 1)) < alpha
    return needed if enough else None


def _tests(chosen: DifferenceTest, systems: int, correction: str) -> int:
    """Return by how many tests the least p of a pair is multiplied."""
    corrected = chosen.is_paired and correction != "none"
    return systems * (systems - 1) // 2 if corrected else 1


def _check_choice(test: str, correction: str, samples: int, threads: int) -> None:
    if test not in TESTS:
        raise BadInput(f"'{test}' is no test; choose one of {', '.join(TESTS)}", field="test")
    if correction not in CORRECTIONS:
        choices = ", ".join(CORRECTIONS)
        raise BadInput(
            f"'{correction}' is no correction; choose one of {choices}", field="correction"
        )
    if samples < 1:
        raise BadInput("at least one random permutation is needed", field="samples")
    if threads < 1:
        raise BadInput("at least one thread is needed", field="threads")


def _apart(values: Floats) -> Floats:
    """Return the difference of every two means, shape (n_pairs,)."""
    first, second = np.triu_indices(values.shape[1], k=1)
    means = values.mean(axis=0)
    difference: Floats = means[first] - means[second]
    return difference


def _keep_silent(_share: float) -> None:
    """Take a report of progress that nobody asked for."""
