"""How many impressions it takes until a difference shows: interleaving beside an A/B test."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from core.interleaving.base import Method
from core.interleaving.pairs import Floats, Integers
from core.interleaving.traffic import Traffic, simulate_interleaving, simulate_visits
from core.preference.outcomes import sign_test

if TYPE_CHECKING:
    import pandas as pd

ENOUGH = 0.8
"""The power that is usually asked for."""

SIMULATIONS = 200
MOST_IMPRESSIONS = 2_000_000
"""How many impressions are simulated for one curve at most; with more there are fewer studies."""

_BLOCK = 200_000
_STEPS = (1, 2, 5)
LEAST = 10

Progress = Callable[[float], None]


def list_sizes(impressions: int) -> tuple[int, ...]:
    """Return numbers of impressions to try, from 10: 10, 20, 50, 100 … and the given one.

    Examples
    --------
    >>> list_sizes(300)
    (10, 20, 50, 100, 200, 300)
    """
    steps = [
        step * 10**power
        for power in range(len(str(impressions)))
        for step in _STEPS
        if LEAST <= step * 10**power < impressions
    ]
    return (*steps, impressions)


def simulate_power(
    traffic: Traffic,
    methods: list[Method],
    impressions: int,
    rng: np.random.Generator,
    *,
    alpha: float = 0.05,
    simulations: int = SIMULATIONS,
    progress: Progress = lambda share: None,
) -> pd.DataFrame:
    """Simulate studies and count how often each test finds a difference, by their size.

    Interleaving is tested by a sign test of impressions, an A/B test by Welch's t for each of
    `core.interleaving.traffic.VISIT_MEASURES`. A study looks once, at its end.

    Parameters
    ----------
    traffic : Traffic
        What users ask for and how they click.
    methods : list of Method
        Ways to interleave.
    impressions : int
        Up to how many impressions, in both arms of an A/B test together.
    rng : Generator
        What everything is drawn with.
    alpha : float, default 0.05
        Below which p finds a difference.
    simulations : int
        How many studies; fewer where that is more than 2,000,000 impressions.
    progress : callable
        Is told the share that is done.

    Returns
    -------
    DataFrame
        ``test, measure, impressions, found, for_first, simulations``: the share of studies with
        p below α, and the share where it is the first that is better; NaN where arms differ in all
        studies and none can be tested, as no two visits of an arm differ. ``measure`` is '' for
        interleaving, and ``test`` is 'A/B' for the others.
    """
    import pandas as pd

    studies = max(20, min(simulations, MOST_IMPRESSIONS // impressions))
    sizes = np.array(list_sizes(impressions))
    step = max(1, _BLOCK // impressions)
    counts: dict[tuple[str, str], Floats] = {}
    for start in range(0, studies, step):
        number = min(step, studies - start)
        for key, p, lead in _try_all(traffic, methods, impressions, number, sizes, rng):
            # Where nothing varies nothing is found, unless arms differ all the same.
            is_known = ~np.isnan(p) | (lead == 0)
            found = np.stack([p < alpha, (p < alpha) & (lead > 0), is_known]).sum(axis=1)
            counts[key] = counts.get(key, 0) + found
        progress((start + number) / studies)
    shares = {key: np.where(one[2] > 0, one[:2] / studies, np.nan) for key, one in counts.items()}
    return pd.DataFrame(
        [
            {
                "test": test,
                "measure": measure,
                "impressions": int(size),
                "found": share[0, at],
                "for_first": share[1, at],
                "simulations": studies,
            }
            for (test, measure), share in shares.items()
            for at, size in enumerate(sizes)
        ]
    )


def find_enough(power: pd.DataFrame) -> pd.DataFrame:
    """Return from how many impressions each test finds the difference in 8 of 10 studies.

    Parameters
    ----------
    power : DataFrame
        As `simulate_power` returns it.

    Returns
    -------
    DataFrame
        ``test, measure, impressions``: the least of those tried, NaN where none is enough.
    """
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "test": test,
                "measure": measure,
                "impressions": own.loc[own["found"] >= ENOUGH, "impressions"].min(),
            }
            for (test, measure), own in power.groupby(["test", "measure"], sort=False)
        ]
    )


def compare_arms(values: Floats, arm: Integers, sizes: Integers) -> tuple[Floats, Floats]:
    """Two-sided p of Welch's t between two arms, of the first so many visits of each study.

    Parameters
    ----------
    values : array, shape (n_studies, n_visits)
        What was measured.
    arm : array of int, shape (n_studies, n_visits)
        0 or 1.
    sizes : array of int, shape (n_sizes,)
        Numbers of visits, from 1.

    Returns
    -------
    p, difference : array, shape (n_studies, n_sizes)
        p in (0, 1], NaN where an arm has fewer than two visits or nothing varies; the mean of
        arm 0 less that of arm 1.

    References
    ----------
    Welch (1947), Biometrika 34(1/2), doi:10.1093/biomet/34.1-2.28.
    """
    from scipy.special import stdtr

    means, errors, freedoms = [], [], []
    with np.errstate(divide="ignore", invalid="ignore"):
        for which in (0, 1):
            own = arm == which
            number, total, squares = (
                np.cumsum(part, axis=1)[:, sizes - 1]
                for part in (own, np.where(own, values, 0), np.where(own, values**2, 0))
            )
            mean = total / number
            error = np.maximum(squares / number - mean**2, 0) / (number - 1)
            error = np.where(error > _ROUNDING, error, 0)
            means.append(mean)
            errors.append(error)
            freedoms.append(error**2 / (number - 1))
        difference, error = means[0] - means[1], errors[0] + errors[1]
        t = np.abs(difference) / np.sqrt(error)
        p = 2 * stdtr(error**2 / (freedoms[0] + freedoms[1]), -t)
    return np.where(np.isfinite(t), p, np.nan), difference


_ROUNDING = 1e-15


def _try_all(
    traffic: Traffic,
    methods: list[Method],
    impressions: int,
    studies: int,
    sizes: Integers,
    rng: np.random.Generator,
) -> list[tuple[tuple[str, str], Floats, Floats]]:
    """Return p and lead of every test, shape (studies, sizes)."""
    tried = []
    for method in methods:
        outcomes = simulate_interleaving(traffic, method, studies * impressions, rng)
        side = np.sign(np.round(outcomes.won[:, 0] - outcomes.won[:, 1], 9))
        side = side.reshape(studies, impressions)
        won, lost = (np.cumsum(side == one, axis=1)[:, sizes - 1] for one in (1, -1))
        tried.append(((str(method), ""), sign_test(won, lost), (won - lost).astype(np.float64)))
    visits = simulate_visits(traffic, studies * impressions, rng)
    arm = visits.arm.reshape(studies, impressions)
    for name, values in visits.measured.items():
        found = compare_arms(values.reshape(studies, impressions), arm, sizes)
        tried.append((("A/B", name), *found))
    return tried
