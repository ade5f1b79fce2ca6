"""Which differences between systems are more than chance: a choice of tests, all pairs at once."""

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats, divide
from core.comparison.paired import correct, paired_deviation, paired_randomisation, paired_t
from core.comparison.permutation import Progress
from core.comparison.score_matrix import ScoreMatrix
from core.comparison.tukey import parametric_tukey, randomised_tukey, residual_deviation
from core.errors import BadInput

TESTS = {
    "tukey": "randomised Tukey HSD: permutes each topic's scores over all systems",
    "parametric": "two-way Tukey HSD: studentised range, for normally distributed residuals",
    "t": "paired t test of every two systems",
    "randomisation": "paired randomisation test: swaps the scores of two systems within topics",
}
"""The tests by name, with what they do."""

CORRECTIONS = ("holm", "bonferroni", "none")
"""How p of the paired tests is corrected for the number of pairs."""

PAIRED = ("t", "randomisation")
"""The tests that take two systems at a time, and need a correction."""

SAMPLED = ("tukey", "randomisation")
"""The tests that draw random permutations."""

_NO_SPREAD = "the systems differ by the same amount on every topic: the standard deviation is 0"


def compare_systems(
    matrix: ScoreMatrix,
    test: str = "tukey",
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
    test : str, default 'tukey'
        A name of ``TESTS``. Both forms of Tukey's test keep the chance of any false difference
        among all pairs at α; the paired tests need a correction for that.
    correction : {'holm', 'bonferroni', 'none'}, default 'holm'
        For the paired tests; Tukey's take no notice of it.
    samples : int, default 10,000
        Random permutations (B), which "tukey" and "randomisation" need: no p is below 1/(B + 1),
        nor, corrected, below ``smallest_p``.
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
        mean of first − mean of second; ``p`` in (0, 1], two-sided, adjusted; ``effect_size``, the
        difference in standard deviations (of the two-way residuals for Tukey's tests, of the
        topics' differences for the paired ones); ``reason``, why the effect size is NaN, else ''.

    Raises
    ------
    BadInput
        There is no such test or correction, or fewer than one sample or thread is asked for.
    """
    _check_choice(test, correction, samples, threads)
    values, pairs = matrix.values, matrix.pairs()
    difference = pairs["difference"].to_numpy()
    rng = np.random.default_rng(0) if rng is None else rng
    report = progress or _keep_silent
    if test == "tukey":
        p = randomised_tukey(values, difference, samples, rng, report, threads)
    elif test == "parametric":
        p = parametric_tukey(values, difference)
    elif test == "t":
        p = correct(paired_t(values), correction)
    else:
        p = correct(paired_randomisation(values, samples, rng, report, threads), correction)
    # p may be too small for a float, but chance is never impossible.
    pairs["p"] = np.maximum(p, np.finfo(np.float64).tiny)
    pairs["effect_size"] = divide(difference, _deviation(test, values))
    pairs["reason"] = pairs["effect_size"].isna().map({True: _NO_SPREAD, False: ""}).astype("str")
    return pairs


def smallest_p(
    systems: int, test: str = "tukey", correction: str = "holm", samples: int = 10_000
) -> float:
    """Return the p that no pair of systems can go below, however clear its difference.

    With many systems a correction may leave nothing to find: where the result is not below α, more
    samples are needed than (pairs / α) for the randomisation test.

    Parameters
    ----------
    systems : int
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
    if test not in SAMPLED:
        return 0.0
    pairs = systems * (systems - 1) // 2 if test in PAIRED and correction != "none" else 1
    return min(1.0, pairs / (samples + 1))


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


def _deviation(test: str, values: Floats) -> Floats:
    """Return what differences are measured in, one for all pairs or one for each."""
    return paired_deviation(values) if test in PAIRED else np.array([residual_deviation(values)])


def _keep_silent(_share: float) -> None:
    """Take a report of progress that nobody asked for."""
