"""How many gave each level, as bars of HTML: large on a projector, narrow on a phone."""

from collections.abc import Mapping, Sequence
from html import escape

from core.figures.learn import FILLS
from core.language.translate import t


def draw_bars(counts: Mapping[str, int], levels: Sequence[str], own: str = "") -> str:
    """Return a row for each level: its name, a bar and the count.

    Parameters
    ----------
    counts : mapping of str to int
        How many gave each level, in the order of the rows.
    levels : sequence of str
        All levels, lowest first: each has its colour.
    own : str
        The level to mark as one's own, if any.
    """
    you = t("you")
    most = max([1, *counts.values()])
    rows = "".join(
        f'<div class="level{" own" if level == own else ""}" role="listitem">'
        f"<span>{escape(level)}</span>"
        f'<span class="track"><span class="bar" style="width:{100 * number / most:.1f}%;'
        f'background:{FILLS[levels.index(level) % len(FILLS)]}"></span></span>'
        f"<b>{number}</b>{f'<em>{you}</em>' if level == own else ''}</div>"
        for level, number in counts.items()
    )
    return f'<div class="levels" role="list">{rows}</div>'
