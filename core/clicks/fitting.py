"""Fitting click models to a log, by expectation maximisation, and what a fit cannot tell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.clicks.click_log import ClickLog, Floats, Mask
from core.clicks.click_model import ClickModel
from core.clicks.likelihood import LEAST, Evidence, Expected, Likelihood, Parameters
from core.errors import BadInput, TooLittleData


@dataclass(frozen=True)
class Prior:
    """Events that every parameter is taken to have seen before the log: its pseudo-counts.

    Parameters
    ----------
    mean : float, optional
        What share of them came, in (0, 1). Without it, for what differs by document, what the
        log says of all documents together, beside one event that came and one that did not; and
        .5 for the rest.
    strength : float
        How many they are of what differs by document; 0 for maximum likelihood.
    shared : float
        How many they are of the rest, of which the whole log speaks.
    """

    mean: float | None = None
    strength: float = 2.0
    shared: float = 0.2

    def __post_init__(self) -> None:
        if (
            min(self.strength, self.shared) < 0
            or not 0 < (0.5 if self.mean is None else self.mean) < 1
        ):
            raise BadInput("a prior needs a mean between 0 and 1, and a strength of at least 0")


POOLED = Prior()

PYCLICK = Prior(0.5, 2.0, 2.0)
"""One event that came and one that did not, as PyClick has it."""

MAXIMUM_LIKELIHOOD = Prior(0.5, 0.0, 0.0)

STEPS, TOLERANCE = 500, 1e-5
POOLED_STEPS = 100


@dataclass(frozen=True, eq=False)
class Fit:
    """A click model with its parameters.

    Attributes
    ----------
    model : ClickModel
    likelihood : Likelihood
        The model on the items of the log.
    parameters : dict of array
        By name. 'attractiveness' and 'satisfaction' by item; 'examination' by rank, or in the UBM
        by rank and rank of the click above (0 where there is none); 'continuation' by rank in the
        DCM and one in the DBN; 'rate' of the models without hidden events.
    means : dict of float
        The prior mean of each parameter.
    prior : Prior
    log_likelihood : float
        Of the log that was fitted, in nats.
    history : tuple of float
        The same after each step, the start first.
    converged : bool
        Whether the last step moved no parameter by more than the tolerance.
    pages : int
    """

    model: ClickModel
    likelihood: Likelihood[Any]
    parameters: dict[str, Floats]
    means: Mapping[str, float]
    prior: Prior
    log_likelihood: float
    history: tuple[float, ...]
    converged: bool
    pages: int

    @property
    def steps(self) -> int:
        """How many steps were made."""
        return len(self.history) - 1

    @property
    def columns(self) -> Parameters:
        """The parameters as a draw: of shape (n, 1)."""
        return {name: one.reshape(-1, 1) for name, one in self.parameters.items()}


def fit(
    model: ClickModel,
    log: ClickLog,
    *,
    levels: Floats | None = None,
    prior: Prior = POOLED,
    steps: int = STEPS,
    tolerance: float = TOLERANCE,
) -> Fit:
    """Find the parameters that a log makes most likely, beside the prior.

    Parameters
    ----------
    model : ClickModel
    log : ClickLog
    levels : array of float, shape (n_items,), optional
        The level of each item, NaN where it has none, for models by level.
    prior : Prior
    steps : int
        At most so many steps of EM, from the prior means.
    tolerance : float
        No more steps once one moves no parameter by more; with 0 all are made.

    Returns
    -------
    Fit

    Raises
    ------
    BadInput
        The model is one by level and there are none.
    TooLittleData
        The log has no page.

    Notes
    -----
    Of a result that was not clicked, EM expects how likely it was not attractive, not examined, or
    neither, from the parameters as they are; then parameters become the share of expected events.
    Without a prior no step makes the log less likely. PBM and UBM: the updates of Chuklin, Markov
    and de Rijke (2015, ch. 4). DCM, SDBN and DBN: by going up and down each list; what was not
    examined is not counted, which has the same maximum as counting it, in fewer steps.

    References
    ----------
    Chuklin, Markov and de Rijke (2015), Click Models for Web Search,
    doi:10.2200/S00654ED1V01Y201507ICR043; Dempster, Laird and Rubin (1977), Journal of the Royal
    Statistical Society B 39(1).
    """
    if not len(log):
        raise TooLittleData("the click log has no page of results; a click model needs some")
    likelihood = model.on(len(log.items), log.depth, levels)
    evidence = likelihood.read(log)
    means = find_means(model, likelihood, evidence, prior)
    start = begin(likelihood, means)
    counts = count_before(likelihood, means, prior)
    found = climb(likelihood, evidence, evidence.count(), start, counts, steps, tolerance)
    parameters, history, moved = found
    return Fit(
        model,
        likelihood,
        {name: one[:, 0].reshape(likelihood.shape(name)) for name, one in parameters.items()},
        means,
        prior,
        history[-1],
        tuple(history),
        likelihood.is_closed or moved <= tolerance,
        len(log),
    )


def find_means(
    model: ClickModel, likelihood: Likelihood[Any], evidence: Evidence, prior: Prior
) -> dict[str, float]:
    """Return the mean that the prior has of each parameter."""
    means = {name: 0.5 if prior.mean is None else prior.mean for name in likelihood.axes}
    if prior.mean is None and likelihood.of_items:
        pooled, together = model.on(1, likelihood.depth), evidence.pool()
        counts = {name: (1.0, 1.0) for name in means}
        found, _, _ = climb(
            pooled,
            together,
            together.count(),
            begin(pooled, means),
            counts,
            POOLED_STEPS,
            TOLERANCE,
        )
        means |= {name: float(found[name][0, 0]) for name in likelihood.of_items}
    return means


def count_before(
    likelihood: Likelihood[Any], means: Mapping[str, float], prior: Prior
) -> dict[str, tuple[float, float]]:
    """Return by parameter the events before the log that came, and that did not."""
    many = {name: prior.strength if name in likelihood.of_items else prior.shared for name in means}
    return {name: (many[name] * mean, many[name] * (1 - mean)) for name, mean in means.items()}


def begin(likelihood: Likelihood[Any], means: Mapping[str, float]) -> Parameters:
    """Return parameters at their prior means, those that are held at 1."""
    start = {
        name: np.full((int(np.prod(likelihood.shape(name))), 1), means[name])
        for name in likelihood.axes
    }
    for name, places in likelihood.held().items():
        start[name][places] = 1
    return start


def climb(
    likelihood: Likelihood[Any],
    evidence: Evidence,
    rows: tuple[Floats, ...],
    start: Parameters,
    counts: Mapping[str, tuple[Floats | float, Floats | float]],
    steps: int,
    tolerance: float,
    *,
    tells: bool = True,
) -> tuple[Parameters, list[float], float]:
    """Make steps of EM.

    Parameters
    ----------
    likelihood, evidence, rows
        The model, what it read, and how often it was seen.
    start : dict of array, shape (n, n_draws)
    counts : dict of pair of array or float
        By parameter: events before the log that came, and that did not.
    steps, tolerance
        As in `fit`.
    tells : bool
        Whether the log-likelihood is worth its time.

    Returns
    -------
    parameters : dict of array, shape (n, n_draws)
    history : list of float
        The log-likelihood of the first draw before each step, and after the last.
    moved : float
        How far the last step moved a parameter.
    """
    parameters, history, moved = start, [], np.inf
    for _ in range(1 if likelihood.is_closed else steps):
        expected = likelihood.expect(evidence, rows, parameters, tells=tells)
        history.append(float(expected.log_likelihood[0]))
        after = _maximise(likelihood, expected, parameters, counts)
        moved = max(float(np.abs(after[name] - parameters[name]).max()) for name in after)
        parameters = after
        if moved <= tolerance:
            break
    if tells:
        history.append(float(likelihood.expect(evidence, rows, parameters).log_likelihood[0]))
    return parameters, history, moved


def _maximise(
    likelihood: Likelihood[Any],
    expected: Expected,
    before: Parameters,
    counts: Mapping[str, tuple[Floats | float, Floats | float]],
) -> Parameters:
    """Return the share of expected events; what saw none stays as it is."""
    after = {}
    held = likelihood.held()
    for name, yes in expected.yes.items():
        came, stayed_away = counts[name]
        total = expected.total[name] + came + stayed_away
        share = np.broadcast_to(before[name], total.shape).copy()
        np.divide(yes + came, total, out=share, where=total > 0)
        share = np.minimum(share, 1 - LEAST)
        if name in held:
            share[held[name]] = 1
        after[name] = share
    return after


@dataclass(frozen=True)
class Unknown:
    """Something that a log does not tell about a model's parameters.

    Parameters
    ----------
    what : str
        What holds, of how many: ``3 of 20 documents were never clicked: …``.
    count, of : int
        How many, and out of how many.
    """

    what: str
    count: int
    of: int


_WORDS = {
    "attractiveness": "documents whose attractiveness",
    "satisfaction": "documents whose satisfaction",
    "examination": "places whose examination",
    "continuation": "ranks whose continuation",
}


def cannot_tell(fit: Fit, log: ClickLog) -> list[Unknown]:
    """Return what a fit cannot tell from its log.

    Parameters
    ----------
    fit : Fit
    log : ClickLog
        What it was fitted to.

    Returns
    -------
    list of Unknown
        Empty where all can be told. First what is not known at all, then what rests on little.
    """
    likelihood = fit.likelihood
    evidence = likelihood.read(log)
    found = []
    if not log.clicked.any():
        found.append(Unknown("No page has a click: estimates are the prior's", len(log), len(log)))
    for name, reasons in likelihood.tell(evidence).items():
        can_be = _can_be(fit, name)
        known = reasons[can_be]
        for reason in dict.fromkeys(one for one in known if one):
            count = int((known == reason).sum())
            what = f"{count:,} of {len(known):,} {_WORDS[name]} cannot be told: {reason}"
            found.append(Unknown(what, count, len(known)))
    for note, count, of in likelihood.notes(evidence):
        if count:
            found.append(Unknown(f"{count:,} of {of:,} {note}", count, of))
    if not (fit.converged):
        why = f"After {fit.steps} steps estimates still move: allow more, or take another model"
        found.append(Unknown(why, fit.steps, fit.steps))
    return found


def _can_be(fit: Fit, name: str) -> Mask:
    """Return which values there can be: no click can stand above at the same rank or below it."""
    shape = fit.likelihood.shape(name)
    if fit.likelihood.axes[name] != ("rank", "previous"):
        return np.ones(int(np.prod(shape)), dtype=np.bool_)
    rank, previous = np.indices(shape)
    can_be: Mask = (previous <= rank).ravel()
    return can_be
