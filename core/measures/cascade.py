"""Measures of a person who reads from the top and may stop at any document."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from core.errors import BadInput
from core.measures.base import ABOVE_0, MEASURES, BinaryMeasure, CondensedMeasure, Weights, divide
from core.measures.gain import GainTable, GradedMeasure, check_gain, gain_levels
from core.measures.ranked import Floats, Levels, Ranked
from core.measures.ranking import Rankings


@dataclass(frozen=True)
class CascadeMeasure(GradedMeasure):
    """Base of the measures of a person who stops where a document satisfies.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    gain : str or table, default 'linear'
        How likely a document is to satisfy: with gain g and g_max the gain of the scale's highest
        level, it is g / (g_max + 1). So ``linear`` is NTCIREVAL's form, ``exp`` that of Chapelle
        et al. and gdeval, (2^level − 1) / 2^gmax. A table's highest gain is its g_max. With
        ``udm`` it is the weight itself.
    gmax : float, optional
        The highest level of the scale, where it is not that of the judgements. It plays no part
        with a table or weights.
    """

    gmax: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "gmax", check_top(self.gmax))

    def stop(self, cells: Ranked, rankings: Rankings, weights: Weights | None) -> Floats:
        """Return how likely each document is to satisfy, shape (n_cells,), in [0, 1]."""
        if self.gain == "udm":
            return weigh(cells.level, weights)
        return self.gains(cells, weights) / (top_gain(rankings, self.gain, self.gmax) + 1)

    def expect(self, cells: Ranked, stop: Floats) -> Floats:
        """Return Σ stop / rank × the product of (1 − stop) above it, shape (rows,)."""
        return cells.total(stop / cells.rank * cells.before(1 - stop, np.multiply))


@MEASURES.register
@dataclass(frozen=True)
class ERR(CascadeMeasure):
    """Expected reciprocal rank of the document that satisfies; ``ERR(gain='exp')`` is the usual.

    gdeval takes 4 for the highest level whatever the judgements: ``ERR(gain='exp', gmax=4)``.
    """

    name = "ERR"
    description = "expected reciprocal rank at which a person stops satisfied"
    reference = "Chapelle et al. (2009), CIKM, doi:10.1145/1645953.1646033"
    examples = ("ERR@10", "ERR(gain='exp', gmax=4)@20", "ERR(gain='udm')")
    suggested = ("ERR@10",)

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return ERR, shape (n_rankings,), in [0, 1]."""
        shown = self.shown(rankings.retrieved, weights)
        return self.expect(shown, self.stop(shown, rankings, weights))


@MEASURES.register
@dataclass(frozen=True)
class NERR(CascadeMeasure):
    """ERR divided by that of the ideal ranking: all judged documents by gain, cut alike.

    With a table of gains it is NTCIREVAL's nERR.
    """

    name = "nERR"
    normalised = True
    description = "ERR as a share of the best ERR possible"
    reference = "Sakai & Song (2011), SIGIR, doi:10.1145/2009916.2010055"
    examples = (
        "nERR",
        "nERR@10",
        "nERR(gain='exp')@3",
        "nERR(gain='udm')@10",
        "nERR(gain={1: 0.5, 2: 0.7, 3: 1.0})",
    )
    suggested = ("nERR@10",)

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return nERR, shape (n_rankings,), in [0, 1]; NaN where nothing judged has a gain."""
        shown = self.shown(rankings.retrieved, weights)
        best = self.shown(self.ideal(rankings, weights), weights)
        possible = self.expect(best, self.stop(best, rankings, weights))
        reached = self.expect(shown, self.stop(shown, rankings, weights))
        return divide(reached, possible[rankings.topic])


@MEASURES.register
@dataclass(frozen=True)
class RBP(CondensedMeasure, BinaryMeasure):
    """Rank-biased precision: what a person finds who goes on to the next rank with chance p.

    It is (1 − p) Σ g p^(rank − 1), where g is 1 for a relevant document or, with a gain, the share
    of the scale's highest gain. No ranking reaches 1. What lies beyond the cut-off or is not
    judged adds nothing; the residual says how much it could add.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    rel : float, default 1
        The level from which a document counts as relevant; with a gain it plays no part.
    p : float, default 0.8
        The chance to go on, between 0 and 1.
    gain : str or table, optional
        ``linear`` (NTCIREVAL's RBP), ``exp`` or a table, each divided by its highest gain, or
        ``udm``, the weight itself. When absent, every relevant document gains 1.
    gmax : float, optional
        The highest level of the scale, where it is not that of the judgements. It plays no part
        with a table, weights or no gain.
    """

    p: float = 0.8
    gain: str | GainTable | None = None
    gmax: float | None = None

    name = "RBP"
    graded = True
    description = "gain found by a person who goes on to the next rank with probability p"
    reference = "Moffat & Zobel (2008), ACM TOIS 27(1), doi:10.1145/1416950.1416952"
    examples = (
        "RBP",
        "RBP(rel=2, p=0.5)@10",
        "RBP(p=0.95, gain='linear')",
        "RBP(gain='exp', gmax=4)@5",
        "RBP(gain='udm')",
        "RBP(judged_only=True)@10",
    )
    suggested = ("RBP",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.p < 1:
            raise ValueError("p is a probability between 0 and 1")
        object.__setattr__(self, "gmax", check_top(self.gmax))
        if self.gain is not None:
            object.__setattr__(self, "gain", check_gain(self.gain))

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return RBP, shape (n_rankings,), in [0, 1)."""
        lowest = self.rel if self.gain is None else ABOVE_0
        found = self.seen(rankings).retrieved.at_least(lowest).up_to(self.cutoff)
        share = share_of_top(found.level, self, rankings, weights)
        return (1 - self.p) * found.total(share * self.p ** (found.rank - 1.0))

    def residual(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return the weight of all ranks without a judgement, shape (n_rankings,), in [0, 1].

        Of a condensed list these are the ranks beyond its end.
        """
        judged = self.seen(rankings).retrieved.up_to(self.cutoff)
        weight: Floats = np.power(self.p, judged.rank - 1.0)
        return 1 - (1 - self.p) * judged.total(weight)


def check_top(gmax: float | None) -> float | None:
    """Return the highest level as measures keep it; refuse one that is not above 0."""
    if gmax is None:
        return None
    if not 0 < gmax < np.inf:
        raise ValueError("gmax is the highest level of the scale, above 0")
    return int(gmax) if gmax == int(gmax) else gmax


def top_gain(rankings: Rankings, gain: str | GainTable, gmax: float | None) -> float:
    """Return the gain of the scale's highest level, or the highest of a table.

    Raises
    ------
    BadInput
        A level above ``gmax`` is judged.
    """
    if isinstance(gain, GainTable):
        return max((value for _, value in gain.pairs), default=0.0)
    top = rankings.gmax if gmax is None else gmax
    if (judged := rankings.ideal.level.max()) > top:
        raise BadInput(f"level {judged:g} is judged, above gmax={top:g}; name the scale's highest")
    return float(gain_levels(np.array([top]), gain)[0])


class Shared(Protocol):
    """A measure whose documents gain 1 from a level on or, with a gain, a share of the top's."""

    @property
    def gain(self) -> str | GainTable | None:
        """The gain of a level; when absent, every relevant document gains 1."""

    @property
    def gmax(self) -> float | None:
        """The highest level of the scale."""


def share_of_top(
    level: Levels, measure: Shared, rankings: Rankings, weights: Weights | None
) -> Floats:
    """Return what each level gains as a share of the highest gain, shape (n,), in [0, 1].

    Without a gain that is 1, and the levels given are to be relevant ones.
    """
    if measure.gain is None:
        return np.ones(len(level))
    if measure.gain == "udm":
        return weigh(level, weights)
    top = top_gain(rankings, measure.gain, measure.gmax)
    return gain_levels(level, measure.gain) / (top or 1.0)


def weigh(level: Levels, weights: Weights | None) -> Floats:
    """Return the weight of each level, shape (n,); refuse one that is no probability."""
    weight = gain_levels(level, "udm", weights)
    if (outside := weight[~((weight >= 0) & (weight <= 1))]).size:
        raise BadInput(
            f"a weight of {outside[0]:g} is no probability; give weights from 0 to 1",
            field="weights",
        )
    return weight
