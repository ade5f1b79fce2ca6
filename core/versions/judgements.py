"""Judgements as a value: levels of documents, the scale that they are on, and their spread."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING

from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

GMAX = "gmax"
"""What frames from a store say of their scale, in ``attrs``: its highest level."""


@dataclass(frozen=True, eq=False)
class Judgements:
    """What scoring takes: which documents have which level, and how far the scale goes up.

    Parameters
    ----------
    frame : DataFrame
        ``topic_id, iteration, document_id, level``; a column ``engine`` where a level holds only
        for what that engine shows, ``stratum`` and ``probability`` where a sample was judged.
    gmax : float
        The highest level of the scale, whether it occurs or not.
    is_gmax_taken : bool, default False
        Whether nobody said what the scale is, so that the highest level that occurs was taken.
    """

    frame: pd.DataFrame
    gmax: float
    is_gmax_taken: bool = False

    def on_same_scale(self, frame: pd.DataFrame) -> Judgements:
        """Return other levels on the scale of these."""
        return Judgements(frame, self.gmax, self.is_gmax_taken)

    def on_topics(self, topics: Collection[str]) -> Judgements:
        """Return the levels of some topics, or of all where none is named."""
        if not topics:
            return self
        return self.on_same_scale(self.frame[self.frame["topic_id"].isin(list(topics))])

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of the rows: the same levels have the same hash, however they came about."""
        return hash_rows(self.frame)


def put_on_scale(frame: pd.DataFrame, highest: float | None = None) -> Judgements:
    """Return the rows of a qrels file as judgements.

    Parameters
    ----------
    frame : DataFrame
        ``topic_id, document_id, level``; ``iteration`` may be left out.
    highest : float, optional
        The highest level of the scale; without it, the highest level that occurs is taken for it.

    Raises
    ------
    BadInput
        A level is above the scale.
    """
    return put_on_one_scale({"": frame}, highest)[""]


def put_on_one_scale(
    frames: Mapping[str, pd.DataFrame], highest: float | None = None, at_least: float = 0.0
) -> dict[str, Judgements]:
    """Return several qrels as judgements on one scale, so that their scores can be compared.

    Parameters
    ----------
    frames : mapping of name to DataFrame
        Each as for `put_on_scale`.
    highest : float, optional
        The highest level of the scale of all; without it, the highest level that occurs in any.
    at_least : float, default 0
        What occurs elsewhere in what is scored: without a highest level, the scale goes up to it.

    Raises
    ------
    BadInput
        A level is above the scale.
    """
    whole = {name: _with_iteration(frame) for name, frame in frames.items()}
    occurring = {name: float(frame["level"].max()) for name, frame in whole.items() if len(frame)}
    if highest is None:
        top = max(at_least, *occurring.values()) if occurring else at_least
        return {name: Judgements(frame, top, True) for name, frame in whole.items()}
    for name, level in occurring.items():
        if level > highest:
            raise BadInput(
                f"level {level:g} is judged, above the scale's highest, {highest:g}",
                file=name,
                field="level",
            )
    return {name: Judgements(frame, float(highest)) for name, frame in whole.items()}


def hash_rows(frame: pd.DataFrame) -> str:
    """Return the SHA-256 of the rows, as lines of cells with tabs between them."""
    columns = [map(str, frame[name].to_numpy(dtype=object)) for name in frame]
    lines = ("\t".join(cells) + "\n" for cells in zip(*columns, strict=True))
    return sha256("".join(lines).encode()).hexdigest()


def _with_iteration(qrels: pd.DataFrame) -> pd.DataFrame:
    return qrels if "iteration" in qrels else qrels.assign(iteration="0")


_MOST_LEVELS = 8
_BINS = 5


def level_distribution(judgements: Judgements) -> pd.DataFrame:
    """Count the judgements of each level.

    Parameters
    ----------
    judgements : Judgements
        Whose levels, of a qrels version for instance.

    Returns
    -------
    DataFrame
        ``level`` (float), ``written`` (text), ``documents`` (int), ``share`` in [0, 1], which
        add up to 1; by ascending level. Whole levels between the lowest and ``gmax`` that
        nobody gave are listed with 0. Judgements with more than eight different levels are counted
        in five equally wide bins from its lowest level to ``gmax``; then ``level`` is where a bin
        begins, and a bin holds its beginning but not its end, the last one both.
    """
    import numpy as np
    import pandas as pd

    levels = judgements.frame["level"].to_numpy(np.float64)
    known = np.unique(levels)
    lowest, highest = min(known[0], 0.0), max(known[-1], judgements.gmax)
    whole = bool((known == np.floor(known)).all()) and highest - lowest < _MOST_LEVELS
    if whole:
        known = np.arange(lowest, np.floor(highest) + 1)
    if whole or len(known) <= _MOST_LEVELS:
        numbers = np.bincount(np.searchsorted(known, levels), minlength=len(known))
        written = [f"{level:.3g}" for level in known]
    else:
        numbers, edges = np.histogram(levels, bins=_BINS, range=(float(lowest), float(highest)))
        known = edges[:-1]
        written = [f"{low:.2g}–{high:.2g}" for low, high in pairwise(edges)]
    return pd.DataFrame(
        {
            "level": known,
            "written": written,
            "documents": numbers.astype(np.int64),
            "share": numbers / len(levels),
        }
    )
