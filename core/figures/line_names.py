"""Names written beside the ends of lines, moved apart so that none covers another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.figures.style import plain_text

NAME_HEIGHT = 14.0
LETTER_WIDTH = 6.2
LONGEST = 22
SIGNS = {
    "circle": "●",
    "square": "■",
    "diamond": "◆",
    "cross": "✚",
    "triangle-up": "▲",
    "x": "✖",
    "star": "★",
    "triangle-down": "▼",
}
"""Letters that look like the markers of a line."""


@dataclass(frozen=True)
class LineName:
    """The name of a line and the point of the line that it belongs to.

    ``symbol`` is the line's marker, repeated beside a name; empty for none.
    """

    text: str
    x: object
    y: float
    colour: str
    symbol: str = ""
    strong: bool = False

    def write(self) -> str:
        """Return the name as the figure's HTML."""
        text = shorten(self.text)
        text = f"<b>{text}</b>" if self.strong else text
        sign = SIGNS.get(self.symbol)
        return f'<span style="color:{self.colour}">{sign}</span> {text}' if sign else text


def tie_names(names: Sequence[LineName], pixels: float) -> dict[str, Any]:
    """Return the parts of a layout that write names at the right, each tied to its point.

    Parameters
    ----------
    pixels : float
        Height of one unit of the y axis.

    Returns
    -------
    dict
        ``annotations``, and in ``margin`` the room that they need.
    """
    wanted = [-name.y * pixels for name in names]
    notes = [
        _tie(name, y - at)
        for name, at, y in zip(names, wanted, spread(wanted, NAME_HEIGHT), strict=True)
    ]
    longest = max((len(cut(name.text)) for name in names), default=0)
    return {"annotations": notes, "margin": {"r": 36 + LETTER_WIDTH * longest}}


def _tie(name: LineName, moved: float) -> dict[str, object]:
    """Return a name beside its point as Plotly writes it down, moved by some pixels."""
    return {
        "x": name.x,
        "y": name.y,
        "ax": 14,
        "ay": moved,
        "text": name.write(),
        "xanchor": "left",
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 0.8,
        "arrowcolor": name.colour,
        "standoff": 2,
        "borderpad": 0,
        "font": {"size": 11},
    }


def shorten(name: str) -> str:
    """Return a name that fits beside a figure, with the characters of HTML escaped."""
    return plain_text(cut(name))


def cut(name: str) -> str:
    """Return the beginning of a name that is too long."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Return positions at least a gap apart, in the same order and as near to the given as can be.

    Parameters
    ----------
    positions : sequence of float
        Where each thing would best be.
    gap : float
        The least distance between two of them.

    Notes
    -----
    Neighbours that are too close form a block around their mean; blocks that touch merge.
    """
    order = sorted(range(len(positions)), key=lambda one: positions[one])
    blocks: list[list[float]] = []
    for number, one in enumerate(order):
        blocks.append([positions[one] - number * gap])
        while len(blocks) > 1 and _mean(blocks[-2]) >= _mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    middles = [_mean(block) for block in blocks for _ in block]
    moved = [0.0] * len(positions)
    for number, one in enumerate(order):
        moved[one] = middles[number] + number * gap
    return moved


def _mean(block: list[float]) -> float:
    return sum(block) / len(block)
