"""Davidson's model: his own data, another program's fit, a log-linear model and plain search."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize

from core.preference.bradley_terry import bradley_terry
from tests.core.preference.simulated import pair_counts
from tests.each import each

PUDDINGS = (
    *((1, 2, 19, 22, 16), (1, 3, 16, 19, 12), (2, 3, 19, 19, 10), (1, 4, 18, 23, 13)),
    *((2, 4, 23, 19, 9), (3, 4, 19, 20, 15), (1, 5, 13, 19, 18), (2, 5, 16, 20, 12)),
    *((3, 5, 16, 15, 17), (4, 5, 17, 14, 16), (1, 6, 18, 21, 12), (2, 6, 22, 20, 12)),
    *((3, 6, 13, 18, 10), (4, 6, 14, 19, 18), (5, 6, 11, 21, 12)),
)
"""Davidson (1970): brands of chocolate pudding, who preferred the first, the second, neither."""
WORTH = (0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855)
TIE = 0.7468147
"""What PlackettLuce 0.4.3 in R prints of them, after as many steps as Davidson made."""


def tables(rows, size):
    wins, ties = np.zeros((size, size)), np.zeros((size, size))
    for first, second, won, lost, tied in rows:
        wins[first - 1, second - 1] = won
        wins[second - 1, first - 1] = lost
        ties[first - 1, second - 1] = ties[second - 1, first - 1] = tied
    return wins, ties


def fit(wins, ties):
    found = bradley_terry(pair_counts("abcdefgh"[: len(wins)], wins, ties), "davidson")
    return found.frame, found.tie_parameter


def fit_log_linear(wins, ties):
    """Return strengths, their errors and the tie parameter by a Poisson regression on counts.

    Fienberg and Larntz (1976): a parameter for each pair, half a strength for who is preferred
    less half of the other's, and the logarithm of the tie parameter where nobody is.
    """
    size = len(wins)
    counts, rows = [], []
    pairs = [
        (one, other)
        for one in range(size)
        for other in range(one + 1, size)
        if wins[one, other] + wins[other, one] + ties[one, other]
    ]
    for at, (one, other) in enumerate(pairs):
        for sign, count in (
            (0.5, wins[one, other]),
            (-0.5, wins[other, one]),
            (0, ties[one, other]),
        ):
            row = np.zeros(size + 1 + len(pairs))
            row[one], row[other], row[size], row[size + 1 + at] = sign, -sign, sign == 0, 1
            rows.append(np.delete(row, size - 1))
            counts.append(count)
    model = sm.GLM(np.array(counts), np.array(rows), family=sm.families.Poisson())
    found = model.fit(tol=1e-14, maxiter=200)
    centre = (np.eye(size) - 1 / size)[:, :-1]
    covariance = found.cov_params()[: size - 1, : size - 1]
    errors = np.sqrt(np.diag(centre @ covariance @ centre.T))
    return centre @ found.params[: size - 1], errors, np.exp(found.params[size - 1])


def test_the_puddings_of_davidson():
    frame, tie = fit(*tables(PUDDINGS, 6))
    worth = np.exp(frame["strength"].to_numpy())
    assert worth / worth.sum() == pytest.approx(WORTH, abs=3e-5)
    assert tie == pytest.approx(TIE, abs=3e-5)


def draw(seed):
    """Return counts of preferences of 4 to 6 items, some pairs never compared."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(4, 7))
    strength, tie = rng.normal(0, 0.8, size), rng.uniform(0.2, 2)
    rows = []
    for one in range(size):
        for other in range(one + 1, size):
            played = rng.integers(8, 30) if other == one + 1 else rng.integers(0, 3) * 9
            gap = (strength[one] - strength[other]) / 2
            chance = np.array([np.exp(gap), np.exp(-gap), tie])
            rows.append((one + 1, other + 1, *rng.multinomial(played, chance / chance.sum())))
    return tables(rows, size)


@each("wins, ties", [tables(PUDDINGS, 6), *map(draw, range(12))], ids=map(str, range(13)))
def test_it_is_the_log_linear_model(wins, ties):
    frame, tie = fit(wins, ties)
    assert not frame["note"].any()
    strengths, errors, expected = fit_log_linear(wins, ties)
    assert frame["strength"].to_numpy() == pytest.approx(strengths, abs=1e-6)
    assert frame["error"].to_numpy() == pytest.approx(errors, rel=1e-5)
    assert (frame["high"] - frame["low"]).to_numpy() == pytest.approx(
        2 * 1.959963984540054 * errors, rel=1e-5
    )
    assert tie == pytest.approx(expected, rel=1e-6)


@each("seed", range(2))
def test_no_other_strengths_and_no_other_tie_are_more_likely(seed):
    """By Davidson's formula as it is printed: π₁, π₂ and ν √(π₁π₂) over their sum."""
    wins, ties = draw(seed)

    def surprise(logs):
        worth, tie = np.exp(np.append(logs[:-1], 0.0)), np.exp(logs[-1])
        total = 0.0
        for one in range(len(wins)):
            for other in range(one + 1, len(wins)):
                either = tie * np.sqrt(worth[one] * worth[other])
                whole = worth[one] + worth[other] + either
                total -= wins[one, other] * np.log(worth[one] / whole)
                total -= wins[other, one] * np.log(worth[other] / whole)
                total -= ties[one, other] * np.log(either / whole)
        return total

    frame, tie = fit(wins, ties)
    assert not frame["note"].any()
    strength = frame["strength"].to_numpy()
    ours = np.append(strength[:-1] - strength[-1], np.log(tie))
    best = minimize(surprise, np.zeros(len(wins)), method="L-BFGS-B", options={"ftol": 1e-15})
    assert surprise(ours) <= best.fun + 1e-9
    assert best.x == pytest.approx(ours, abs=1e-3)
