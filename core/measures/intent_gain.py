"""Novelty and diversity: alpha-DCG, ERR-IA and NRBP, each also as a share of the ideal."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, BinaryMeasure, Weights
from core.measures.cumulated_gain import DISCOUNTS
from core.measures.novelty import FadingGain, NormalisedGain
from core.measures.ranked import Floats, Integers
from core.measures.ranking import Rankings

_ALPHA = "Clarke et al. (2008), SIGIR, doi:10.1145/1390334.1390446"
_ERR = "Chapelle et al. (2009), CIKM, doi:10.1145/1645953.1646033"
_NRBP = "Clarke, Kolla & Vechtomova (2009), ICTIR, doi:10.1007/978-3-642-04417-5_17"


@MEASURES.register
@dataclass(frozen=True)
class AlphaDCG(FadingGain):
    """Discounted cumulated gain with D(k) = 1 / log2(k + 1), normalised as ndeval's alpha-DCG.

    ``alpha-DCG(norm='none')`` is Ashkan & Clarke's equation 7; the DCG of their Table 3 is
    ``alpha-DCG(intents='any', norm='none')``.
    """

    name = "alpha-DCG"
    description = "discounted gain that decreases with each further document of the same intent"
    reference = _ALPHA
    examples = ("alpha-DCG", "alpha-DCG(norm='none')@10")


@MEASURES.register
@dataclass(frozen=True)
class AlphaNDCG(NormalisedGain):
    """alpha-DCG divided by that of the greedy ideal ranking: ndeval's alpha-nDCG."""

    name = "alpha-nDCG"
    description = "alpha-DCG as a share of the greedy ideal ranking's"
    reference = _ALPHA
    examples = ("alpha-nDCG", "alpha-nDCG(rel=2, alpha=0.3)@10")


@MEASURES.register
@dataclass(frozen=True)
class ERRIA(FadingGain):
    """Expected reciprocal rank by intent, D(k) = 1 / k, normalised as ndeval's ERR-IA.

    ``ERR-IA(norm='none')`` is Ashkan & Clarke's equation 6; their plain ERR, which stops at a
    relevant document with the chance alpha, is ``ERR-IA(intents='any', norm='none')``.
    """

    name = "ERR-IA"
    description = "mean over the intents of the reciprocal rank at which the user stops"
    reference = _ERR
    examples = ("ERR-IA", "ERR-IA(intents='any', alpha=0.9, norm='none')@10")

    def discount(self, rank: Integers) -> Floats:
        """Return 1 / k."""
        return DISCOUNTS["zipf"](rank)


@MEASURES.register
@dataclass(frozen=True)
class NERRIA(NormalisedGain):
    """ERR-IA divided by that of the greedy ideal ranking: ndeval's nERR-IA."""

    name = "nERR-IA"
    description = "ERR-IA as a share of the greedy ideal ranking's"
    reference = _ERR
    examples = ("nERR-IA", "nERR-IA(rel=2)@10")

    def discount(self, rank: Integers) -> Floats:
        """Return 1 / k."""
        return DISCOUNTS["zipf"](rank)


@MEASURES.register
@dataclass(frozen=True)
class NRBP(FadingGain):
    """Novelty- and rank-biased precision, D(k) = beta^(k − 1), normalised as ndeval's NRBP.

    Parameters
    ----------
    cutoff, rel, intents, alpha, norm
        As in `FadingGain`; ndeval has no cut-off here.
    beta : float, optional
        The chance, above 0 and up to 1, to go on to the next rank: by default .5, as in ndeval,
        or with ``norm='none'`` .8, as in Ashkan & Clarke's experiments with this form.
    """

    beta: float | None = None

    name = "NRBP"
    description = (
        "mean over the intents of the gain found by a user who goes on with probability beta"
    )
    reference = _NRBP
    examples = ("NRBP", "NRBP(alpha=0.9)@10", "NRBP(norm='none', beta=0.5)")

    def __post_init__(self) -> None:
        if self.beta is not None:
            object.__setattr__(self, "beta", _check_patience(self.beta))
        super().__post_init__()
        if self.beta == self._usual:
            object.__setattr__(self, "beta", None)

    @property
    def patience(self) -> float:
        """The beta in force."""
        return self._usual if self.beta is None else self.beta

    @property
    def _usual(self) -> float:
        return 0.8 if self.norm == "none" else 0.5

    @property
    def novelty_discount(self) -> float:
        """The factor by which gain falls from rank to rank where all documents are relevant."""
        return (1 - self.alpha) * self.patience

    def discount(self, rank: Integers) -> Floats:
        """Return beta^(k − 1)."""
        return _decay(self.patience, rank)


@MEASURES.register
@dataclass(frozen=True)
class NNRBP(NormalisedGain):
    """NRBP divided by that of the greedy ideal ranking: ndeval's nNRBP.

    Parameters
    ----------
    cutoff, rel, intents, alpha
        As in `FadingMeasure`; ndeval has no cut-off here.
    beta : float, default 0.5
        The chance, above 0 and up to 1, to go on to the next rank.
    """

    beta: float = 0.5

    name = "nNRBP"
    description = "NRBP as a share of the greedy ideal ranking's"
    reference = _NRBP
    examples = ("nNRBP", "nNRBP(beta=0.8)@10")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "beta", _check_patience(self.beta))

    def discount(self, rank: Integers) -> Floats:
        """Return beta^(k − 1)."""
        return _decay(self.beta, rank)


@MEASURES.register
@dataclass(frozen=True)
class CascadeRBP(BinaryMeasure):
    """Rank-biased precision of the cascade model: a document may end the search.

    The gain alpha · (1 − alpha)^c · beta^(k − 1), with c relevant documents before rank k and
    relevance to any intent: ``NRBP(intents='any', norm='none')``. This is Ashkan & Clarke's RBP;
    in Moffat & Zobel's the gain does not fade.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    rel : float, default 1
        The level from which a document counts as relevant.
    alpha : float, default 0.5
        The chance, in [0, 1], that a relevant document ends the search.
    beta : float, default 0.8
        The chance, above 0 and up to 1, to go on to the next rank.
    """

    alpha: float = 0.5
    beta: float = 0.8

    name = "cRBP"
    description = "gain found by a user who may stop at a relevant document or lose patience"
    reference = "Ashkan & Clarke (2011), WWW, pp. 407–416, eq. 4"
    examples = ("cRBP", "cRBP(rel=2, alpha=0.3, beta=0.9)@10")

    def __post_init__(self) -> None:
        super().__post_init__()
        by_intent = self._by_intent()
        object.__setattr__(self, "alpha", by_intent.alpha)
        object.__setattr__(self, "beta", by_intent.patience)

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return cRBP, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        return self._by_intent().score(rankings)

    def _by_intent(self) -> NRBP:
        return NRBP(self.cutoff, self.rel, "any", self.alpha, "none", self.beta)


def _decay(beta: float, rank: Integers) -> Floats:
    decayed: Floats = np.power(beta, rank - 1.0)
    return decayed


def _check_patience(beta: float) -> float:
    if not 0 < beta <= 1:
        raise ValueError("beta is a probability above 0 and up to 1")
    return float(beta)
