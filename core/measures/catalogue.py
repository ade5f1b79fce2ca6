"""Every measure there is: importing a module registers its measures, so each is named here."""

from core.measures import gain, judged, precision
from core.measures.base import MEASURES, Measure

MODULES = (precision, gain, judged)


def parse_measure(text: str) -> Measure:
    """Return the measure that a text like ``nDCG(gain='exp')@10`` writes down.

    Raises
    ------
    BadInput
        The text is malformed, the measure unknown or a parameter unfit; says which.
    """
    return MEASURES.parse(text)
