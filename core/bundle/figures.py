"""The figures of a bundle, drawn from its tables: as Plotly's JSON, and on paper."""

import io
import json
import zlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

import pandas as pd

from core.bundle.printed import print_table
from core.collection.export.delimited import restore
from core.figures.agreement import draw_intervals
from core.figures.comparison import draw_means
from core.figures.printed import FIGURE_FORMATS, print_figure, read_figure
from core.figures.style import Figure


def draw_figures(tables: dict[str, bytes]) -> dict[str, bytes]:
    """Return figures by the names of their entries.

    Parameters
    ----------
    tables : dict
        Printed tables by name; a figure is drawn where its table is there.
    """
    figures: dict[str, Figure] = {}
    if "agreement" in tables:
        for facet, own in _read(tables["agreement"]).groupby("facet", sort=False):
            rows = own.assign(name=own["coefficient"], counted=True)
            figures[f"agreement-{facet}"] = draw_intervals(rows, x=f"agreement, {facet}s")
    if "ranking" in tables:
        ranking = _read(tables["ranking"])
        for number, (measure, own) in enumerate(ranking.groupby("measure", sort=False), start=1):
            figures[f"means-{number:02}"] = draw_means(own, str(measure), "qrels")
    return {f"figures/{name}.json": _write(one) for name, one in figures.items()}


def print_tables(tables: dict[str, pd.DataFrame]) -> dict[str, bytes]:
    """Return tables as they are printed, by name."""
    return {name: print_table(table) for name, table in tables.items()}


def _read(table: bytes) -> pd.DataFrame:
    """Return a printed table with its numbers as numbers."""
    texts = {"facet", "coefficient", "measure", "qrels", "system", "reason", "interval", "unit"}
    frame = pd.read_csv(io.BytesIO(table), dtype=dict.fromkeys(texts, "str"), na_values=[""])
    for name in texts & set(frame):
        frame[name] = [restore(text) for text in frame[name].fillna("")]
    return frame


def _write(figure: Figure) -> bytes:
    # A running server draws with a look of its own unless a figure says which it has.
    drawn = json.loads(figure.update_layout(template="plotly_white").to_json(engine="json"))
    return (json.dumps(drawn, sort_keys=True, ensure_ascii=False) + "\n").encode()


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
        f"{name.removesuffix('json')}{form}": _print_one(drawn, form)
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
def _print_one(drawn: bytes, form: str) -> bytes:
    return print_figure(read_figure(drawn), form)
