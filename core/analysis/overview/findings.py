"""Something that needs attention: what it is, how bad, and where one acts."""

from dataclasses import dataclass

STOPS, DOUBTFUL, OPEN = 0, 1, 2
"""How bad: the round will not end as it is; labels may not mean what they say; a gap is left."""


@dataclass(frozen=True)
class Finding:
    """Something that needs attention.

    Parameters
    ----------
    kind : str
        What it is, in two or three words.
    what : str
        How much of it there is, in Markdown; names are plain.
    page : str
        The address of the page where one acts.
    grade : int
        ``STOPS``, ``DOUBTFUL`` or ``OPEN``.
    share : float
        How much of the whole it touches, in [0, 1].
    """

    kind: str
    what: str
    page: str
    grade: int
    share: float
