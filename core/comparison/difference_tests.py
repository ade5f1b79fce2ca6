"""Which differences between systems are more than chance: a choice of tests, all pairs at once."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from core.agreement.corrections import correct
from core.agreement.intervals import Floats, divide
from core.comparison.choices import CORRECTIONS, DEFAULT, MODERATED, TESTS, DifferenceTest
from core.comparison.max_t import max_t, moderated_max_t, step_down_max_t
from core.comparison.paired import (
    means_apart,
    paired_bootstrap,
    paired_deviation,
    paired_randomisation,
    paired_t,
)
from core.comparison.permutation import LIMITS, Progress, Tested, exchanges
from core.comparison.score_matrix import ScoreMatrix
from core.comparison.tukey import parametric_tukey, randomised_tukey, residual_deviation
from core.errors import BadInput

_Drawn = tuple[int, np.random.Generator, Progress, int]
"""Samples, generator, progress, threads."""

_FIND: dict[str, Callable[[Floats, float, _Drawn], Tested]] = {
    "single-step": lambda values, _, drawn: max_t(values, *drawn),
    "max-t": lambda values, _, drawn: (max_t if values.shape[1] == 2 else step_down_max_t)(
        values, *drawn
    ),
    MODERATED: lambda values, _, drawn: (max_t if values.shape[1] == 2 else moderated_max_t)(
        values, *drawn
    ),
    "tukey": lambda values, _, drawn: randomised_tukey(values, means_apart(values), *drawn),
    "parametric": lambda values, _, drawn: parametric_tukey(values, means_apart(values)),
    "t": lambda values, limits, _: paired_t(values, limits),
    "randomisation": lambda values, limits, drawn: paired_randomisation(values, limits, *drawn),
    "bootstrap": lambda values, limits, drawn: paired_bootstrap(values, limits, *drawn),
}
"""By the name of a test, from scores and the least p within limits of one pair."""

_NO_LIMITS = "no limits belong to a p that is found step by step"
_UNBOUNDED = "with so few topics or samples no p is below .05, so that there are no limits"
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
    test : str, default 'single-step'
        A name of ``TESTS``. The max-t tests keep the chance of any false difference among all
        pairs at α, whatever the variances of the systems, where differences are spread alike on
        both sides; both forms of Tukey's test do so where systems vary alike; the paired tests need
        a correction for that.
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
        mean of first − mean of second; ``low, high``, its 95 % limits, the test turned round: 0 is
        outside where p < .05. They hold for all pairs at once (for each alone without a correction
        of a paired test). A p that is found step by step, by ``max-t`` or Holm's method, has none;
        ``p`` in (0, 1], two-sided, adjusted; ``effect_size``, the difference in standard deviations
        (of the two-way residuals for Tukey's tests, of the topics' differences for the others);
        ``reason``, why effect size or limits are NaN, else ''.

    Raises
    ------
    BadInput
        There is no such test or correction, or fewer than one sample or thread is asked for.
    """
    _check_choice(test, correction, samples, threads)
    chosen, values, pairs = TESTS[test], matrix.values, matrix.pairs()
    rng = np.random.default_rng(0) if rng is None else rng
    named = chosen.name_limits(correction, len(pairs))
    alone = LIMITS / (1 if correction == "none" else len(pairs)) if named else np.nan
    found = _FIND[test](values, alone, (samples, rng, progress or _keep_silent, threads))
    p = correct(found.p, correction) if chosen.is_paired else found.p
    unbounded = np.isinf(found.low)
    pairs["low"], pairs["high"] = (np.where(unbounded, np.nan, one) for one in found[1:])
    # p may be too small for a float, but chance is never impossible.
    pairs["p"] = np.maximum(p, np.finfo(np.float64).tiny)
    spread = (
        np.array([residual_deviation(values)])
        if chosen.pools_variance
        else paired_deviation(values)
    )
    pairs["effect_size"] = divide(pairs["difference"].to_numpy(), spread)
    pairs["reason"] = "" if named else _NO_LIMITS
    pairs.loc[unbounded, "reason"] = _UNBOUNDED
    pairs.loc[pairs["effect_size"].isna(), "reason"] = _NO_SPREAD
    return pairs.astype({"reason": "str"})


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


def _keep_silent(_share: float) -> None:
    """Take a report of progress that nobody asked for."""
