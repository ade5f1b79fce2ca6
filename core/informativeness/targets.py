"""Which family of expected values each measure belongs to."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from core.errors import BadInput
from core.informativeness.choices import DEPTHS, PAPER, RECURSIONS
from core.informativeness.families import (
    AveragePrecision,
    CascadeFamily,
    Family,
    Linear,
    Recursion,
)
from core.measures.base import Measure
from core.measures.cascade import ERR, RBP
from core.measures.catalogue import parse_measure
from core.measures.cumulated_gain import CG, DCG, DISCOUNTS, NCG, NDCG
from core.measures.intent_gain import ERRIA, NRBP, AlphaDCG, CascadeRBP
from core.measures.intent_measure import IntentMeasure
from core.measures.intent_precision import APIA, PIA
from core.measures.novelty import FadingGain
from core.measures.precision import AP, P
from core.measures.ranked import Floats, Integers

_BINARY = (None, "linear", "exp")
"""The gains that give a relevant document 1."""


@dataclass(frozen=True)
class Target:
    """A measure whose value is known, or is to be inferred.

    Parameters
    ----------
    measure : Measure
        As it is scored: cascade measures with ``norm='none'``.
    family : Family
        Its expected value for one intent.
    by_intent : bool
        Each intent counts for itself; otherwise relevance to any intent counts.
    shared : bool
        An intent's value is divided by the number of its relevant documents, retrieved or not.
    normalised : bool
        An intent's value is divided by that of its relevant documents, retrieved or not, in the
        best order.
    """

    measure: Measure
    family: Family
    by_intent: bool = False
    shared: bool = False
    normalised: bool = False

    def __str__(self) -> str:
        """Return the measure's text."""
        return str(self.measure)

    def weights(self, probability: Floats, relevant: Integers) -> Floats:
        """Return what each intent's value counts, shape (n,).

        Parameters
        ----------
        probability : array of float, shape (n,)
            The intent's share of its topic.
        relevant : array of int, shape (n,)
            The intent's relevant documents, above 0.
        """
        if self.shared:
            return probability / relevant
        return probability / self._best(relevant) if self.normalised else probability

    def _best(self, relevant: Integers) -> Floats:
        """Return what so many relevant documents are worth at the first ranks, shape (n,)."""
        reached = np.cumsum(self.family.discount)
        return np.asarray(reached[np.minimum(relevant, self.family.depth) - 1])


def name_known() -> tuple[list[str], list[str]]:
    """Return the names of the measures whose expected value is known: all others, by intent."""
    by_intent = [kind.name for kind in _DISCOUNTS if issubclass(kind, IntentMeasure)]
    return [kind.name for kind in _DISCOUNTS if kind.name not in by_intent], by_intent


def suggest_measures(intents: int, depth: int = 10) -> tuple[str, ...]:
    """Return the measures to begin with, those of ``PAPER`` that fit.

    Parameters
    ----------
    intents : int
        How many intents the qrels tell apart; measures by intent need several.
    depth : int, default 10
        How many ranks are looked at (N).
    """
    fitting = [text for text in PAPER if (parse_measure(text).cutoff or depth) <= depth]
    several = intents > 1
    return tuple(text for text in fitting if several or not read_target(text, depth).by_intent)


def read_target(
    measure: Measure | str, depth: int = 10, *, level: float = 1, recursion: str = "exact"
) -> Target:
    """Return what is known of a measure's expected value.

    Parameters
    ----------
    measure : Measure or str
        One of those that `name_known` names. Cascade measures are taken in the form of Ashkan &
        Clarke's equations, ``norm='none'``, graded ones such as nDCG in their binary form: a
        relevant document gains 1, any other 0.
    depth : int, default 10
        How many ranks are looked at (N).
    level : float, default 1
        The level from which a document counts as relevant, for all measures.
    recursion : {'exact', 'paper'}, default 'exact'
        How cascade measures are expected.

    Returns
    -------
    Target
        Its measure is cut at N, unless it names an earlier cut-off.

    Raises
    ------
    BadInput
        The measure is none of these or has another level or a later cut-off; or the depth or the
        recursion is none there is.
    """
    _check_choice(depth, recursion)
    if isinstance(measure, str):
        measure = parse_measure(measure, norm="none", rel=level)
    if type(measure) not in _DISCOUNTS:
        known = ", ".join(chain(*name_known()))
        raise BadInput(f"the expected value of {measure} is not known; choose among {known}")
    measure = _fit(measure, depth, level)
    family = _find_family(measure, depth)
    if recursion == "paper" and isinstance(family, CascadeFamily):
        family = Recursion(family.discount, family.alpha)
    by_intent = isinstance(measure, IntentMeasure) and measure.intents == "each"
    shared, normalised = isinstance(family, AveragePrecision), isinstance(measure, NCG | NDCG)
    return Target(measure, family, by_intent, shared, normalised)


def _check_choice(depth: int, recursion: str) -> None:
    if not DEPTHS[0] <= depth <= DEPTHS[1]:
        raise BadInput(f"the depth is a rank from {DEPTHS[0]} to {DEPTHS[1]}", field="depth")
    if recursion not in RECURSIONS:
        choices = " or ".join(RECURSIONS)
        raise BadInput(f"'{recursion}' is no recursion; choose {choices}", field="recursion")


def _fit(measure: Measure, depth: int, level: float) -> Measure:
    """Return the measure of binary labels up to the depth, unnormalised."""
    if (measure.cutoff or depth) > depth:
        raise BadInput(f"{measure} looks beyond rank {depth}; name a greater depth", field="depth")
    if getattr(measure, "rel", level) != level:
        raise BadInput(
            f"{measure} and level {level:g}: name one level for all measures", field="level"
        )
    gain, top = getattr(measure, "gain", None), getattr(measure, "gmax", None)
    if gain not in _BINARY or top not in (None, 1):
        raise BadInput(
            f"{measure} grades documents; labels are binary here, so name no gain or gmax"
        )
    changed: dict[str, Any] = {} if measure.cutoff == depth else {"cutoff": measure.cutoff or depth}
    if isinstance(measure, NRBP):
        changed["beta"] = measure.patience
    if isinstance(measure, FadingGain):
        changed["norm"] = "none"
    return replace(measure, **changed)


def _find_family(measure: Measure, depth: int) -> Family:
    rank = np.arange(1, depth + 1)
    laid = np.where(rank <= (measure.cutoff or depth), _DISCOUNTS[type(measure)](measure, rank), 0)
    discount = tuple(map(float, laid))
    if isinstance(measure, AP | APIA):
        return AveragePrecision(discount)
    if isinstance(measure, ERR | FadingGain | CascadeRBP):
        return CascadeFamily(discount, getattr(measure, "alpha", _ERR_STOP))
    return Linear(discount)


_ERR_STOP = 0.5
"""The chance g / (g_max + 1) of ERR to stop at a relevant document, where g = g_max = 1."""

_DISCOUNTS: dict[type[Measure], Callable[[Any, Integers], Floats]] = {
    AP: lambda _, rank: 1 / rank,
    P: lambda measure, rank: np.full(len(rank), 1 / measure.cutoff),
    CG: lambda _, rank: np.ones(len(rank)),
    NCG: lambda _, rank: np.ones(len(rank)),
    DCG: lambda measure, rank: DISCOUNTS[measure.discount](rank),
    NDCG: lambda measure, rank: DISCOUNTS[measure.discount](rank),
    RBP: lambda measure, rank: (1 - measure.p) * measure.p ** (rank - 1.0),
    ERR: lambda _, rank: 1 / rank,
    CascadeRBP: lambda measure, rank: measure.beta ** (rank - 1.0),
    APIA: lambda _, rank: 1 / rank,
    PIA: lambda measure, rank: np.full(len(rank), 1 / measure.cutoff),
    ERRIA: lambda measure, rank: measure.discount(rank),
    NRBP: lambda measure, rank: measure.discount(rank),
    AlphaDCG: lambda measure, rank: measure.discount(rank),
}
"""What a relevant document at each rank is worth; the one place where measures are entered."""
