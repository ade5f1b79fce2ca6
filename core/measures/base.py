"""What a measure is: a value that prints, parses, hashes and scores rankings."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.measures.ranked import Floats, Mask, Numbers
from core.measures.ranking import Rankings
from core.registry import Registry, Value

Weights = Mapping[int, float]

ABOVE_0 = np.nextafter(0.0, 1.0)
"""The lowest level above 0."""


@dataclass(frozen=True)
class Measure(Value, ABC):
    """Base of every measure of a ranking against judgements.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.

    Notes
    -----
    ``normalised`` says that the judged documents by descending level, uncut, score 1;
    ``graded`` that more than two levels are told apart; ``upper_bound`` bounds the score from above
    (0 bounds it from below); ``greater_is_better`` that a higher score is better; ``monotone`` that
    a better document further up never makes a score worse; ``geometric`` that the mean over topics
    is the geometric one; ``needs_words`` that it reckons with the documents' lengths, if known;
    ``lack`` what is not known of the topics that are not scorable.
    """

    cutoff: int | None = None

    normalised: ClassVar[bool] = False
    graded: ClassVar[bool] = False
    upper_bound: ClassVar[float] = 1.0
    greater_is_better: ClassVar[bool] = True
    monotone: ClassVar[bool] = True
    geometric: ClassVar[bool] = False
    needs_words: ClassVar[bool] = False
    lack: ClassVar[str] = ""

    def __post_init__(self) -> None:
        if self.cutoff is not None and self.cutoff < 1:
            raise ValueError("a cut-off is a rank from 1")

    @property
    def worst(self) -> float:
        """The score of a ranking that finds nothing."""
        return 0.0 if self.greater_is_better else self.upper_bound

    @property
    def obstacle(self) -> str:
        """Why systems are not compared by this measure; empty where they are."""
        if not self.greater_is_better:
            return f"less of {self} is better; compare by F, its complement"
        if self.geometric:
            return (
                f"{self} is one geometric mean over all topics, which is not tested by differences "
                "of topics; compare by AP"
            )
        return ""

    @abstractmethod
    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return the score of every ranking, shape (n_rankings,); NaN where undefined."""

    def residual(self, rankings: Rankings, weights: Weights | None = None) -> Floats | None:
        """Return how much higher each score may be, shape (n_rankings,), at least 0.

        It is what would be added if all that is not judged, within the ranking and beyond its end,
        had the highest gain there can be, 1. None for a measure without a residual.
        """
        return None

    def eligible_topics(self, rankings: Rankings) -> Mask:
        """Return which topics count, shape (n_topics,): those with a level above 0."""
        return rankings.relevant(ABOVE_0) > 0

    def scorable_topics(self, rankings: Rankings) -> Mask:
        """Return of which topics all is known that the measure needs, shape (n_topics,).

        On others it has no score, not even that of finding nothing; ``lack`` says why.
        """
        return np.ones(len(rankings.topics), dtype=np.bool_)


@dataclass(frozen=True)
class CondensedMeasure(Measure):
    """Base of the measures that can look at condensed lists.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    judged_only : bool, default False
        Leave out what has no judgement before ranks are counted (Sakai 2007, SIGIR,
        doi:10.1145/1277741.1277756; trec_eval's ``-J``). Else it counts as not relevant.
    """

    judged_only: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.judged_only, bool):
            raise ValueError("judged_only is True or False")

    def seen(self, rankings: Rankings) -> Rankings:
        """Return the rankings that are measured: as they are, or condensed."""
        return rankings.condensed if self.judged_only else rankings


@dataclass(frozen=True)
class BinaryMeasure(Measure):
    """Base of the measures that only tell relevant from not relevant.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    rel : float, default 1
        The level from which a document counts as relevant.
    """

    rel: float = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.rel > 0:
            raise ValueError("rel is a level above 0, because unjudged documents count as level 0")
        if self.rel == int(self.rel):
            object.__setattr__(self, "rel", int(self.rel))

    def eligible_topics(self, rankings: Rankings) -> Mask:
        """Return which topics have a relevant document, shape (n_topics,)."""
        return rankings.relevant(self.rel) > 0


MEASURES: Registry[Measure] = Registry("measure", __package__)


def divide(numerator: Numbers, denominator: Numbers) -> Floats:
    """Return the quotients, NaN where the denominator is 0."""
    empty = denominator == 0
    return np.where(empty, np.nan, numerator / np.where(empty, 1.0, denominator))
