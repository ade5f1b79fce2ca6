"""Cells that read on a light page and on a dark one."""

import pandas as pd

from core.figures.matrix import SHADES, draw_matrix
from tests.each import each

THEMES = {"light": ((255, 255, 255), (49, 51, 63)), "dark": ((14, 17, 23), (250, 250, 250))}
"""The page and its ink."""


def over(page: tuple[int, ...], shade: str) -> list[float]:
    """Return what a colour comes to on a page."""
    *colour, share = map(float, shade.removeprefix("rgba(").removesuffix(")").split(","))
    return [share * own + (1 - share) * below for own, below in zip(colour, page, strict=True)]


def luminance(colour) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    parts = [value / 255 for value in colour]
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in parts
    ]
    return sum(
        weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )


@each("theme", THEMES)
def test_little_is_near_the_page_and_much_is_far_from_it(theme):
    page, ink = THEMES[theme]
    little, much = (over(page, shade) for _, shade in SHADES)
    ground = luminance(page)
    assert abs(luminance(little) - ground) < 0.1 * max(abs(luminance(much) - ground), 0.2)
    assert abs(luminance(little) - ground) < abs(luminance(much) - ground)
    for cell in (little, much):
        darker, brighter = sorted((luminance(cell), luminance(ink)))
        assert (brighter + 0.05) / (darker + 0.05) >= 4.5


def test_cells_are_written_in_the_pages_own_ink():
    names = ["a", "b"]
    shade = pd.DataFrame([[0.0, 1.0], [float("nan"), 0.5]], names, names)
    text = pd.DataFrame([["0", "1"], [float("nan"), ""]], names, names)
    heat, written = draw_matrix(shade, text, shade, "%{z}", x="x", y="y", height=200).data
    assert heat.texttemplate is None
    assert (list(written.x), list(written.y)) == (["a", "b"], ["a", "a"])
    assert list(written.text) == ["0", "1"]
    assert written.textfont.color is None
    assert written.hoverinfo == "skip"
