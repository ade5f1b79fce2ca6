"""Every coefficient against another library or a printed figure; one in no row fails."""

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score, jaccard_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from core.agreement.base import COEFFICIENTS, PairCoefficient
from core.agreement.multi_rater_counts import sum_items
from tests.each import each

LEVELS = (0, 1, 2)
# irrCAC 1.0 (Gwet), vignette "overview": two abstractors, 100 records.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]


def krippendorffs_alpha(metric):
    def alpha(first, second):
        return krippendorff.alpha(
            reliability_data=[first, second], value_domain=LEVELS, level_of_measurement=metric
        )

    return alpha


def scotts_pi(metric):
    """Return π, which draws with replacement, from Krippendorff's α, which draws without."""

    def pi(first, second):
        drawn = len(first) + len(second)
        return 1 - (1 - krippendorffs_alpha(metric)(first, second)) * drawn / (drawn - 1)

    return pi


def distance(v1, v2, i1, i2, n_v, dtype):
    return np.abs(v1 - v2).astype(dtype)


def counted(method):
    return lambda first, second: fleiss_kappa(
        aggregate_raters(np.stack([first, second], axis=1), n_cat=len(LEVELS))[0], method
    )


def cut(statistic, level):
    return lambda *both: statistic(*(np.where(one >= level, 1, 0) for one in both))


# A function of two lists of levels is another library's. A number is what irrCAC prints for the
# abstractors, or the definition worked out for them.
ORACLES = {
    "kappa": cohen_kappa_score,
    "kappa(linear)": lambda *both: cohen_kappa_score(*both, weights="linear"),
    "kappa(quadratic)": lambda *both: cohen_kappa_score(*both, weights="quadratic"),
    "kappa(binary>=1)": cut(cohen_kappa_score, 1),
    "pi": counted("fleiss"),
    "pi(linear)": scotts_pi(distance),
    "pi(quadratic)": scotts_pi("interval"),
    "pi(binary>=1)": cut(scotts_pi("nominal"), 1),
    "raw": accuracy_score,
    "raw(binary>=2)": cut(accuracy_score, 2),
    "overlap>=1": cut(jaccard_score, 1),
    "overlap>=2": cut(jaccard_score, 2),
    "alpha(nominal)": krippendorffs_alpha("nominal"),
    "alpha(ordinal)": krippendorffs_alpha("ordinal"),
    "alpha(interval)": krippendorffs_alpha("interval"),
    "fleiss": counted("fleiss"),
    "randolph": counted("randolph"),
    "AC1": 0.8493305,
    # Shares of the levels .13 .255 .615, Σ p(1 − p) = .53985; weights add up to 5, and to 6.
    "AC2(linear)": (0.945 - 5 / 6 * 0.53985) / (1 - 5 / 6 * 0.53985),
    "AC2(quadratic)": (0.9725 - 0.53985) / (1 - 0.53985),
}
PRINTED = {"kappa": 0.7964094, "pi": 0.7962397, "alpha(nominal)": 0.7972585, "randolph": 0.835}
PRINTED |= {"raw": 0.89}
FUNCTIONS = {text: oracle for text, oracle in ORACLES.items() if callable(oracle)}


def cross(first, second):
    matrix = np.zeros((len(LEVELS), len(LEVELS)))
    np.add.at(matrix, (first, second), 1)
    return matrix


def spread(matrix):
    """Return the two lists of levels of a confusion matrix."""
    cells = [(i, j) for i, row in enumerate(matrix) for j, n in enumerate(row) for _ in range(n)]
    return np.array(cells).T


def value_of(text, first, second):
    coefficient = COEFFICIENTS.parse(text)
    if isinstance(coefficient, PairCoefficient):
        return float(coefficient.value(cross(first, second), LEVELS))
    given = np.eye(len(LEVELS))
    return float(coefficient.value(sum_items(given[first] + given[second], LEVELS)))


def test_every_coefficient_has_an_oracle():
    assert {COEFFICIENTS.parse(text).name for text in ORACLES} == set(COEFFICIENTS.names())


@each(("text", "expected"), [*ORACLES.items(), *PRINTED.items()])
def test_two_abstractors(text, expected):
    labels = spread(ABSTRACTORS)
    wanted, exact = (expected(*labels), 1e-12) if callable(expected) else (expected, 5e-8)
    assert value_of(text, *labels) == pytest.approx(float(wanted), abs=exact)


@each("seed", range(5))
@each(("text", "oracle"), FUNCTIONS.items())
def test_labels_drawn_at_random(text, oracle, seed):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 3, 40)
    second = np.clip(first + rng.integers(-1, 2, 40), 0, 2)
    assert value_of(text, first, second) == pytest.approx(float(oracle(first, second)), abs=1e-9)
