"""What a fit of a click model cannot tell, in plain words and counts."""

from dataclasses import dataclass

import numpy as np

from core.clicks.click_log import ClickLog, Mask
from core.clicks.fitting import Fit


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


WORDS = {
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
        told = reasons[can_be]
        for reason in dict.fromkeys(one for one in told if one):
            count = int((told == reason).sum())
            what = f"{count:,} of {len(told):,} {WORDS[name]} cannot be told: {reason}"
            found.append(Unknown(what, count, len(told)))
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
