"""The condition of stationarity and the step towards it."""

import numpy as np

from core.informativeness.stationary import IntentRows, entropy, logistic
from core.informativeness.targets import read_target
from tests.each import each


def test_entropy_of_even_odds_and_of_certainty():
    p = np.array([[0.5, 1.0, 0.0, np.nan], [0.5, 0.0, 1.0, 0.5]])
    np.testing.assert_allclose(entropy(p), [2 * np.log(2), 0, 0, np.nan])


def test_logistic_takes_any_log_odds():
    np.testing.assert_allclose(logistic(np.array([-1e9, 0, 1e9])), [0, 0.5, 1], atol=1e-300)


@each("text", ["AP", "DCG", "ERR"])
def test_steps_close_the_gaps_quadratically(text: str):
    family, rng = read_target(text, 5).family, np.random.default_rng(1)
    rows = IntentRows(family, np.array([2, 3]), np.array([0.4, -0.3]), rng.normal(0, 0.3, (5, 2)))
    errors = []
    for _ in range(5):
        errors.append(float((rows.error + np.abs(rows.surplus)).max()))
        rows = IntentRows(family, rows.rret, rows.nu, rows.logit + rows.step(np.zeros(2)))
    assert errors[4] < 1e-14
    assert errors[2] < errors[1] ** 1.5


def test_gains_foretell_the_change_of_value():
    family, rng = read_target("ERR", 5).family, np.random.default_rng(2)
    rows = IntentRows(family, np.array([2]), np.array([1.5]), rng.normal(0, 0.01, (5, 1)))
    for _ in range(6):
        rows = IntentRows(family, rows.rret, rows.nu, rows.logit + rows.step(np.zeros(1)))
    more = 1e-5
    _, rise = rows.gains()
    ahead = IntentRows(family, rows.rret, rows.nu + more, rows.logit + rows.step(np.array([more])))
    np.testing.assert_allclose((ahead.value - rows.value) / more, rise, rtol=1e-4)
    off = IntentRows(family, rows.rret, rows.nu, rows.logit + 1e-5 * rng.normal(size=(5, 1)))
    back = IntentRows(family, off.rret, off.nu, off.logit + off.step(np.zeros(1)))
    np.testing.assert_allclose(off.gains()[0], back.value - off.value, rtol=1e-3)


def test_a_row_without_an_answer_leaves_the_others_theirs():
    # At ν = 8 the curvature of AP of two even ranks and that of entropy cancel exactly.
    family, even = read_target("AP", 2).family, np.zeros((2, 2))
    rows = IntentRows(family, np.array([1, 1]), np.array([8.0, 1.0]), even)
    assert np.linalg.matrix_rank(rows.stiffness[0]) == 1
    alone = IntentRows(family, np.array([1]), np.array([1.0]), even[:, :1])
    np.testing.assert_allclose(
        rows.step(np.zeros(2))[:, 1], alone.step(np.zeros(1))[:, 0], atol=1e-8
    )
