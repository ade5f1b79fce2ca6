"""Whether the User Disagreement Model predicts what several users of an item say."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.agreement.intervals import Floats, divide, share_interval, tail_freedom
from core.agreement.ratings import Codes
from core.disagreement.beta_binomial import estimate_spread, reach_probability
from core.disagreement.repeated_labels import RepeatedLabels
from core.disagreement.verification import WANTED, ExpectedDraws, count_reached, expect_draws

FEW_ITEMS = 50
"""With fewer items nothing is said about the model."""

LEVEL = 0.05
"""A model does not hold where chance leaves as many outside in fewer of 100 studies than 5."""

SAMPLES = 1_000
"""How many studies are drawn to see what chance does; each time the same."""

FEW_TOPICS = 10
"""With fewer topics as a sample hardly anything is found: nothing is said but that it fails."""

_NOTHING = 1e-9
"""A share that is no larger is rounding."""

VERDICTS = ("too few items", "too few topics", "holds", "fails")


@dataclass(frozen=True)
class ModelFit:
    """How far what a model predicts is from what is observed.

    Everything is of the mean over all draws that there could be.

    Parameters
    ----------
    verdict : str
        One of ``VERDICTS``: how the model holds.
    tested : int
        How many predictions have limits to be compared with.
    outside : int
        How many of them lie outside the 95 % limits of what is observed.
    by_chance : int
        How many are outside at most in 95 of 100 studies where the model is true.
    p : float
        In how many of such studies as many are outside.
    difference : float
        The mean absolute difference between observed and predicted shares, in [0, 1].
    worst : dict
        ``level, users, at_least, observed, predicted, ratio`` where the larger of the two is the
        largest multiple of the other, among those outside if any are; the ratio is NaN where one
        of them is 0.
    items, units : int
        How many items were looked at, and of how many topics, or items if these are sampled.
    spread : dict of int to float
        By level how much p(top | level) varies between items, as `estimate_spread` has it; NaN
        where it is not known. It is for the model in which it does.
    varied : ModelFit, optional
        The same of that model, of four users or more, as three are what it was fitted to.
    """

    verdict: str
    tested: int
    outside: int
    by_chance: int
    p: float
    difference: float
    worst: dict[str, float]
    items: int
    units: int
    spread: dict[int, float]
    varied: "ModelFit | None" = None


def suggest_least(labels: RepeatedLabels, most: int, enough: int = FEW_ITEMS) -> int:
    """Return how many labels to ask of an item: the most, up to ``most``, that keep enough items.

    Where fewer items than enough have two labels, all of them are kept.
    """
    sizes = np.bincount(labels.item)
    kept = {least: int((sizes >= least).sum()) for least in range(2, most + 1)}
    return max(least for least, items in kept.items() if items >= min(enough, kept[2]))


def count_most(labels: RepeatedLabels) -> int:
    """Return the number of labels on the item that has most."""
    return int(np.bincount(labels.item).max(initial=0))


def fit_labels(labels: RepeatedLabels, top: int) -> ModelFit | None:
    """Return `assess_fit` of labels, with as many of each item as `suggest_least` has it.

    That is without the model whose p varies; None where no item has three labels.
    """
    most = min(WANTED, count_most(labels))
    if most < 3:
        return None
    # Where few items have three labels, these few are looked at all the same.
    least = max(suggest_least(labels, most), 3)
    return assess_fit(expect_draws(labels, top, min_labels=least, others=least - 1), beside=False)


def select_predictions(weights: pd.DataFrame, top: int) -> pd.DataFrame:
    """Return what the model does predict: neither never nor always, and observed.

    Parameters
    ----------
    weights : DataFrame
        From ``verify_weights``.
    top : int
        The top level.
    """
    needed = weights["at_least"] - (weights["level"] >= top)
    others = weights["users"] - 1
    return weights[needed.between(1, others) & weights["observed"].notna()]


def assess_fit(draws: ExpectedDraws, *, beside: bool = True) -> ModelFit | None:
    """Test predictions of three users or more against what is observed.

    Those of two users are what the prediction was estimated from. A prediction is outside where it
    is beyond the 95 % limits of what is observed (`share_interval`). As predictions depend on each
    other, chance is drawn: differences of all at once, normal with the covariances that leaving
    units out gives and the degrees of freedom of `tail_freedom`, about 0 as if the model were true.

    Parameters
    ----------
    draws : ExpectedDraws
        From ``expect_draws`` or ``draw_labels``.
    beside : bool, default True
        Whether the model whose p varies between items is tested beside it.

    Returns
    -------
    ModelFit or None
        None where no item has three labels, or nothing has limits, so that nothing is tested.
    """
    others = draws.expected.shape[2]
    if others < 2:
        return None
    shares = _share_out(draws)
    plain = _test(draws, shares, 3, np.zeros_like(shares.spread))
    varied = _test(draws, shares, 4, shares.spread) if beside and others > 2 else None
    return None if plain is None else replace(plain, varied=varied)


@dataclass(frozen=True)
class _Shares:
    """By row of all together and then without each unit in turn, and by level, NaN without cases.

    ``p`` is the share of top labels among others, ``spread`` what varies of it between items.
    """

    cases: Floats
    p: Floats
    spread: Floats

    def predict(self, draws: ExpectedDraws, level: int, users: int, at_least: int) -> Floats:
        needed = at_least - int(draws.is_top[level])
        return reach_probability(self.p[:, level], self.spread[:, level], users - 1, needed)


def _leave_out(sums: Floats) -> Floats:
    """Return the sum over all units, and below it those without each unit."""
    whole = sums.sum(axis=0, keepdims=True)
    left: Floats = np.concatenate([whole, whole - sums])
    return left


def _share_out(draws: ExpectedDraws) -> _Shares:
    one, two = draws.expected[:, :, 0], draws.expected[:, :, 1]
    cases = _leave_out(one.sum(axis=-1))
    cases = np.where(cases > _NOTHING, cases, 0)
    p = divide(_leave_out(one[..., 1]), cases)
    return _Shares(cases, p, estimate_spread(p, divide(_leave_out(two[..., 2]), cases)))


def _test(
    draws: ExpectedDraws, shares: _Shares, fewest_users: int, spread: Floats
) -> ModelFit | None:
    """Test what a model predicts that has such a spread."""
    model = replace(shares, spread=spread)
    rows = [
        (level, users, at_least)
        for level, is_top in enumerate(draws.is_top)
        for users in range(fewest_users, draws.expected.shape[2] + 2)
        for at_least in range(1 + is_top, users + is_top)
    ]
    level = np.array([row[0] for row in rows])
    hits = np.stack(
        [count_reached(draws.expected, draws, *row[1:])[:, row[0]] for row in rows], axis=1
    )
    cases = draws.expected[:, level, 0].sum(axis=-1)
    low, high, _ = share_interval(hits, cases)
    observed = divide(_leave_out(hits), shares.cases[:, level])
    predicted = np.stack([model.predict(draws, *row) for row in rows], axis=1)
    kept = ~(np.isnan(low) | np.isnan(observed + predicted).any(axis=0))
    if not kept.any():
        return None
    level, low, high = level[kept], low[kept], high[kept]
    observed, predicted = observed[:, kept], predicted[:, kept]
    is_outside = (predicted[0] < low - _NOTHING) | (predicted[0] > high + _NOTHING)
    drawn = _draw_by_chance(observed - predicted, cases[:, kept] > 0)
    # What a model predicts is a share: no limit at an end of the range leaves anything out.
    below = np.where(low > _NOTHING, observed[0] - low, np.inf)
    above = np.where(high < 1 - _NOTHING, high - observed[0], np.inf)
    many = ((drawn > below + _NOTHING) | (-drawn > above + _NOTHING)).sum(axis=1)
    outside = int(is_outside.sum())
    p = (1 + int((many >= outside).sum())) / (1 + len(many)) if outside else 1.0
    larger, smaller = np.maximum(observed[0], predicted[0]), np.minimum(observed[0], predicted[0])
    ratio = np.where(larger > 0, larger / np.maximum(smaller, _NOTHING), 1)
    worst = int(np.where(is_outside | (outside == 0), ratio, 0).argmax())
    worst_users = np.array(rows)[kept][worst].tolist()
    holds = "holds" if len(draws.expected) >= FEW_TOPICS else "too few topics"
    verdict = "fails" if p < LEVEL else holds
    values = (
        draws.levels[worst_users[0]],
        *worst_users[1:],
        observed[0, worst],
        predicted[0, worst],
    )
    names = ("level", "users", "at_least", "observed", "predicted")
    seen = dict(zip(draws.levels, shares.spread[0].tolist(), strict=True))
    return ModelFit(
        "too few items" if draws.items < FEW_ITEMS else verdict,
        len(low),
        outside,
        int(np.quantile(many, 1 - LEVEL, method="higher")),
        p,
        float(np.abs(observed[0] - predicted[0]).mean()),
        {
            **dict(zip(names, map(float, values), strict=True)),
            "ratio": float(ratio[worst]) if smaller[worst] > _NOTHING else float("nan"),
        },
        draws.items,
        len(draws.expected),
        seen,
    )


def _draw_by_chance(differences: Floats, has_cases: npt.NDArray[np.bool_]) -> Floats:
    """Draw how differences vary about 0, shape (SAMPLES, n_rows).

    ``differences`` has a row of all and one without each unit; ``has_cases`` is by unit.
    """
    from scipy.special import gammaincinv

    rng = np.random.default_rng(0)
    units = has_cases.sum(axis=0)
    without = np.where(has_cases, differences[1:], 0)
    away = np.where(has_cases, without - divide(without.sum(axis=0), units.astype(float)), 0)
    away *= np.sqrt((units - 1) / units)
    values, vectors = np.linalg.eigh(away.T @ away)
    root = vectors * np.sqrt(np.maximum(values, 0))
    freedom, place = np.unique(_find_freedom(differences[1:], has_cases), return_inverse=True)
    # One share of the chi-square distribution for all: they rest on the same units.
    squares = 2 * gammaincinv(freedom / 2, rng.random((SAMPLES, 1)))
    drawn: Floats = rng.normal(size=(SAMPLES, len(root))) @ root.T
    scale: Floats = np.sqrt(freedom / np.maximum(squares, 1e-12))
    return drawn * scale[:, place]


def _find_freedom(without: Floats, has_cases: npt.NDArray[np.bool_]) -> Floats:
    """Return the degrees of freedom of each column, over the units that have cases."""
    column, unit = np.nonzero(has_cases.T)
    starts: Codes = np.flatnonzero(np.diff(column, prepend=-1))
    return tail_freedom(without[unit, column], starts)
