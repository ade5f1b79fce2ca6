"""The figures of a bundle on paper, as SVG and PDF, where Matplotlib is installed."""

import zlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from core.figures.printed import FIGURE_FORMATS, print_figure, read_figure

DRAWS = "matplotlib"
"""What draws them, as the software of a study has it."""

PACKS = "zlib"
"""What packs the PDF ones: its bytes are those of its version."""


def list_printers() -> dict[str, str]:
    """Return the versions of what figures on paper go through; none without Matplotlib."""
    try:
        return {DRAWS: version(DRAWS), PACKS: zlib.ZLIB_RUNTIME_VERSION}
    except PackageNotFoundError:
        return {}


def print_figures(figures: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return figures, given as Plotly's JSON by entry, as SVG and PDF by entry.

    Raises
    ------
    BadInput
        One of them cannot be printed.
    """
    if not list_printers():
        return {}
    return {
        f"{name.removesuffix('json')}{form}": _print(drawn, form)
        for name, drawn in figures.items()
        for form in FIGURE_FORMATS
    }


def why_not_compared(entry: str, software: Mapping[str, str]) -> str:
    """Return why a figure on paper, drawn with other software, tells nothing; empty where it does.

    Parameters
    ----------
    entry : str
        The figure's entry.
    software : mapping of str to str
        What it was drawn with, as a study's description lists it.
    """
    then, now = software.get(DRAWS, ""), list_printers().get(DRAWS, "")
    if not then or then != now:
        return f"it was drawn with Matplotlib {then or 'unknown'}, and here is {now or 'none'}"
    packed, packs = software.get(PACKS, ""), list_printers().get(PACKS, "")
    if entry.endswith(".pdf") and packed != packs:
        return f"it was packed with zlib {packed or 'unknown'}, and here is {packs}"
    return ""


def tell_paper(software: Mapping[str, str], entries: Iterable[str]) -> list[str]:
    """Say that figures are not there on paper, and why; nothing where they are, or none is."""
    if software.get(DRAWS) or not any(one.startswith("figures/") for one in entries):
        return []
    return ["Figures are not there as SVG and PDF: Matplotlib was not installed."]


@lru_cache(64)
def _print(drawn: bytes, form: str) -> bytes:
    return print_figure(read_figure(drawn), form)
