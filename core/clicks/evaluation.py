"""How well click models predict clicks that they were not fitted to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.clicks.click_log import ClickLog, Floats, Integers
from core.clicks.click_model import ClickModel
from core.clicks.fitting import POOLED, Fit, Prior, fit
from core.clicks.likelihood import LEAST, sum_by
from core.clicks.prediction import click_probabilities, conditional_probabilities
from core.errors import BadInput, TooLittleData
from core.numerals import tell_limits_apart, write_limits, write_number
from core.wording import count, name_some

FOLDS, DRAWS = 5, 1_000
LEAST_SESSIONS = 10
"""Of five sessions limits find a model better that is not in .1 of logs; of ten, in .03."""

INTERVAL = "bootstrap"
UNIT = "session"


@dataclass(frozen=True)
class Evaluation:
    """How well a fit predicts the clicks of a log.

    Attributes
    ----------
    log_likelihood : float
        Of the clicks, each given those above it, in nats.
    pages : int
    perplexity, perplexity_by_rank : float, array of shape (depth,)
        2 to the mean surprise, in bits, of whether a rank is clicked, by the probability whatever
        happens above: 1 is foresight, 2 is a coin. By rank over the pages that are so long, NaN
        where none is; and the mean over ranks.
    conditional, conditional_by_rank : float, array of shape (depth,)
        The same by the probability given the clicks above.
    """

    log_likelihood: float
    pages: int
    perplexity: float
    perplexity_by_rank: Floats
    conditional: float
    conditional_by_rank: Floats


def evaluate(fit: Fit, log: ClickLog) -> Evaluation:
    """Return how well a fit predicts the clicks of a log of the same items.

    Parameters
    ----------
    fit : Fit
    log : ClickLog
        Sessions that the fit has not seen, if it is to be judged.

    Returns
    -------
    Evaluation

    Raises
    ------
    TooLittleData
        The log has no page.

    Notes
    -----
    No probability is taken for less than 1e-6, so that what a model says cannot be (a second click,
    in the cascade model) costs much, but not all.

    References
    ----------
    Dupret and Piwowarski (2008), SIGIR, doi:10.1145/1390334.1390392; Chuklin, Markov and de Rijke
    (2015), Click Models for Web Search, ch. 5, doi:10.2200/S00654ED1V01Y201507ICR043.
    """
    if not len(log):
        raise TooLittleData("the click log has no page of results to predict")
    own, above = surprise(fit, log)
    by_rank, conditional = (
        perplexities(np.nansum(one, axis=0), _lengths(log)) for one in (own, above)
    )
    return Evaluation(
        float(-np.nansum(above) * np.log(2)),
        len(log),
        float(np.nanmean(by_rank)),
        by_rank,
        float(np.nanmean(conditional)),
        conditional,
    )


def _lengths(log: ClickLog) -> Floats:
    lengths: Floats = log.shown.sum(axis=0).astype(float)
    return lengths


def perplexities(bits: Floats, pages: Floats) -> Floats:
    """Return the perplexity of each rank from its sum of surprise, NaN where there is no page."""
    mean = np.full(np.broadcast_shapes(bits.shape, pages.shape), np.nan)
    np.divide(bits, pages, out=mean, where=pages > 0)
    found: Floats = np.exp2(mean)
    return found


def surprise(fit: Fit, log: ClickLog) -> tuple[Floats, Floats]:
    """Return the bits by which each click or skip surprises, on its own and given those above.

    Returns
    -------
    tuple of array, shape (n_pages, depth)
        At least 0; NaN where there is no item.
    """
    own = click_probabilities(fit, log.item)
    above = conditional_probabilities(fit, log.item, log.clicked)
    bits = (
        -np.log2(np.clip(np.where(log.clicked, one, 1 - one), LEAST, 1)) for one in (own, above)
    )
    return next(bits), next(bits)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Models side by side, each page predicted by fits that have not seen its session.

    Attributes
    ----------
    frame : DataFrame
        A row a model: ``model, log_likelihood, pages, perplexity, low, high, difference,
        difference_low, difference_high, conditional, conditional_low, conditional_high,
        conditional_difference, conditional_difference_low, conditional_difference_high,
        interval, unit, n, reason``. Differences are from the baseline: below 0 is better.
    by_rank : DataFrame
        ``model, rank, perplexity, conditional``.
    baseline : str
    answer : str
        What came of it, as a sentence.
    """

    frame: pd.DataFrame
    by_rank: pd.DataFrame
    baseline: str
    answer: str


def compare_held_out(
    models: Sequence[ClickModel],
    log: ClickLog,
    baseline: ClickModel,
    *,
    levels: Floats | None = None,
    prior: Prior = POOLED,
    folds: int = FOLDS,
    draws: int = DRAWS,
    seed: int = 1,
) -> HeldOut:
    """Compare how well models predict clicks, in sessions that they were not fitted to.

    Sessions are dealt into folds at random; each fold is predicted by fits to the others.

    Parameters
    ----------
    models : sequence of ClickModel
    log : ClickLog
    baseline : ClickModel
        What the others are set against.
    levels : array of float, shape (n_items,), optional
        The level of each item, for models by level.
    prior : Prior
    folds, draws, seed : int

    Returns
    -------
    HeldOut
        Limits are for sessions drawn like these, given the fits.

    Raises
    ------
    BadInput
        Fewer than two folds.
    TooLittleData
        Fewer sessions than folds.
    """
    check_sessions(log, folds)
    sessions, session = np.unique(log.session, return_inverse=True)
    rng = np.random.default_rng(seed)
    fold = rng.permutation(np.arange(len(sessions)) % folds)[session]
    every = list(dict.fromkeys([str(baseline), *map(str, models)]))
    known = {str(model): model for model in (baseline, *models)}
    bits = {}
    for name in every:
        both = np.full((2, *log.item.shape), np.nan)
        for one in range(folds):
            trained = fit(known[name], log.select(fold != one), levels=levels, prior=prior)
            both[:, fold == one] = surprise(trained, log.select(fold == one))
        bits[name] = both
    return compare_surprise(bits, log, str(baseline), draws=draws, rng=rng)


def check_sessions(log: ClickLog, folds: int) -> None:
    """Raise BadInput for fewer than two folds, TooLittleData for fewer sessions than folds."""
    if folds < 2:
        raise BadInput("to hold sessions out takes at least two folds", field="folds")
    if (sessions := len(np.unique(log.session))) < folds:
        raise TooLittleData(f"{count(sessions, 'session')} cannot be dealt into {folds} folds")


def compare_surprise(
    bits: dict[str, Floats],
    log: ClickLog,
    baseline: str,
    *,
    draws: int = DRAWS,
    rng: np.random.Generator,
) -> HeldOut:
    """Compare models by the bits by which each click or skip surprised them.

    Parameters
    ----------
    bits : dict of array, shape (2, n_pages, depth)
        By model, as `surprise` gives them.
    log : ClickLog
    baseline : str
    draws : int
    rng : Generator

    Returns
    -------
    HeldOut
        Limits from drawing sessions again, with replacement.
    """
    sessions, session = np.unique(log.session, return_inverse=True)
    weights = rng.multinomial(len(sessions), np.full(len(sessions), 1 / len(sessions)), size=draws)
    weights = np.concatenate([np.ones((1, len(sessions))), weights])
    shown = weights @ _sum_sessions(log.shown[np.newaxis].astype(float), session)[0]
    found = {
        name: perplexities(weights @ _sum_sessions(np.nan_to_num(one), session), shown)
        for name, one in bits.items()
    }
    rows = list(_tabulate(bits, found, baseline, len(sessions)))
    frame = pd.DataFrame(rows).assign(pages=len(log), interval=INTERVAL, unit=UNIT, n=len(sessions))
    ranks = pd.DataFrame(
        {
            "model": name,
            "rank": rank + 1,
            "perplexity": one[0, 0, rank],
            "conditional": one[1, 0, rank],
        }
        for name, one in found.items()
        for rank in range(log.depth)
    )
    means = {name: np.nanmean(one[0], axis=-1) for name, one in found.items()}
    answer = _say_why_not(log, len(sessions)) or _answer(frame, baseline, means)
    return HeldOut(frame, ranks, baseline, answer)


def _sum_sessions(found: Floats, session: Integers) -> Floats:
    """Return sums of what has shape (n, n_pages, depth) over the pages of each session."""
    matrix = sum_by(session, int(session.max()) + 1)
    return np.stack([matrix @ one for one in found])


def _tabulate(
    bits: dict[str, Floats], found: dict[str, Floats], baseline: str, sessions: int
) -> Iterator[dict[str, object]]:
    means = {name: np.nanmean(one, axis=-1) for name, one in found.items()}
    for name, (own, above) in means.items():
        log_likelihood = -float(np.nansum(bits[name][1]) * np.log(2))
        row: dict[str, object] = {"model": name, "log_likelihood": log_likelihood}
        for what, drawn, other in (
            ("", own, means[baseline][0]),
            ("conditional", above, means[baseline][1]),
        ):
            start = f"{what}_" if what else ""
            row |= _limit(what or "perplexity", start, drawn, sessions)
            difference = drawn - other
            row |= _limit(f"{start}difference", f"{start}difference_", difference, sessions)
        yield row


def _limit(name: str, start: str, drawn: Floats, sessions: int) -> dict[str, object]:
    """Return a value, the first of what was drawn, with 95 % limits by the others."""
    limits = (
        np.quantile(drawn[1:], [0.025, 0.975]) if sessions > 1 and drawn.any() else [np.nan] * 2
    )
    return {name: drawn[0], f"{start}low": limits[0], f"{start}high": limits[1]}


def _say_why_not(log: ClickLog, sessions: int) -> str:
    """Return why nothing is told of which model predicts better; '' where something may be."""
    clicked = log.clicked[log.shown]
    if not clicked.any() or clicked.all():
        what = "All results were clicked" if clicked.any() else "No result was clicked"
        return (
            f"{what}, so that models differ by what they take for granted alone: none is shown to "
            "predict better."
        )
    if sessions < LEAST_SESSIONS:
        return (
            f"Of {count(sessions, 'session')} it is not told which model predicts better: with "
            f"fewer than {LEAST_SESSIONS}, limits hold too seldom."
        )
    return ""


def _answer(frame: pd.DataFrame, baseline: str, drawn: dict[str, Floats]) -> str:
    """Return which models are shown to predict better than the baseline, as a sentence.

    Parameters
    ----------
    frame : DataFrame
        As in `HeldOut`.
    baseline : str
    drawn : dict of array
        By model, its perplexity, and that of each draw. Limits are widened by Bonferroni for the
        number of models, as one is chosen.
    """
    others = frame[frame["model"] != baseline].sort_values("perplexity", kind="stable")
    if others.empty:
        return f"No model is set against {baseline}."
    end = 1 - 0.025 / max(len(others), 1)

    def is_better(one: str, other: str) -> bool:
        apart = (drawn[one] - drawn[other])[1:]
        return frame["n"].iloc[0] > 1 and bool(np.quantile(apart, end) < 0)

    better = others[[is_better(one, baseline) for one in others["model"]]]
    if better.empty:
        return (
            f"No model is shown to predict the clicks of other sessions better than {baseline} "
            "does."
        )
    best = better.iloc[0]
    low, high = (-float(best[f"difference_{one}"]) for one in ("high", "low"))
    digits = tell_limits_apart(low, high, 4)
    rest = [one for one in others["model"] if one != best["model"]]
    alike = [one for one in rest if not is_better(best["model"], one)]
    verdict = f"better than {baseline}" if alike or not rest else "best"
    not_told = (
        f"; {name_some(alike)} {'is' if len(alike) == 1 else 'are'} not shown to predict worse"
        if alike
        else ""
    )
    return (
        f"{best['model']} predicts the clicks of other sessions {verdict}: its perplexity is "
        f"{write_number(best['perplexity'], digits)}, "
        f"{write_number(-best['difference'], digits)} below that of {baseline} "
        f"{write_limits(low, high, digits)}, over {count(int(best['n']), 'session')}{not_told}."
    )
