"""Measures by their text, whichever module of this folder holds them."""

from functools import lru_cache
from typing import Any

from core.measures.base import MEASURES, Measure
from core.measures.names import translate_name


def parse_measure(text: str, **defaults: Any) -> Measure:
    """Return the measure that a text like ``nDCG(gain='exp')@10`` writes down.

    Parameters
    ----------
    text : str
        The measure as it prints, or by a name of `translate_name`: ``map``, ``ndcg_cut_10``.
    **defaults
        Parameters for measures that have them and whose text leaves them out: ``rel=2``.

    Raises
    ------
    BadInput
        The text is malformed, the measure unknown or a parameter unfit; says which, and which
        measures are near.
    """
    return _parse(text, tuple(defaults.items()))


@lru_cache(maxsize=1024, typed=True)
def _parse(text: str, defaults: tuple[tuple[str, Any], ...]) -> Measure:
    """Read a text once: a page asks for the same few measures at every label."""
    return MEASURES.parse(translate_name(text), **dict(defaults))


def find_kind(name: str) -> type[Measure]:
    """Return the measure of any of its names, whatever its parameters.

    Raises
    ------
    BadInput
        Nobody calls a measure so; says which are near.
    """
    known = {entry.name: entry for entry in MEASURES}
    text = translate_name(name)
    return known[text] if text in known else type(MEASURES.parse(text))
