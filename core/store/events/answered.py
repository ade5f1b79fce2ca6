"""How a label came about: paradata, stored in the transaction of the label event they belong to."""

from dataclasses import dataclass, fields

GIVEN_BY = ("key", "mouse", "touch", "pen", "button")
"""By what an answer was given; "button": one that a key or assistive technology pressed."""

SIDES = ("left", "right")
WHOLE = 1000
"""Places on the window, and how much of an item had been in view, are in thousand parts."""


@dataclass(frozen=True)
class Paradata:
    """What is known of how one answer came about; None for what is not.

    Parameters
    ----------
    shown_ms : int, optional
        Milliseconds from when the whole of what is judged was shown to the answer.
    given_by : str, optional
        One of `GIVEN_BY`.
    place : int, optional
        Which of the buttons of the levels, 0 for the first on the screen.
    x, y : int, optional
        Where on the window a pointer was pressed, from 0 to 1000 of its width and height.
    furthest : int, optional
        How much of a text that scrolls on the screen had been in view, from 0 to 1000.
    first_side : str, optional
        One of `SIDES`: which of a pair was opened first, where one is shown at a time.
    both_sides : bool, optional
        Whether both sides of a pair had been in view.
    text_only : bool, optional
        Whether an HTML page was judged by its text only.
    """

    shown_ms: int | None = None
    given_by: str | None = None
    place: int | None = None
    x: int | None = None
    y: int | None = None
    furthest: int | None = None
    first_side: str | None = None
    both_sides: bool | None = None
    text_only: bool | None = None


PARADATA = tuple(one.name for one in fields(Paradata))
"""The columns of the table besides the ids of event and collection."""
