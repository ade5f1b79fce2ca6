"""Every measure there is: importing a module registers its measures, so each is named here."""

from typing import Any

from core.measures import bpref as preference
from core.measures import cascade, graded, intent_gain, intent_precision, judged, precision, sets
from core.measures import cumulated_gain as gain
from core.measures import q_measure as blended
from core.measures.base import MEASURES, Measure

MODULES = (
    precision,
    sets,
    gain,
    graded,
    blended,
    cascade,
    preference,
    intent_precision,
    intent_gain,
    judged,
)


def parse_measure(text: str, **defaults: Any) -> Measure:
    """Return the measure that a text like ``nDCG(gain='exp')@10`` writes down.

    Parameters
    ----------
    text : str
        The measure as it prints.
    **defaults
        Parameters for measures that have them and whose text leaves them out: ``rel=2``.

    Raises
    ------
    BadInput
        The text is malformed, the measure unknown or a parameter unfit; says which.
    """
    return MEASURES.parse(text, **defaults)
