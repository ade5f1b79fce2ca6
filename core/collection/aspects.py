"""Aspects: what else is judged of an item in the same pass, trust or freshness for instance."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from core.collection.records import Scale


@dataclass(frozen=True)
class Aspect:
    """A scale beside that of relevance, with the question that it answers.

    Parameters
    ----------
    name : str
        What it is called everywhere; it never changes.
    facets : tuple of str
        Of what it is asked: snippets, pages or both.
    question : str
        What assessors are asked, in a few words.
    levels : Scale
        Its levels, lowest first.
    from_level : int, optional
        Asked only where the level of relevance is this one or above; always without it.
    may_be_left_out : bool, default False
        Whether an assessor may go on without an answer.
    ended_at : datetime, optional
        Since when (UTC) it is asked no more.
    """

    name: str
    facets: tuple[str, ...]
    question: str
    levels: Scale
    from_level: int | None = None
    may_be_left_out: bool = False
    ended_at: datetime | None = None

    def is_asked(self, facet: str, level: int) -> bool:
        """Tell whether it is asked of an item whose relevance has this level."""
        is_reached = self.from_level is None or level >= self.from_level
        return self.ended_at is None and facet in self.facets and is_reached


def name_levels(aspects: Iterable[Aspect]) -> dict[tuple[str, int], str]:
    """Return the names of levels by aspect and level."""
    return {(one.name, level.level): level.name for one in aspects for level in one.levels}
