"""95 % limits of what a click model was fitted with, from drawing sessions again."""

from collections.abc import Iterator
from typing import Any, TypeAlias, cast

import numpy as np
import pandas as pd

from core.agreement.intervals import Z95
from core.clicks.click_log import ClickLog, Floats
from core.clicks.fitting import Fit, climb, count_before
from core.clicks.likelihood import ITEM, LEVEL, PREVIOUS, RANK, Parameters
from core.clicks.rates import Rates

DRAWS = 200
STEPS, TOLERANCE = 100, 1e-4
CELLS = 2_000_000
"""As many rows times draws at a time as fit into a few hundred megabytes."""

Limits: TypeAlias = tuple[Floats, Floats]

INTERVAL, UNIT = "Bayesian bootstrap", "session"
FEW = "one session: limits over sessions need two"
HELD = "1 by the model's assumption that the first result is examined"


def parameter_limits(
    fit: Fit,
    log: ClickLog,
    *,
    draws: int = DRAWS,
    seed: int = 1,
    steps: int = STEPS,
    tolerance: float = TOLERANCE,
) -> pd.DataFrame:
    """Return every parameter of a fit with limits.

    Parameters
    ----------
    fit : Fit
    log : ClickLog
        What it was fitted to.
    draws, seed : int
    steps, tolerance
        Of each draw's fit, which starts from the estimate.

    Returns
    -------
    DataFrame
        A row a value: ``parameter, query, item`` ('' where it does not differ by item), ``level``,
        ``rank, previous`` (from 1; 0 where it does not differ by rank, or no click is above),
        ``value, low, high, interval, unit, n, reason``; the reason says why limits are NaN.

    Notes
    -----
    Each draw weighs sessions by exponential weights, and the events of the prior by gamma weights,
    and is fitted anew. Limits are quantiles of the draws, or what is wider: the estimate and the
    draws' spread as angles, arcsin √p; and of a document's own, Jeffreys' limits as if it were
    known how often it was examined. So none has width 0 because few sessions agreed.

    References
    ----------
    Rubin (1981), Annals of Statistics 9(1), doi:10.1214/aos/1176345338; Newton and Raftery (1994),
    Journal of the Royal Statistical Society B 56(1).
    """
    evidence = fit.likelihood.read(log)
    reasons = fit.likelihood.tell(evidence)
    drawn = _draw(fit, log, evidence, draws, np.random.default_rng(seed), steps, tolerance)
    trials = fit.likelihood.trials(evidence, evidence.count(), fit.columns)
    sessions = len(np.unique(log.session))
    frame = pd.concat(
        [_tabulate(fit, log, name, one, trials) for name, one in drawn.items()], ignore_index=True
    )
    reason = np.concatenate(
        [reasons.get(name, np.full(len(one), "", dtype=object)) for name, one in drawn.items()]
    )
    for name, places in fit.likelihood.held().items():
        start = frame.index[frame["parameter"] == name][0]
        reason[start + places] = HELD
    if sessions < 2:
        reason[:] = FEW
    frame["reason"] = pd.Series(reason, dtype="str")
    frame.loc[reason != "", ["low", "high"]] = np.nan
    can_be = (frame["previous"] < frame["rank"]) | (frame["previous"] == 0)
    return frame.assign(interval=INTERVAL, unit=UNIT, n=sessions)[can_be].reset_index(drop=True)


def _draw(
    fit: Fit,
    log: ClickLog,
    evidence: Any,
    draws: int,
    rng: np.random.Generator,
    steps: int,
    tolerance: float,
) -> Parameters:
    """Return the parameters of each draw, shape (n, n_draws)."""
    parts = list(_deal(draws, max(1, CELLS // max(1, len(evidence.count()[0])))))
    found = [_fit_anew(fit, log, evidence, one, rng, steps, tolerance) for one in parts]
    return {name: np.concatenate([one[name] for one in found], axis=1) for name in fit.parameters}


def _deal(draws: int, most: int) -> Iterator[int]:
    while draws > 0:
        yield min(draws, most)
        draws -= most


def _fit_anew(
    fit: Fit,
    log: ClickLog,
    evidence: Any,
    draws: int,
    rng: np.random.Generator,
    steps: int,
    tolerance: float,
) -> Parameters:
    weights = rng.exponential(size=(log.sessions, draws))
    start = {name: np.repeat(one, draws, axis=1) for name, one in fit.columns.items()}
    before = count_before(fit.likelihood, fit.means, fit.prior)
    counts = {name: _draw_before(before[name], one.shape, rng) for name, one in start.items()}
    rows = evidence.weigh(weights)
    return climb(fit.likelihood, evidence, rows, start, counts, steps, tolerance, tells=False)[0]


def _draw_before(
    events: tuple[float, float], shape: tuple[int, ...], rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return weights of the prior's events that came, and that did not."""
    came, stayed_away = (rng.gamma(one, size=shape) for one in events)
    return came, stayed_away


def _widen_by_angles(value: Floats, drawn: Floats, limits: Limits) -> Limits:
    """Return limits that hold those by the spread of the arcsine of the root, too."""
    middle, half = np.arcsin(np.sqrt(value)), Z95 * np.arcsin(np.sqrt(drawn)).std(axis=1)
    low, high = (np.sin(np.clip(one, 0, np.pi / 2)) ** 2 for one in (middle - half, middle + half))
    return np.minimum(limits[0], low), np.maximum(limits[1], high)


def _widen_by_trials(yes: Floats, trials: Floats, limits: Limits) -> Limits:
    """Return limits that hold those of a share, as if it were known how often it could come."""
    from scipy.special import betaincinv

    no = np.maximum(trials - yes, 0)
    low, high = (betaincinv(yes + 0.5, no + 0.5, one) for one in (0.025, 0.975))
    low, high = np.where(yes > 0, low, 0.0), np.where(no > 0, high, 1.0)
    return np.minimum(limits[0], low), np.maximum(limits[1], high)


def _tabulate(
    fit: Fit, log: ClickLog, name: str, drawn: Floats, trials: dict[str, Limits]
) -> pd.DataFrame:
    """Return a parameter's values with limits, and what each belongs to."""
    axes, shape = fit.likelihood.axes[name], fit.likelihood.shape(name)
    at = dict(zip(axes, np.unravel_index(np.arange(len(drawn)), shape), strict=False))
    columns: dict[str, Any] = {"parameter": name, "query": "", "item": "", "level": np.nan}
    if ITEM in at:
        columns["query"] = np.array(log.queries, dtype=object)[log.query_of]
        columns["item"] = np.array(log.items, dtype=object)
    if LEVEL in at:
        columns["level"] = cast(Rates, fit.likelihood).known[at[LEVEL]]
    columns["rank"] = at[RANK] + 1 if RANK in at else 0
    columns["previous"] = at.get(PREVIOUS, 0)
    value = fit.columns[name][:, 0]
    quantiles = np.quantile(drawn, [0.025, 0.975], axis=1, method="weibull")
    low, high = _widen_by_angles(value, drawn, (quantiles[0], quantiles[1]))
    if name in fit.likelihood.of_items:
        low, high = _widen_by_trials(*trials[name], (low, high))
    columns |= {"value": value, "low": low, "high": high}
    return pd.DataFrame(columns, index=range(len(drawn)))
