"""Default limits hold the true means and differences in 93 to 97 of 100 studies, and are narrow.

Studies have 82 topics, of which people judged 5, 10 or 25, and 35 systems.
"""

from collections import defaultdict

import numpy as np
import pytest

from tests.calibration.machine_scores import (
    CLASSICAL,
    DIFFERENCES,
    MACHINE_ONLY,
    MEANS,
    POWERED,
    JudgeModel,
    estimate,
)
from tests.short import long

LEAST, MOST = 0.93, 0.97
WIDEST = 1.02

CASES = [
    pytest.param(
        n_human,
        correlation,
        id=f"{n_human} topics, correlation {correlation}",
        marks=() if (n_human, correlation) in ((5, 0), (10, 0.8)) else long,
    )
    for n_human in (5, 10, 25)
    for correlation in (0, 0.4, 0.8)
]
"""In the short form, few topics with a machine that guesses, and more with one that knows."""

Found = dict[tuple[str, str], tuple[float, float, float]]


def simulate(model: JudgeModel, n_human: int, studies: int) -> Found:
    """Return coverage, its standard error and the mean width by what is estimated and how."""
    rng, truth = np.random.default_rng([n_human, studies]), model.find_means()
    first, second = np.triu_indices(len(truth), k=1)
    wanted = {MEANS: truth, DIFFERENCES: truth[first] - truth[second]}
    held, wide = defaultdict(list), defaultdict(list)
    for _ in range(studies):
        for what, method, found in estimate(*model.draw(rng), n_human):
            inside = (found.low <= wanted[what]) & (wanted[what] <= found.high)
            held[what, method].append(inside.mean())
            wide[what, method].append((found.high - found.low).mean())
    return {
        key: (np.mean(own), np.std(own) / np.sqrt(studies), np.mean(wide[key]))
        for key, own in held.items()
    }


def describe(found: Found) -> str:
    return "; ".join(
        f"{what}: coverage {found[what, POWERED][0]:.3f} ± {found[what, POWERED][1]:.3f}, "
        f"classical {found[what, CLASSICAL][0]:.3f}, machine {found[what, MACHINE_ONLY][0]:.3f}, "
        f"width {found[what, POWERED][2] / found[what, CLASSICAL][2]:.3f}"
        for what in (MEANS, DIFFERENCES)
    )


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(("n_human", "correlation"), CASES)
def test_limits_hold_and_are_never_wider_than_the_classical_ones(
    n_human: int, correlation: float, long_form: bool, record_property
):
    found = simulate(JudgeModel("normal", correlation), n_human, 1_000 if long_form else 40)
    record_property("counts", describe(found))
    for what in (MEANS, DIFFERENCES):
        covered, error, width = found[what, POWERED]
        slack = 0 if long_form else 4 * error
        assert LEAST - slack <= covered <= MOST + slack
        assert width <= WIDEST * found[what, CLASSICAL][2]
        assert found[what, MACHINE_ONLY][0] < 0.8


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("correlation", [pytest.param(0, marks=long), 0.8])
@pytest.mark.parametrize("n_human", [5, pytest.param(10, marks=long)])
@pytest.mark.parametrize(
    "model",
    [
        pytest.param({"shape": (0.8, 2)}, marks=long, id="skewed"),
        pytest.param({"shape": (0.4, 1.6)}, id="hard topics"),
        pytest.param({"shape": (6, 2)}, marks=long, id="easy topics"),
        pytest.param({"duplicates": 0.1}, marks=long, id="near-duplicates"),
    ],
)
def test_they_hold_where_scores_are_skewed_or_systems_nearly_the_same(
    model: dict, n_human: int, correlation: float, long_form: bool, record_property
):
    found = simulate(JudgeModel("other", correlation, **model), n_human, 500 if long_form else 30)
    record_property("counts", describe(found))
    for what in (MEANS, DIFFERENCES):
        covered, error, width = found[what, POWERED]
        assert covered >= LEAST - (2 if long_form else 4) * error
        assert width <= WIDEST * found[what, CLASSICAL][2]
